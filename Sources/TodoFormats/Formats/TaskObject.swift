import TerminalText

/// A task as an object of our JSON: the one writer and reader for lists, exports and imports.
package enum TaskObject {
  /// The object of a task, on one line.
  ///
  /// - Parameters:
  ///   - record: The task.
  ///   - number: Its position in the last list; nil outside of lists.
  package static func text(of record: TaskRecord, number: Int? = nil) -> String {
    var members: [(String, String)] = [
      ("id", quoted(record.foreignID)),
      ("number", number.map { String($0) } ?? "null"),
      ("title", record.title.jsonQuoted),
      ("isDone", record.isDone ? "true" : "false"),
      ("isImportant", record.isImportant ? "true" : "false"),
      ("priority", record.priority.rawValue.jsonQuoted),
      ("group", quoted(record.group)),
      ("due", quoted(record.due?.description)),
      ("tags", String(jsonArray: record.tags.map(\.jsonQuoted))),
      ("note", record.notes.map(\.text).joined(separator: "\n").jsonQuoted),
      ("createdAt", quoted(record.createdAt?.dashedUTC)),
      ("doneAt", quoted(record.doneAt?.dashedUTC)),
      ("repeat", record.repeats.map(text) ?? "null"),
      ("wait", quoted(record.wait?.description)),
    ]
    members += TaskField.ownTexts.map { ($0.field.rawValue, quoted(record[keyPath: $0.text])) }
    func add(_ key: String, _ value: String?) {
      if let value { members.append((key, value)) }
    }
    if record.notes.count > 1 || record.notes.contains(where: { $0.date != nil || $0.text.isEmpty })
    {
      let notes = record.notes.map { note in
        String(jsonObject: [("text", note.text.jsonQuoted), ("at", quoted(note.date?.dashedUTC))])
      }
      add("notes", String(jsonArray: notes))
    }
    add("isCancelled", record.isCancelled ? "true" : nil)
    add("start", record.start?.description.jsonQuoted)
    add("occurrence", record.occurrence?.jsonQuoted)
    let others = record.otherOccurrences?.map(\.description.jsonQuoted)
    add("otherOccurrences", others.map { String(jsonArray: $0) })
    add("parent", record.parent?.jsonQuoted)
    add("level", record.level == 0 ? nil : String(record.level))
    add("order", record.order.map { String($0) })
    add("source", record.source?.rawValue.jsonQuoted)
    let unknown = record.unknown.map { part in
      String(jsonArray: [part.name.jsonQuoted, part.text.jsonQuoted])
    }
    add("unknown", unknown.isEmpty ? nil : String(jsonArray: unknown))
    return String(jsonObject: members)
  }

  private static func text(of repetition: TaskRepeat) -> String {
    let text = repetition.text.jsonQuoted
    if repetition.kind == .phrase { return text }
    return String(jsonObject: [("kind", repetition.kind.rawValue.jsonQuoted), ("text", text)])
  }

  private static func quoted(_ text: String?) -> String { text?.jsonQuoted ?? "null" }

  /// The keys that say something about each field: mostly its name.
  ///
  /// A state is told by `isDone` alone where nothing was given up, and so are notes by `note`.
  private static let keys: [TaskField: Set<String>] = {
    var keys = Dictionary(TaskField.allCases.map { ($0, Set([$0.rawValue])) }) { $1 }
    for field in [TaskField.foreignID, .title, .dueTime] { keys[field] = nil }
    keys[.isCancelled] = ["isCancelled", "isDone"]
    keys[.notes] = ["note", "notes"]
    keys[.occurrences] = ["occurrence", "otherOccurrences"]
    return keys
  }()

  /// The fields that the object of a task has no key for.
  static func omissions(of members: [JSONScanner.Member]) -> Omissions {
    Omissions(of: Set(members.map(\.key)), namesOfFields: keys)
  }

  /// Reads a task; unknown keys are reported.
  static func record(
    of members: [JSONScanner.Member], line: Int, report: Report
  ) throws -> TaskRecord {
    var record = TaskRecord(title: "")
    var hasNotes = false
    for member in members where !JSONScanner.isNull(member.value) {
      let field = member.field(line: line)
      switch member.key {
      case "number": break
      case "title": record.title = try field.string()
      case "isDone": record.isDone = try field.bool()
      case "isImportant": record.isImportant = try field.bool()
      case "isCancelled": record.isCancelled = try field.bool()
      case "priority": record.priority = try field.word()
      case "due": record.due = try field.date()
      case "start": record.start = try field.date()
      case "wait": record.wait = try field.date()
      case "tags": record.tags = try field.elements().map { try $0.string() }
      case "note" where !hasNotes:
        let text = try field.string()
        record.notes = text.isEmpty ? [] : [TaskNote(text)]
      case "note": break
      case "notes":
        hasNotes = true
        record.notes = try field.elements().map { try $0.note() }
      case "createdAt": record.createdAt = try field.moment()
      case "doneAt": record.doneAt = try field.moment()
      case "repeat": record.repeats = try field.repetition()
      case "occurrence": record.occurrence = try field.string()
      case "otherOccurrences":
        record.otherOccurrences = try field.elements().map { try $0.date() }
      case "level": record.level = max(0, Int(try field.number()))
      case "order": record.order = try field.number()
      case "source": record.source = try field.word()
      case "unknown": record.unknown = try field.elements().map { try $0.part() }
      case let key:
        if let text = TaskField.texts.first(where: { $0.field.rawValue == key })?.text {
          record[keyPath: text] = try field.string()
        } else {
          report(nil, .unknownKey(key))
        }
      }
    }
    if record.title.trimmedBlanks.isEmpty {
      throw IssueText("The object has no title.", "객체에 제목(title)이 없습니다.")
    }
    if record.source == nil || record.unknown.isEmpty {
      record.source = nil
      record.unknown = []
    }
    return record
  }
}
