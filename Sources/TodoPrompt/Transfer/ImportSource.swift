import CroftFoundation
import TodoFormats
import TodoKit

/// A file that is imported, and what a file of its format says of the items that are stored.
///
/// Everything is read when it is asked for, and kept: most imports ask for little of it.
final class ImportSource {
  let format: TaskFormat
  let options: FormatOptions
  /// What the file leaves out of each task.
  let omissions: [Omissions]
  private let reread: (TimeZone) -> [TaskRecord]
  /// The items, in their order, which is that of an export.
  private let items: [TodoItem]
  private let groupNames: [UUID: String]

  /// The tasks of the file, by the name of the time zone in which it is read.
  private var readings: [String: [TaskRecord]]
  private var keptRecords: [UUID: TaskRecord?] = [:]
  private var exportedRecords: [UUID: TaskRecord] = [:]
  private var levels: [UUID: Int]?
  private let readStates: () throws -> [UUID: [TodoItem]]
  private var states: [UUID: [TodoItem]]?

  /// - Parameters:
  ///   - states: Reads the states that items had since the file was written.
  ///   - reread: Reads the tasks of the file in another time zone.
  init(
    _ file: TaskFile, format: TaskFormat, options: FormatOptions, items: [TodoItem],
    groups: [TodoGroup], states: @escaping () throws -> [UUID: [TodoItem]],
    reread: @escaping (TimeZone) -> [TaskRecord]
  ) {
    readStates = states
    self.format = format
    self.options = options
    self.items = items
    self.reread = reread
    omissions = file.omissions
    groupNames = Dictionary(groups.map { ($0.id, $0.name) }) { $1 }
    readings = [options.timeZone.identifier: file.records]
  }

  /// The tasks of the file as they are read in a time zone.
  func records(in zone: TimeZone) -> [TaskRecord] {
    let name = zone.identifier
    if let records = readings[name] { return records }
    let records = reread(zone)
    readings[name] = records
    return records
  }

  /// A task of the file as it is read in a time zone.
  func record(_ index: Int, in zone: TimeZone) -> TaskRecord {
    let records = records(in: zone)
    var record =
      records.indices.contains(index) ? records[index] : self.records(in: options.timeZone)[index]
    record.readingZone = zone.identifier
    record.readerVersion = RecordFields.version
    return record
  }

  /// A task of the file as it is read in a time zone, with what the file leaves out as an earlier
  /// record of it says.
  func record(_ index: Int, in zone: TimeZone, after earlier: TaskRecord) -> TaskRecord {
    record(index, in: zone).completed(by: earlier, omissions[index])
  }

  /// The name of a group of the items.
  func groupName(_ id: UUID) -> String? { groupNames[id] }

  /// The record of an item in the file of this format from which it was imported last.
  ///
  /// - Returns: The record; nil for an item that comes from elsewhere.
  /// - Throws: `DecodingError` where a later version has written it.
  func kept(_ item: TodoItem) throws -> TaskRecord? {
    if let kept = keptRecords[item.id] { return kept }
    let isOfFormat = ImportKey.format(of: item.foreignID) == format
    let kept = isOfFormat ? try item.record() : nil
    keptRecords[item.id] = .some(kept)
    return kept
  }

  /// The record that a reader finds in an export of an item.
  ///
  /// - Throws: `DecodingError` where a later version has written the kept record.
  func exported(_ item: TodoItem) throws -> TaskRecord {
    if let exported = exportedRecords[item.id] { return exported }
    let exported = try export(item)
    exportedRecords[item.id] = exported
    return exported
  }

  /// The records of the states that an item had since the file was written.
  ///
  /// - Throws: What reading the history throws.
  func pastRecords(of item: TodoItem) throws -> [TaskRecord] {
    let all = try states ?? readStates()
    states = all
    return try (all[item.id] ?? []).map(export)
  }

  private func export(_ item: TodoItem) throws -> TaskRecord {
    let group = item.groupID.flatMap { groupNames[$0] }
    var record = try item.record(group: group, for: format, in: options.timeZone)
    if let level = try level(of: item) { record.level = level }
    let level = record.level
    let text = format.write([record], options).text
    let read = format.read(Data(text.utf8), options).records.first
    // An item that the format leaves out is compared with itself.
    var exported = read ?? record
    exported.readingZone = options.timeZone.identifier
    exported.readerVersion = RecordFields.version
    // A task alone in its file is below no other one, and its occurrences are not beside it.
    exported.otherOccurrences = record.otherOccurrences
    if format == .markdown { exported.level = level }
    return exported
  }

  /// How deep Markdown nests an item: no deeper than below the one before it in its group.
  private func level(of item: TodoItem) throws -> Int? {
    guard format == .markdown else { return nil }
    if let levels { return levels[item.id] }
    var levels: [UUID: Int] = [:]
    var last: [UUID?: Int] = [:]
    for item in items {
      let level = min(try item.record()?.level ?? 0, (last[item.groupID] ?? -1) + 1)
      last[item.groupID] = level
      levels[item.id] = level
    }
    self.levels = levels
    return levels[item.id]
  }
}
