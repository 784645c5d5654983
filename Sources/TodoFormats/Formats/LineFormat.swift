import Foundation

/// A format with a task on a line, whose parts may be in any order.
protocol LineFormat: PartFormat {
  static func parts(ofLine line: String) -> [Part]
  /// The line that parts make, in the order of their kinds.
  static func line(of parts: [Part]) -> String
}

extension LineFormat {
  var precision: TimePrecision { .days(timeZone) }

  /// The name of the part that keeps a line whose parts were in another order.
  static var lineName: String { "line" }

  /// Makes a record of a line.
  func record(ofLine line: String, report: Report) throws -> TaskRecord {
    let parts = Self.parts(ofLine: line)
    var record = try record(of: parts, report: report)
    if !Self.line(of: parts).utf8.elementsEqual(line.utf8) {
      record.unknown.append(Part(Self.lineName, line))
      record.source = Self.format
    }
    return record
  }

  /// The line to write for a record, and the fields that it does not say.
  ///
  /// The line that was read is written again as long as it says what the record says.
  func line(of record: TaskRecord) -> (line: String, lost: [TaskField]) {
    if record.source == Self.format,
      let line = record.unknown.first(where: { $0.name == Self.lineName })?.text,
      isStill(line, of: record)
    {
      return (line, [])
    }
    let (parts, lost) = parts(of: record)
    let line = Self.line(of: parts.filter { $0.name != Self.lineName }).onOneLine
    // Words that look like a token are one when the line is read again.
    do {
      let again = try interpret(Self.parts(ofLine: line), report: Report())
      let fields = Set(record.differences(from: again, precision: precision)).union(lost)
      return (line, TaskField.allCases.filter(fields.contains))
    } catch {
      return (line, [.title])
    }
  }

  private func isStill(_ line: String, of record: TaskRecord) -> Bool {
    do {
      let read = try self.record(ofLine: line, report: Report())
      return read.unknown == record.unknown
        && record.differences(from: read, precision: precision).isEmpty
    } catch {
      return false
    }
  }

  /// The first moment of a day as `2026-06-01`.
  func moment(_ text: String) -> Date? {
    TaskDate.day(dashed: text[...])?.moment(in: timeZone)
  }

  func day(_ moment: Date?) -> String? { moment.map { TaskDate(day: $0, in: timeZone).dashed } }
}
