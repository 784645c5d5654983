import Foundation

/// JSON with keys of our own: an array of objects, or one object a line.
///
/// The first twelve keys are always there and are those of `todo ls -o json`; the others are there
/// where they say something.
struct ObjectFile {
  let format: TaskFormat

  func read(_ bytes: ArraySlice<UInt8>, handle: (TaskReader.Event) throws -> Void) throws {
    var stream = ObjectStream(bytes)
    while let element = try stream.next() {
      switch element {
      case .malformed(let text, let line):
        try handle(.issue(TaskIssue(.error, row: line, text)))
      case .object(let members, let line):
        do {
          let (record, unknownKeys) = try TaskObject.record(of: members, line: line)
          for key in unknownKeys {
            let text = IssueText(
              "The key \(key.quotedBriefly) is unknown and left out.",
              "알 수 없는 키 \(key.quotedBriefly)을(를) 뺍니다.")
            try handle(.issue(TaskIssue(.warning, row: line, text)))
          }
          try handle(.record(record, row: line))
        } catch let error as RowError {
          try handle(.issue(TaskIssue(.error, row: line, error.text)))
        } catch let failure as JSONScanner.Failure {
          try handle(.issue(TaskIssue(.error, row: line, .notJSON(failure))))
        }
      }
    }
  }

  func write(_ records: [TaskRecord]) -> TaskWriter.Output {
    var output = TaskWriter.Output()
    if format == .ndjson {
      for record in records { output.text += TaskObject.text(of: record) + "\n" }
    } else {
      let objects = records.map(TaskObject.text)
      output.text = objects.isEmpty ? "[]\n" : "[\n" + objects.joined(separator: ",\n") + "\n]\n"
    }
    return output
  }
}

/// The keys of one task.
private enum TaskObject {
  static func text(of record: TaskRecord) -> String {
    var members: [(String, String)] = [
      ("id", quoted(record.foreignID)),
      ("number", "null"),
      ("title", record.title.jsonQuoted),
      ("isDone", record.isDone ? "true" : "false"),
      ("isImportant", record.isImportant ? "true" : "false"),
      ("priority", record.priority.rawValue.jsonQuoted),
      ("group", quoted(record.group)),
      ("due", quoted(record.due?.description)),
      ("tags", array(record.tags.map(\.jsonQuoted))),
      ("note", record.notes.map(\.text).joined(separator: "\n").jsonQuoted),
      ("createdAt", quoted(record.createdAt?.dashedUTC)),
      ("doneAt", quoted(record.doneAt?.dashedUTC)),
    ]
    func add(_ key: String, _ value: String?) {
      if let value { members.append((key, value)) }
    }
    if record.notes.count > 1 || record.notes.contains(where: { $0.date != nil || $0.text.isEmpty })
    {
      add(
        "notes",
        array(
          record.notes.map { note in
            object([("text", note.text.jsonQuoted), ("at", quoted(note.date?.dashedUTC))])
          }))
    }
    add("isCancelled", record.isCancelled ? "true" : nil)
    add("start", record.start?.description.jsonQuoted)
    add("wait", record.wait?.description.jsonQuoted)
    add(
      "repeat",
      record.repeats.map {
        object([("kind", $0.kind.rawValue.jsonQuoted), ("text", $0.text.jsonQuoted)])
      })
    add("parent", record.parent?.jsonQuoted)
    add("level", record.level == 0 ? nil : String(record.level))
    add("order", record.order.map { String($0) })
    add("source", record.source?.rawValue.jsonQuoted)
    if !record.unknown.isEmpty {
      add("unknown", array(record.unknown.map { array([$0.name.jsonQuoted, $0.text.jsonQuoted]) }))
    }
    return object(members)
  }

  private static func quoted(_ text: String?) -> String { text?.jsonQuoted ?? "null" }

  private static func array(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\($0.0.jsonQuoted):\($0.1)" }.joined(separator: ",") + "}"
  }

  /// Reads a task.
  ///
  /// - Returns: The task, and the keys that mean nothing.
  static func record(
    of members: [JSONScanner.Member], line: Int
  ) throws -> (TaskRecord, unknownKeys: [String]) {
    var record = TaskRecord(title: "")
    var unknownKeys: [String] = []
    var hasNotes = false
    for member in members where !JSONScanner.isNull(member.value) {
      let field = Field(member: member, line: line)
      switch member.key {
      case "id": record.foreignID = try field.string()
      case "number": break
      case "title": record.title = try field.string()
      case "isDone": record.isDone = try field.bool()
      case "isImportant": record.isImportant = try field.bool()
      case "isCancelled": record.isCancelled = try field.bool()
      case "priority": record.priority = try field.word()
      case "group": record.group = try field.string()
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
      case "parent": record.parent = try field.string()
      case "level": record.level = max(0, Int(try field.number()))
      case "order": record.order = try field.number()
      case "source": record.source = try field.word()
      case "unknown": record.unknown = try field.elements().map { try $0.part() }
      default: unknownKeys.append(member.key)
      }
    }
    if record.title.trimmedBlanks.isEmpty {
      throw RowError("The object has no title.", "객체에 제목(title)이 없습니다.")
    }
    if record.source == nil || record.unknown.isEmpty {
      record.source = nil
      record.unknown = []
    }
    return (record, unknownKeys)
  }

  /// A value with its key, for messages.
  private struct Field {
    let key: String
    let value: JSONScanner.Value
    let line: Int

    init(member: JSONScanner.Member, line: Int) {
      key = member.key
      value = member.value
      self.line = line
    }

    private init(key: String, value: JSONScanner.Value, line: Int) {
      self.key = key
      self.value = value
      self.line = line
    }

    func string() throws -> String {
      guard JSONScanner.isString(value) else { throw refusal("a text in quotes", "따옴표 안의 글") }
      return try JSONScanner.string(value, line: line)
    }

    func bool() throws -> Bool {
      if value.elementsEqual("true".utf8) { return true }
      guard value.elementsEqual("false".utf8) else { throw refusal("true or false", "true나 false") }
      return false
    }

    func number() throws -> Int64 {
      guard let number = Int64(String(decoding: value, as: UTF8.self)) else {
        throw refusal("a whole number", "정수")
      }
      return number
    }

    func word<Word: RawRepresentable & CaseIterable>() throws -> Word
    where Word.RawValue == String {
      guard let word = Word(rawValue: try string()) else {
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw refusal("one of \(words)", words + " 가운데 하나")
      }
      return word
    }

    func date() throws -> TaskDate {
      guard let date = TaskDate(try string()) else {
        throw refusal("a date such as 2026-06-01", "2026-06-01 같은 날짜")
      }
      return date
    }

    func moment() throws -> Date {
      guard let read = DateText(try string()) else {
        throw refusal("a time such as 2026-06-01T12:00:00Z", "2026-06-01T12:00:00Z 같은 시각")
      }
      return read.moment(in: .gmt)
    }

    func elements() throws -> [Field] {
      var scanner = JSONScanner(value, line: line)
      guard value.first == UInt8(ascii: "[") else { throw refusal("a list", "목록") }
      return try scanner.elements().map { Field(key: key, value: $0, line: line) }
    }

    func fields() throws -> [String: Field] {
      var scanner = JSONScanner(value, line: line)
      guard value.first == UInt8(ascii: "{") else { throw refusal("an object", "객체") }
      let fields = try scanner.members().map { ($0.key, Field(member: $0, line: line)) }
      return Dictionary(fields) { $1 }.filter { !JSONScanner.isNull($0.value.value) }
    }

    func note() throws -> TaskNote {
      let fields = try fields()
      guard let text = try fields["text"]?.string() else {
        throw refusal("a list of objects with a text", "text가 있는 객체의 목록")
      }
      return TaskNote(text, at: try fields["at"]?.moment())
    }

    func repetition() throws -> TaskRepeat {
      let fields = try fields()
      guard let kind: TaskRepeat.Kind = try fields["kind"]?.word(),
        let text = try fields["text"]?.string()
      else { throw refusal("an object of kind and text", "kind와 text가 있는 객체") }
      return TaskRepeat(kind, text)
    }

    func part() throws -> TaskRecord.Part {
      let pair = try elements().map { try $0.string() }
      guard pair.count == 2 else { throw refusal("a list of pairs", "둘씩 묶은 목록") }
      return TaskRecord.Part(pair[0], pair[1])
    }

    private func refusal(_ english: String, _ korean: String) -> RowError {
      RowError(
        "The value of \(key.quotedBriefly) is not \(english).",
        "\(key.quotedBriefly)의 값이 틀립니다. 필요한 것: \(korean).")
    }
  }
}
