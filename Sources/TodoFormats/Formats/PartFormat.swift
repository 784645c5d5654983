import Foundation

/// A format that writes a task as named parts: tokens, properties, attributes or cells.
///
/// A record keeps the parts that no field can reproduce. The writer writes such a part unchanged as
/// long as its meaning is still the value of the field.
protocol PartFormat: FileFormat {
  typealias Part = TaskRecord.Part

  /// The options; their time zone is that of the task.
  var options: FormatOptions { get set }
  static var format: TaskFormat { get }
  /// How exactly times of creation and completion are kept.
  var precision: TimePrecision { get }
  /// The names of the parts that fields are written as, or read from.
  static var fieldNames: Set<String> { get }
  /// Names that belong together, such as a date and its zone: all of them are kept verbatim, or
  /// none.
  static var linkedNames: [Set<String>] { get }

  /// Reads a task from parts; `report` is called for each part that is left out.
  ///
  /// - Throws: `IssueText` where the parts are not a task.
  func interpret(_ parts: [Part], report: Report) throws -> TaskRecord
  /// The parts that the fields of a record are written as.
  func canonicalParts(of record: TaskRecord) -> [Part]
}

extension PartFormat {
  static var linkedNames: [Set<String>] { [] }
  var precision: TimePrecision { .seconds }
  var timeZone: TimeZone { options.timeZone }

  /// Makes a record of parts; the parts that no field can reproduce are in `unknown`, by name.
  func record(of parts: [Part], report: Report) throws -> TaskRecord {
    var record = try interpret(parts, report: report)
    let canonical = Dictionary(grouping: canonicalParts(of: record), by: \.name)
    var kept: Set<String> = []
    let named = Dictionary(grouping: parts, by: \.name)
    for (name, source) in named {
      let written = canonical[name] ?? []
      let isSame =
        written.count == source.count && zip(written, source).allSatisfy { $0.isSame(as: $1) }
      if !isSame { kept.formUnion(Self.linked(to: name)) }
    }
    if kept.isEmpty { return record }
    // Files of other programs have them in any order, and ours must not differ from it.
    record.unknown = kept.sorted().flatMap { named[$0] ?? [] }
    record.source = Self.format
    return record
  }

  /// The parts to write for a record, and the fields that they do not say.
  func parts(of record: TaskRecord) -> (parts: [Part], lost: [TaskField]) {
    let canonical = canonicalParts(of: record)
    // Only the format that wrote the parts which the record keeps verbatim understands them.
    if record.unknown.isEmpty || record.source != Self.format {
      let lost = lost(of: record, in: canonical)
      return (canonical, record.unknown.isEmpty ? lost : lost + [.unknown])
    }
    let further = record.unknown.filter { !Self.fieldNames.contains($0.name) }
    let verbatim = record.unknown.filter { Self.fieldNames.contains($0.name) }
    func combined(_ names: Set<String>) -> [Part] {
      canonical.filter { !names.contains($0.name) } + verbatim.filter { names.contains($0.name) }
        + further
    }

    let plainLost = Set(lost(of: record, in: combined([])))
    let all = verbatim.reduce(into: Set()) { $0.formUnion(Self.linked(to: $1.name)) }
    let wholeLost = lost(of: record, in: combined(all))
    if plainLost.isSuperset(of: wholeLost) { return (combined(all), wholeLost) }
    // Some field was changed: each verbatim part is taken that still says the same.
    var taken: Set<String> = []
    var best = plainLost
    for name in all.sorted() where !taken.contains(name) {
      let next = taken.union(Self.linked(to: name))
      let nextLost = lost(of: record, in: combined(next))
      if best.isSuperset(of: nextLost) {
        taken = next
        best = Set(nextLost)
      }
    }
    let parts = combined(taken)
    return (parts, lost(of: record, in: parts))
  }

  /// The format in the time zone of a record, where it has one.
  func inZone(of record: TaskRecord) -> Self {
    var format = self
    format.options.timeZone = record.timeZone(of: timeZone)
    return format
  }

  /// The parts to write for a record, with a warning for each field that they do not say.
  func parts(of record: TaskRecord, row: Int, _ output: inout TaskOutput) -> [Part] {
    let (parts, lost) = inZone(of: record).parts(of: record)
    output.warn(lost, row: row, format: Self.format)
    return parts
  }

  /// The names that say something together with a name, and the name itself.
  private static func linked(to name: String) -> Set<String> {
    linkedNames.first { $0.contains(name) } ?? [name]
  }

  private func lost(of record: TaskRecord, in parts: [Part]) -> [TaskField] {
    do {
      let read = try interpret(parts, report: Report())
      return record.differences(from: read, precision: precision)
    } catch {
      // A reader would refuse the row: nothing of it arrives.
      return [.title]
    }
  }
}

extension [TaskRecord.Part] {
  /// Adds a part of a name; nothing without a text.
  mutating func add(_ name: String, _ text: String?) {
    if let text, !text.isEmpty { append(TaskRecord.Part(name, text)) }
  }
}

extension [TaskPriority: String] {
  /// The priority that a format writes as a text; `none` is reported for an unknown one.
  func priority(of text: String, _ report: Report) -> TaskPriority {
    if let known = first(where: { $0.value == text }) { return known.key }
    report(.priority, .unknownPriority(text))
    return .none
  }
}
