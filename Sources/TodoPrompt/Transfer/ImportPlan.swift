import CroftFoundation
import Presentation
import TodoFormats
import TodoKit

/// The changes that an import of a file makes, before any of them is made.
///
/// A task that no earlier import has brought is added. Of a task that is known, the fields that the
/// file has changed since the last import are changed. A change that was made here stays.
struct ImportPlan {
  private(set) var groups: [TodoGroup] = []
  private(set) var added: [TodoItem] = []
  private(set) var edits: [ItemEdit] = []
  /// How many tasks of the file change nothing.
  private(set) var unchangedCount = 0
  /// The items that keep values which were changed here since the file was written, by row.
  private(set) var laterChanges: [TaskIssue] = []
  /// How many rows of the file were left out: they cannot be read, or an earlier one has their id.
  private(set) var skippedCount: Int
  /// What was left out, by row.
  private(set) var issues: [TaskIssue] = []

  private let source: ImportSource
  private var keys: ImportKey
  private var groupIDs: [String: UUID] = [:]

  /// Compares the tasks of a file with all items.
  ///
  /// An item that was imported where clocks show something else is compared with the file as it is read
  /// there: a moment is the same one wherever it is read.
  ///
  /// - Complexity: O(*n* + *m*) for *n* tasks and *m* items.
  init(of source: ImportSource) throws {
    self.source = source
    let file = source.file
    skippedCount = file.errors.count
    keys = ImportKey(source.format, taken: Set(source.items.compactMap(\.foreignID)))
    for group in source.groups { groupIDs[group.name] = group.id }
    for group in file.groups { add(group) }
    let matches = try ImportMatches(of: source)
    for (index, row) in file.rows.enumerated() {
      if matches.repeated.contains(index) {
        skippedCount += 1
        issues.append(
          TaskIssue(
            .warning, row: row, "An earlier task has the same id: this one is left out.",
            "앞의 할일과 id가 같아 이 할일은 뺍니다."))
      } else if let item = matches.items[index] {
        try change(item, by: index, row: row)
      } else {
        try add(source.record(index, in: source.options.timeZone), row: row)
      }
    }
  }

  /// The action that makes the changes.
  var action: TodoAction { .importItems(groups: groups, items: added, edits: edits) }

  var isEmpty: Bool { added.isEmpty && edits.isEmpty && groups.isEmpty }

  /// Changes what the file has changed since the last import, and what an export would not say.
  private mutating func change(_ old: TodoItem, by index: Int, row: Int) throws {
    let zone = source.options.timeZone
    let kept = try source.kept(old)
    let keptZone = kept?.timeZone(of: zone) ?? zone
    // An earlier version may have left out what this one understands.
    let isUnderstood = kept.map { $0.readerVersion == RecordFields.version } ?? true
    let now = kept.map { source.record(index, in: keptZone, after: $0) }
    if let kept, isUnderstood, now?.comparable == kept.comparable {
      unchangedCount += 1
      return
    }
    let exported = try source.exported(old)
    let here = source.record(index, in: zone, after: exported)
    if isUnderstood, exported.comparable == here.comparable {
      unchangedCount += 1
      return
    }
    // A field is changed if the file says neither its last value nor the value that it has here.
    var readings = [(old: RecordFields(exported, in: zone), new: RecordFields(here, in: zone))]
    if let kept, let now {
      let then = RecordFields(kept, in: keptZone)
      if !isUnderstood {
        var reread = kept.reread(in: keptZone)
        reread.readerVersion = RecordFields.version
        let item = RecordFields(old, group: old.groupID.flatMap { source.groupName($0) })
        readings[0].old = readings[0].old.taking(
          from: item, where: then, differsFrom: RecordFields(reread, in: keptZone))
      }
      readings.append((then, RecordFields(now, in: keptZone)))
    }
    let fields = RecordFields(source.record(index, in: keptZone, after: exported), in: keptZone)
    let past = try source.pastRecords(of: old).map { state in
      let now = source.record(index, in: zone, after: state)
      return (old: RecordFields(state, in: zone), new: RecordFields(now, in: zone))
    }
    var new = old
    let fieldsKept = fields.apply(to: &new, where: readings, past: past) { groupID(of: $0) }
    if !fieldsKept.isEmpty {
      let english = fieldsKept.map(\.words.english).joined(separator: ", ")
      let korean = fieldsKept.map(\.words.korean).joined(separator: ", ")
      let title = old.title.visible
      laterChanges.append(
        TaskIssue(
          .warning, row: row,
          "\"\(title)\" keeps what was changed here after the file was written: \(english).",
          "\"\(title)\": 파일을 쓴 뒤에 여기서 바꾼 것은 그대로 둡니다: \(korean)."))
    }
    if let kept, var now {
      // Our own files give items our ids, which are not those of the file that they came from.
      now.foreignID = kept.foreignID
      var same = kept
      same.readerVersion = now.readerVersion
      if now != same || new != old { new.foreignRecord = try Self.bytes(of: now) }
    }
    let edit = ItemEdit(from: old, to: new)
    if edit.patch == ItemPatch() { unchangedCount += 1 } else { edits.append(edit) }
  }

  private mutating func add(_ record: TaskRecord, row: Int) throws {
    let fields = RecordFields(record, in: source.options.timeZone)
    var item = fields.item
    // Our own files bring items back under their ids.
    if let id = record.foreignID.flatMap({ UUID(uuidString: $0) }),
      [.json, .ndjson, .csv].contains(source.format)
    {
      item.id = id
    }
    item.createdAt = record.createdAt ?? source.options.now
    // A phrase says from when on; the rules of other programs leave a task undated.
    let isPhrase = item.dueTime != nil || [.todoist, .markdown].contains(source.format)
    if let rule = item.repeats, item.due == nil, isPhrase {
      let zone = source.options.timeZone
      item.due = rule.first(from: CalendarDay(source.options.now, in: zone))
    }
    if let repetition = record.repeats, !item.isDone, RepeatRule(repetition) == nil {
      issues.append(
        TaskIssue(
          .warning, row: row, field: .repeats,
          "The recurrence \"\(repetition.text)\" is kept, but the item does not repeat here.",
          "반복 \(repetition.text.inQuotes(.topic)) 그대로 두지만 여기서는 반복되지 않습니다."))
    }
    item.groupID = fields.group.map { groupID(of: $0) }
    item.foreignID = keys.next(for: record)
    item.foreignRecord = try Self.bytes(of: record)
    added.append(item)
  }

  /// Makes a group with its colour and picture where there is none of its name.
  private mutating func add(_ record: TaskGroup) {
    let typed = record.name.trimmed
    let name = RecordFields.groupName(typed)
    if typed.isEmpty || groupIDs[name] != nil { return }
    var group = TodoGroup(name: name, color: record.color.flatMap { RGBA($0) } ?? .randomDark())
    if let id = record.id.flatMap({ UUID(uuidString: $0) }), !groupIDs.values.contains(id) {
      group.id = id
    }
    group.createdAt = record.createdAt ?? source.options.now
    if let image = record.image {
      group.image = GroupImage(bytes: image.bytes, mimeType: image.mimeType)
      // A drawing can contain scripts: only our own are taken.
      let isKnown =
        ImageKind(of: image.bytes)?.rawValue == image.mimeType
        || group.image == PlaceholderImages().image(for: group.id)
      if !isKnown {
        group.image = nil
        issues.append(
          TaskIssue(
            .warning, row: nil,
            "The picture of the group \(name) is not a PNG, JPEG, GIF or WebP and is left out.",
            "\(name) 그룹의 그림이 PNG, JPEG, GIF, WebP가 아니어서 뺍니다."))
      }
    }
    groups.append(group)
    groupIDs[name] = group.id
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
    return group.id
  }
}
