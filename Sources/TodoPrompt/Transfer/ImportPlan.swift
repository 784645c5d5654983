import TodoFormats
import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an import of a file would change, before anything is changed.
///
/// A task that no earlier import has brought is added. Of one that is known, what the file says
/// otherwise than last time is changed; what was changed here and not in the file stays.
struct ImportPlan {
  private(set) var groups: [TodoGroup] = []
  private(set) var added: [TodoItem] = []
  private(set) var edits: [ItemEdit] = []
  /// How many tasks of the file are as they were.
  private(set) var unchangedCount = 0
  /// How many tasks of the file were left out, because an earlier one has the same id.
  private(set) var skippedCount = 0
  /// What was left out, by row.
  private(set) var issues: [TaskIssue] = []

  private let format: TaskFormat
  private var known: [String: TodoItem] = [:]
  private var own: [UUID: TodoItem] = [:]
  private var groupIDs: [String: UUID] = [:]
  private var groupNames: [UUID: String] = [:]
  private let options: FormatOptions
  private let reread: (TimeZone) -> [TaskRecord]
  /// The file as it is read in other time zones.
  private var readings: [String: [TaskRecord]] = [:]

  /// Compares the tasks of a file with all items.
  ///
  /// An item that was imported where clocks show something else is compared with the file as it is read
  /// there: a moment is the same one wherever it is read.
  ///
  /// - Parameter reread: Reads the tasks of the file in another time zone.
  /// - Throws: `DecodingError` where a later version has written what is kept of an item.
  /// - Complexity: O(*n* + *m*) for *n* tasks and *m* items.
  init(
    of file: TaskReader.File, by reader: TaskReader, items: [TodoItem], groups: [TodoGroup],
    reread: @escaping (TimeZone) -> [TaskRecord]
  ) throws {
    self.reread = reread
    format = reader.format
    options = reader.options
    for item in items {
      if let key = item.foreignID { known[key] = item }
      own[item.id] = item
    }
    for group in groups {
      groupIDs[group.name] = group.id
      groupNames[group.id] = group.name
    }
    var keys = ImportKey(format)
    var seen: Set<String> = []
    for (index, (record, row)) in zip(file.records, file.rows).enumerated() {
      let key = keys.next(for: record)
      guard seen.insert(key).inserted else {
        skippedCount += 1
        issues.append(
          TaskIssue(.warning, row: row, "An earlier task has the same id: this one is left out."))
        continue
      }
      try take(record, at: index, key: key)
    }
  }

  /// The action that makes the changes.
  var action: TodoAction { .importItems(groups: groups, items: added, edits: edits) }

  /// Whether nothing has to change.
  var isEmpty: Bool { added.isEmpty && edits.isEmpty }

  private mutating func take(_ record: TaskRecord, at index: Int, key: String) throws {
    var record = record
    record.readingZone = options.timeZone.identifier
    var fields = RecordFields(record, in: options.timeZone)
    let ownID = record.foreignID.flatMap { UUID(uuidString: $0) }
    let old: TodoItem
    var new: TodoItem
    if let item = known[key] {
      (old, new) = (item, item)
      let known = try old.record()
      let zone = known?.timeZone(of: options.timeZone) ?? options.timeZone
      record = self.record(record, at: index, in: zone)
      fields = RecordFields(record, in: zone)
      let last = known.map { RecordFields($0, in: zone) } ?? fields
      fields.apply(to: &new, since: last) { groupID(of: $0) }
      new.foreignRecord = try Self.bytes(of: record, else: old)
    } else if let item = ownID.flatMap({ own[$0] }) {
      (old, new) = (item, item)
      fields.apply(to: &new, since: try fieldsInFile(of: old)) { groupID(of: $0) }
    } else {
      return try add(record, fields, key: key, ownID: ownID)
    }
    let edit = ItemEdit(from: old, to: new)
    if edit.patch == ItemPatch() { unchangedCount += 1 } else { edits.append(edit) }
  }

  /// A task of the file as it is read in a time zone.
  private mutating func record(
    _ record: TaskRecord, at index: Int, in zone: TimeZone
  ) -> TaskRecord {
    let name = zone.identifier
    if name == options.timeZone.identifier { return record }
    let records = readings[name] ?? reread(zone)
    readings[name] = records
    guard records.indices.contains(index) else { return record }
    var other = records[index]
    other.readingZone = name
    return other
  }

  /// What a file of the format would say of an item: what it cannot say is no change.
  private func fieldsInFile(of item: TodoItem) throws -> RecordFields {
    let group = item.groupID.flatMap { groupNames[$0] }
    let record = try item.record(group: group, for: format, in: options.timeZone)
    let text = TaskWriter(format, options: options).write([record]).text
    let read = TaskReader(format, options: options).read(Data(text.utf8)).records.first
    return RecordFields(read ?? record, in: options.timeZone)
  }

  private mutating func add(
    _ record: TaskRecord, _ fields: RecordFields, key: String, ownID: UUID?
  ) throws {
    var item = TodoItem(title: fields.title, priority: fields.priority)
    // Our own files bring items back under their ids.
    if let ownID, [.json, .ndjson, .csv].contains(format) { item.id = ownID }
    item.note = fields.note
    item.isDone = fields.isDone
    item.isImportant = fields.isImportant
    item.createdAt = record.createdAt ?? options.now
    item.doneAt = fields.doneAt
    (item.due, item.dueTime, item.repeats) = (fields.due, fields.dueTime, fields.repeats)
    item.tags = fields.tags
    item.groupID = fields.group.map { groupID(of: $0) }
    item.foreignID = key
    item.foreignRecord = try Self.bytes(of: record)
    added.append(item)
  }

  /// The bytes of a record; those that are kept where they say the same.
  private static func bytes(of record: TaskRecord, else item: TodoItem) throws -> Data? {
    try item.record() == record ? item.foreignRecord : bytes(of: record)
  }

  private static func bytes(of record: TaskRecord) throws -> Data {
    try JSONEncoder().encode(record)
  }

  /// The id of the group of a name, which is made where there is none.
  private mutating func groupID(of name: String) -> UUID {
    if let id = groupIDs[name] { return id }
    let group = TodoGroup(name: name, color: .randomDark())
    groups.append(group)
    groupIDs[name] = group.id
    groupNames[group.id] = name
    return group.id
  }
}
