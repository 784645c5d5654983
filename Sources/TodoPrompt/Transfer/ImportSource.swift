import CroftFoundation
import Presentation
import TodoFormats
import TodoKit

/// A file that is imported, and what a file of its format says of the items that are stored.
///
/// Everything is read when it is asked for, and kept: most imports ask for little of it.
final class ImportSource {
  let file: TaskFile
  let format: TaskFormat
  let options: FormatOptions
  /// The items that are stored, in their order, which is that of an export.
  let items: [TodoItem]
  let groups: [TodoGroup]
  private let data: Data
  private let repository: any TodoRepository
  /// When the file was written; nil for one of unknown age.
  private let writtenAt: Date?
  private let groupNames: [UUID: String]

  /// The tasks of the file, by the name of the time zone in which it is read.
  private var readings: [String: [TaskRecord]]
  private var keptRecords: [UUID: TaskRecord?] = [:]
  private var exportedRecords: [UUID: TaskRecord] = [:]
  private var levels: [UUID: Int]?
  private var states: [UUID: [TodoItem]]?

  init(
    _ file: TaskFile, of data: Data, in format: TaskFormat, _ options: FormatOptions,
    writtenAt: Date?, repository: any TodoRepository
  ) throws {
    (self.file, self.data, self.format, self.options) = (file, data, format, options)
    (self.writtenAt, self.repository) = (writtenAt, repository)
    items = try repository.items(.all)
    groups = try repository.groups().map(\.group)
    groupNames = Dictionary(groups.map { ($0.id, $0.name) }) { $1 }
    readings = [options.timeZone.identifier: file.records]
  }

  var omissions: [Omissions] { file.omissions }

  /// The tasks of the file as they are read in a time zone.
  func records(in zone: TimeZone) -> [TaskRecord] {
    let name = zone.identifier
    if let records = readings[name] { return records }
    var options = options
    options.timeZone = zone
    let records = format.importedFile(data, options).records
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

  func groupName(_ id: UUID) -> String? { groupNames[id] }

  /// The record of an item in the file of this format from which it was imported last.
  func kept(_ item: TodoItem) throws -> TaskRecord? {
    if let kept = keptRecords[item.id] { return kept }
    let isOfFormat = ImportKey.format(of: item.foreignID) == format
    let kept = isOfFormat ? try item.record() : nil
    keptRecords[item.id] = .some(kept)
    return kept
  }

  /// The record that a reader finds in an export of an item.
  func exported(_ item: TodoItem) throws -> TaskRecord {
    if let exported = exportedRecords[item.id] { return exported }
    let exported = try export(item)
    exportedRecords[item.id] = exported
    return exported
  }

  /// The records of the states that an item had since the file was written.
  func pastRecords(of item: TodoItem) throws -> [TaskRecord] {
    let all = try states ?? writtenAt.map { try repository.itemStates(since: $0) } ?? [:]
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

extension TaskFormat {
  /// Reads a file; a task whose title has no visible character, which no item may have, is an error.
  func importedFile(_ data: Data, _ options: FormatOptions) -> TaskFile {
    var file = read(data, options)
    let title = Validator<String, String>.title
    let kept = file.records.indices.filter { index in
      guard case .invalid = title.validate(file.records[index].title) else { return true }
      let text = IssueText("The title has no visible character.", "제목에 보이는 글자가 없습니다.")
      file.issues.append(TaskIssue(.error, row: file.rows[index], field: .title, text))
      return false
    }
    file.records = kept.map { file.records[$0] }
    file.rows = kept.map { file.rows[$0] }
    file.omissions = kept.map { file.omissions[$0] }
    return file
  }
}
