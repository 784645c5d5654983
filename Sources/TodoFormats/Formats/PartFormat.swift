/// A format that writes a task as named parts: tokens, properties, attributes or cells.
///
/// A record keeps the parts that its fields would not give back as they were. The writer takes such
/// a part instead of its own as long as it still says what the field says.
protocol PartFormat {
  typealias Part = TaskRecord.Part

  /// The format of the parts.
  static var format: TaskFormat { get }
  /// How exactly times of creation and completion are kept.
  var precision: TimePrecision { get }
  /// The names of the parts that fields are written as, or read from.
  static var fieldNames: Set<String> { get }

  /// What parts say; `report` takes what is left out.
  ///
  /// - Throws: `RowError` where the parts are no task.
  func interpret(_ parts: [Part], report: (TaskField?, String) -> Void) throws -> TaskRecord
  /// The parts that the fields of a record are written as.
  func canonicalParts(of record: TaskRecord) -> [Part]
}

extension PartFormat {
  /// Makes a record of parts; what its fields would not give back is in `unknown`.
  func record(of parts: [Part], report: (TaskField?, String) -> Void) throws -> TaskRecord {
    var record = try interpret(parts, report: report)
    let canonical = Self.byName(canonicalParts(of: record))
    let read = Self.byName(parts)
    record.unknown = parts.filter { part in
      let written = canonical[part.name] ?? []
      let source = read[part.name] ?? []
      return written.count != source.count || !zip(written, source).allSatisfy { $0.isSame(as: $1) }
    }
    if !record.unknown.isEmpty { record.source = Self.format }
    return record
  }

  /// The parts to write for a record, and the fields that they do not say.
  func parts(of record: TaskRecord) -> (parts: [Part], lost: [TaskField]) {
    let canonical = canonicalParts(of: record)
    let foreign: [TaskField] = record.unknown.isEmpty || isOwn(record) ? [] : [.unknown]
    guard isOwn(record), !record.unknown.isEmpty else {
      return (canonical, lost(of: record, in: canonical) + foreign)
    }
    let further = record.unknown.filter { !Self.fieldNames.contains($0.name) }
    let verbatim = Self.byName(record.unknown.filter { Self.fieldNames.contains($0.name) })
    func combined(_ names: Set<String>) -> [Part] {
      var kept = names
      var parts: [Part] = []
      for part in canonical {
        if !names.contains(part.name) {
          parts.append(part)
        } else if kept.remove(part.name) != nil {
          parts += verbatim[part.name] ?? []
        }
      }
      return parts + kept.sorted().flatMap { verbatim[$0] ?? [] } + further
    }

    let plain = combined([])
    let plainLost = Set(lost(of: record, in: plain))
    let all = Set(verbatim.keys)
    let whole = combined(all)
    let wholeLost = lost(of: record, in: whole)
    if plainLost.isSuperset(of: wholeLost) { return (whole, wholeLost) }
    // Some field was changed: each verbatim part is taken that still says the same.
    var taken: Set<String> = []
    var best = plainLost
    for name in all.sorted() {
      let next = lost(of: record, in: combined(taken.union([name])))
      if best.isSuperset(of: next) {
        taken.insert(name)
        best = Set(next)
      }
    }
    let parts = combined(taken)
    return (parts, lost(of: record, in: parts))
  }

  /// Whether the format of this writer wrote what the record keeps verbatim.
  private func isOwn(_ record: TaskRecord) -> Bool { record.source == Self.format }

  private func lost(of record: TaskRecord, in parts: [Part]) -> [TaskField] {
    do {
      let read = try interpret(parts) { _, _ in }
      return record.differences(from: read, precision: precision)
    } catch {
      // A reader would refuse the row: nothing of it arrives.
      return TaskField.allCases.filter { $0 == .title }
    }
  }

  private static func byName(_ parts: [Part]) -> [String: [Part]] {
    Dictionary(grouping: parts, by: \.name)
  }
}
