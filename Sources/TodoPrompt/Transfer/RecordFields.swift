import CroftFoundation
import Presentation
import TodoFormats
import TodoKit

/// The fields of an item as a record of a file has them, so that two can be compared.
struct RecordFields {
  /// The item with these fields; day and time are on the reader's calendar and clock.
  private(set) var item: TodoItem
  private(set) var group: String?

  /// The version of what is understood of a record, to be raised with each field or rule that is new.
  ///
  /// Records that a store keeps have the version that made items of them: a field that it did not
  /// understand is empty in the item, although nobody has cleared it.
  static let version = 2

  /// Reads the fields of a record as the version that kept it did; a cancelled task counts as done.
  ///
  /// - Parameter zone: The time zone of the reader.
  init(_ record: TaskRecord, in zone: TimeZone) {
    item = TodoItem(title: record.title.trimmed, priority: Priority(record.priority))
    item.note = record.notes.map(\.text).joined(separator: "\n")
    item.isDone = record.isDone || record.isCancelled
    item.isImportant = record.isImportant
    item.doneAt = item.isDone ? record.doneAt : nil
    let date = record.due.map { $0.local(in: zone) }
    item.due = date.flatMap { CalendarDay($0) }
    item.dueTime = date?.time.flatMap { TimeOfDay(hour: $0.hour, minute: $0.minute) }
    // A completed item has passed its rule on; of an instance the other program makes the next one.
    let isInstance =
      record.source == .taskwarrior && record.unknown.contains { $0.name == "parent" }
    let version = record.readerVersion
    item.repeats =
      item.isDone || isInstance
      ? nil : record.repeats.flatMap { RepeatRule($0, version: version) }
    if item.repeats != nil { item.dueTime = item.dueTime ?? record.repeats?.timeOfDay }
    if !item.isDone, let day = item.due {
      (item.due, item.repeats) = Self.occurrence(of: record, from: day, item.repeats, zone)
      if item.due == nil { item.dueTime = nil }
    }
    item.hiddenUntil =
      version == nil ? nil : record.wait.flatMap { CalendarDay($0.local(in: zone)) }
    item.estimate = record.estimate.flatMap { Estimate(words: $0) }
    item.tags = record.tags.filter { !$0.isBlank }.map(\.trimmed).unique
    group = record.group.map(\.trimmed).flatMap { $0.isEmpty ? nil : Self.groupName($0) }
  }

  /// The first occurrence of a recurrence that is not a task of its own in the file.
  ///
  /// - Returns: Its day, and the rule that continues from it; no day where the rule is not ours.
  private static func occurrence(
    of record: TaskRecord, from day: CalendarDay, _ rule: RepeatRule?, _ zone: TimeZone
  ) -> (CalendarDay?, RepeatRule?) {
    // The file names the occurrences by the days on which they begin.
    let start = record.start.flatMap { CalendarDay($0.local(in: zone)) }
    let days = (record.otherOccurrences ?? []).compactMap { CalendarDay($0.local(in: zone)) }
    let isPattern = record.source == .taskwarrior
    let offset = isPattern ? 0 : day.number - (start ?? day).number
    let others = Set(days.compactMap { $0.adding(days: offset) })
    // Taskwarrior drops old instances, so the pattern continues after the last one that is left.
    guard let last = others.max(), isPattern || others.contains(day) else { return (day, rule) }
    var next = (day: day, rule: rule)
    while next.day <= last, isPattern || others.contains(next.day) {
      guard let rule = next.rule, let after = rule.next(after: next.day, today: next.day)
      else { return (nil, next.rule) }
      next = (after.day, after.rule)
    }
    return (next.day, next.rule)
  }

  /// The name of our group: a name of a built-in list is numbered.
  static func groupName(_ name: String) -> String {
    GroupName.candidates(for: name).first { !GroupName.isReserved($0) } ?? name
  }

  init(_ item: TodoItem, group: String?) { (self.item, self.group) = (item, group) }

  /// A property of an item that a record has too.
  private struct Property {
    let field: TaskField
    let agrees: (TodoItem, TodoItem) -> Bool
    let copy: (_ old: TodoItem, _ new: inout TodoItem) -> Void

    init<Value: Equatable>(_ property: WritableKeyPath<TodoItem, Value>, _ field: TaskField) {
      self.field = field
      agrees = { $0[keyPath: property] == $1[keyPath: property] }
      copy = { old, new in new[keyPath: property] = old[keyPath: property] }
    }
  }

  /// The properties, in the order in which they are told; those of one row change together.
  private static var properties: [[Property]] {
    [
      [Property(\.title, .title)], [Property(\.note, .notes)], [Property(\.priority, .priority)],
      [Property(\.isImportant, .isImportant)],
      [Property(\.isDone, .isDone), Property(\.doneAt, .doneAt)],
      [Property(\.due, .due), Property(\.dueTime, .dueTime)], [Property(\.repeats, .repeats)],
      [Property(\.hiddenUntil, .wait)], [Property(\.estimate, .estimate)],
      [Property(\.tags, .tags)],
    ]
  }

  /// The fields with those of an item that two readings of its record do not agree on.
  ///
  /// - Parameters:
  ///   - item: The fields that the item has.
  ///   - then: The record as an earlier version has understood it.
  ///   - now: The record as this version understands it.
  func taking(
    from item: RecordFields, where then: RecordFields, differsFrom now: RecordFields
  ) -> RecordFields {
    var fields = self
    for property in Self.properties.joined() where !property.agrees(then.item, now.item) {
      property.copy(item.item, &fields.item)
    }
    if then.group != now.group { fields.group = item.group }
    return fields
  }

  /// An older and the present state of a file.
  typealias Reading = (old: RecordFields, new: RecordFields)

  /// Sets the fields of an item that a file has changed.
  ///
  /// - Parameters:
  ///   - readings: A field is changed if it differs in all of them.
  ///   - past: Readings whose older states are those that the item had since the file was written. A
  ///     field that agrees in one of them was changed here since then, and stays.
  ///   - groupID: The id of the group of a name.
  /// - Returns: The fields that stay because they were changed here since the file was written.
  func apply(
    to item: inout TodoItem, where readings: [Reading], past: [Reading],
    groupID: (String) -> UUID
  ) -> [TaskField] {
    var kept: [TaskField] = []
    func isChanged(_ field: TaskField, _ agrees: (RecordFields, RecordFields) -> Bool) -> Bool {
      if readings.contains(where: agrees) { return false }
      if !past.contains(where: agrees) { return true }
      kept.append(field)
      return false
    }
    for row in Self.properties {
      let isRowChanged = row.contains { property in
        isChanged(property.field) { property.agrees($0.item, $1.item) }
      }
      if isRowChanged { for property in row { property.copy(self.item, &item) } }
    }
    if isChanged(.group, { $0.group == $1.group }) { item.groupID = group.map(groupID) }
    return kept
  }

  /// Applies the fields that differ from those of a record that was kept to a record.
  ///
  /// - Parameter zone: The time zone of the reader. The kept record is compared in the zone in
  ///   which the item got its day and time.
  func apply(
    to record: inout TaskRecord, since kept: TaskRecord, for format: TaskFormat, in zone: TimeZone
  ) {
    let readingZone = kept.timeZone(of: zone)
    let said = RecordFields(kept, in: readingZone)
    // A clock of another zone than the record's is named where a format tells moments.
    let isForeign = readingZone.identifier != zone.identifier
    let name = isForeign && [.taskwarrior, .vtodo].contains(format) ? zone.identifier : nil
    let (new, old) = (item, said.item)
    if new.title != old.title { record.title = new.title }
    if new.note != old.note { record.notes = new.note.isEmpty ? [] : [TaskNote(new.note)] }
    if new.priority != old.priority { record.priority = TaskPriority(new.priority) }
    if new.isImportant != old.isImportant { record.isImportant = new.isImportant }
    if new.isDone != old.isDone {
      (record.isDone, record.isCancelled) = (new.isDone, false)
      record.doneAt = new.doneAt
    } else if new.isDone, new.doneAt != old.doneAt {
      record.doneAt = new.doneAt
    }
    // A recurrence in the words of another format is written in those of this one.
    let hasOtherWords =
      new.repeats != nil && format.repeatKind.map { $0 != record.repeats?.kind } ?? false
    // Taskwarrior refuses a file in which an instance of a recurrence has lost it.
    if new.repeats != old.repeats || hasOtherWords, !(new.isDone && format == .taskwarrior) {
      record.repeats = new.repeats.map { $0.repetition(for: format) }
    }
    let losesTime = hasOtherWords && record.due?.time == nil && new.dueTime != nil
    let losesOccurrences = record.otherOccurrences != kept.otherOccurrences
    if new.due != old.due || new.dueTime != old.dueTime || losesTime || losesOccurrences {
      // A recurrence such as `every monday at 9am` says the time itself.
      let time =
        new.dueTime == record.repeats?.timeOfDay
        ? nil : new.dueTime.flatMap { TaskDate.Time(hour: $0.hour, minute: $0.minute) }
      record.due = new.due.flatMap {
        TaskDate(year: $0.year, month: $0.month, day: $0.day, time: time, zone: name)
      }
    }
    if new.hiddenUntil != old.hiddenUntil {
      record.wait = new.hiddenUntil.flatMap {
        TaskDate(year: $0.year, month: $0.month, day: $0.day)
      }
    }
    if new.estimate != old.estimate { record.estimate = new.estimate?.description }
    if new.tags != old.tags { record.tags = new.tags }
    if group != said.group { record.group = group }
  }
}

extension Priority {
  fileprivate init(_ priority: TaskPriority) { self = Self(word: priority.rawValue) ?? .none }
}

extension TaskPriority {
  fileprivate init(_ priority: Priority) {
    self = Self(rawValue: priority.word(in: .english)) ?? .none
  }
}

extension TodoItem {
  /// What the file that it came from said of it; nil for an item of our own.
  ///
  /// - Throws: `DecodingError` where a later version has written it.
  func record() throws -> TaskRecord? {
    guard let foreignRecord else { return nil }
    return try JSONDecoder().decode(TaskRecord.self, from: foreignRecord)
  }

  /// The record of the item for a file: what its own file said, with what has changed since.
  ///
  /// - Parameters:
  ///   - group: The name of the item's group.
  ///   - format: The format of the file; an id from a file of another format is replaced by the
  ///     item's own.
  ///   - zone: The time zone of the reader, for times that a file tells in another one.
  func record(
    group: String?, for format: TaskFormat, in zone: TimeZone
  ) throws -> TaskRecord {
    guard let kept = try self.record() else {
      return ownRecord(group: group, for: format, in: zone)
    }
    var record = kept.readerVersion == RecordFields.version ? kept : kept.reread(in: zone)
    // Our own JSON always has our ids, by which commands name items.
    let isOwn = [.json, .ndjson].contains(format)
    let isOther = ImportKey.format(of: foreignID) != format
    if isOwn || isOther { record.foreignID = ownID }
    // Other formats cannot say which occurrences are tasks of their own, so the next one is due.
    if !isOwn, isOther { (record.occurrence, record.otherOccurrences) = (nil, nil) }
    RecordFields(self, group: group).apply(to: &record, since: kept, for: format, in: zone)
    return record
  }

  /// The record of what the item says itself, as lists print it in JSON.
  func ownRecord(group: String?) -> TaskRecord { ownRecord(group: group, for: .json, in: .gmt) }

  private func ownRecord(group: String?, for format: TaskFormat, in zone: TimeZone) -> TaskRecord {
    let bare = TaskRecord(title: title)
    var record = bare
    record.foreignID = ownID
    record.createdAt = createdAt
    RecordFields(self, group: group).apply(to: &record, since: bare, for: format, in: zone)
    return record
  }

  private var ownID: String { id.uuidString.lowercased() }
}

extension TaskGroup {
  init(_ group: TodoGroup, tally: Tally) {
    self.init(name: group.name)
    id = group.id.uuidString.lowercased()
    color = group.color.description
    (total, done) = (tally.total, tally.done)
    createdAt = group.createdAt
    image = group.image.map { Image(mimeType: $0.mimeType, bytes: $0.bytes) }
  }
}

extension CalendarDay {
  fileprivate init?(_ date: TaskDate) {
    self.init(year: date.year, month: date.month, day: date.day)
  }
}

extension TaskDate {
  /// What calendar and clock of a reader show at a time that is told in another time zone.
  fileprivate func local(in zone: TimeZone) -> TaskDate {
    guard time != nil, let other = self.zone.flatMap({ TimeZone(identifier: $0) }) else {
      return self
    }
    var date = TaskDate(moment(in: other), in: zone)
    date.time = date.time ?? Time(hour: 0, minute: 0)
    return date
  }
}
