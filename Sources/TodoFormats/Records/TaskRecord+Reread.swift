package import Foundation

extension TaskRecord {
  /// The record with what the reader of this version finds in the verbatim pieces of an earlier one.
  ///
  /// A field that the earlier reader has filled stays as it is.
  ///
  /// - Parameter reader: The time zone of the reader, for a record that says none.
  package func reread(in reader: TimeZone) -> TaskRecord {
    let options = FormatOptions(
      timeZone: timeZone(of: reader), now: createdAt ?? .distantPast)
    return (source?.file(options) as? any PartFormat)?.reread(self) ?? self
  }
}

extension PartFormat {
  /// The record with the fields that its verbatim parts say and that are empty.
  fileprivate func reread(_ record: TaskRecord) -> TaskRecord {
    let verbatim = record.unknown.filter { Self.fieldNames.contains($0.name) }
    let names = Set(verbatim.map(\.name))
    let others = canonicalParts(of: record).filter { !names.contains($0.name) }
    do {
      let read = try interpret(others + verbatim, report: Report())
      let filled = record.differences(from: TaskRecord(title: ""), precision: precision)
      var new = record
      for field in record.differences(from: read, precision: precision)
      where !filled.contains(field) {
        new.take(field, from: read)
      }
      return new
    } catch {
      // The parts are not a task to this version, so it finds nothing more in them.
      return record
    }
  }
}
