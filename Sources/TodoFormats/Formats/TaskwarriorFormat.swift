import Foundation
import TerminalText

/// What `task export` prints, and `task import` reads: tasks as attributes, whose texts are JSON.
struct TaskwarriorFormat: PartFormat {
  var options: FormatOptions

  func read(_ bytes: ArraySlice<UInt8>, into file: inout TaskFile) throws {
    var stream = ObjectStream(bytes)
    var ids: Set<String> = []
    while let (members, line) = try file.next(of: { try stream.next() }) {
      try file.add(row: line) { report in
        let parts = try members.map { member in
          let text =
            JSONScanner.isString(member.value)
            ? try JSONScanner.string(member.value, line: line).jsonQuoted
            : try member.value.text(line: line)
          return TaskRecord.Part(member.key, text)
        }
        let record = try self.record(of: parts, report: report)
        if let id = record.foreignID, !ids.insert(id.lowercased()).inserted {
          report(
            .foreignID, "An earlier task has the uuid \(id).",
            "앞의 할일에 같은 uuid \(id.with(.subject)) 있습니다.")
        }
        return record
      }
    }
    // The instances of a recurrence may come before it.
    var instances: [String: [TaskDate]] = [:]
    for record in file.records {
      if let pattern = Self.pattern(of: record), let due = record.due {
        instances[pattern, default: []].append(due)
      }
    }
    for (index, record) in file.records.enumerated()
    where record.repeats != nil && Self.pattern(of: record) == nil {
      file.records[index].otherOccurrences =
        record.foreignID.flatMap { instances[$0.lowercased()]?.inOrder }
    }
  }

  func write(_ records: [TaskRecord]) -> TaskOutput {
    var output = TaskOutput()
    let objects = records.enumerated().map { index, record in
      // The program writes its attributes in the order of their names.
      let parts = self.parts(of: record, row: index + 1, &output).sorted { $0.name < $1.name }
      return String(jsonObject: parts.map { ($0.name, $0.text) })
    }
    output.text = objects.jsonFile
    return output
  }

  // MARK: Tasks

  static var format: TaskFormat { .taskwarrior }
  static let fieldNames: Set<String> = [
    "uuid", "description", "status", "entry", "end", "due", "scheduled", "wait", "project", "tags",
    "priority", "recur", "annotations",
  ]

  static let linkedNames: [Set<String>] = [["status", "end"]]

  private static let letters: [TaskPriority: String] = [.low: "L", .normal: "M", .high: "H"]

  /// The tag that a task with a star has.
  static let starTag = "important"

  /// The uuid, in lower case, of the recurrence that a task is an instance of; nil for other tasks.
  static func pattern(of record: TaskRecord) -> String? {
    record.unknown.first { $0.name == "parent" }
      .map { $0.text.filter { $0 != "\"" }.lowercased() }
  }

  func interpret(_ parts: [Part], report: Report) throws -> TaskRecord {
    // Of an attribute that is there twice the last one counts, as in the program.
    let values = Dictionary(parts.map { ($0.name, $0.text) }) { $1 }
    guard let title = try string("description", in: values), !title.trimmedBlanks.isEmpty else {
      throw IssueText("The task has no description.", "할일에 description이 없습니다.")
    }
    var record = TaskRecord(title: title.onOneLine)
    if let uuid = try string("uuid", in: values) {
      guard UUID(uuidString: uuid) != nil else {
        throw IssueText(
          "The uuid \(uuid.quotedBriefly) is malformed.", "uuid \(uuid.quotedBriefly)의 형식이 틀립니다.")
      }
      record.foreignID = uuid
    }
    switch try string("status", in: values) ?? "pending" {
    case "pending", "waiting": break
    case "recurring":
      report(
        .repeats,
        "The task is the pattern of a recurrence: it is due after its instances, which are tasks too.",
        "반복의 본보기인 할일입니다. 그 하나하나도 할일이고, 본보기의 마감일은 그 다음입니다.")
    case "completed": record.isDone = true
    case "deleted": record.isCancelled = true
    case let status:
      throw IssueText(
        "The status \(status.quotedBriefly) is unknown.",
        "상태 \(status.quotedBriefly.with(.object)) 알 수 없습니다.")
    }
    record.createdAt = try moment("entry", in: values)
    let end = try moment("end", in: values)
    if record.isDone || record.isCancelled { record.doneAt = end }
    record.due = try date("due", in: values)
    record.start = try date("scheduled", in: values)
    record.wait = try date("wait", in: values)
    record.group = try string("project", in: values)
    record.tags = try tags(in: values)
    if let index = record.tags.firstIndex(of: Self.starTag) {
      record.tags.remove(at: index)
      record.isImportant = true
    }
    if let letter = try string("priority", in: values), !letter.isEmpty {
      record.priority = Self.letters.priority(of: letter, report)
    }
    record.repeats = try string("recur", in: values).map { TaskRepeat(.recur, $0) }
    record.notes = try annotations(in: values)
    return record
  }

  func canonicalParts(of record: TaskRecord) -> [Part] {
    var parts: [Part] = []
    func add(_ name: String, _ text: String?) {
      if let text { parts.append(Part(name, text.jsonQuoted)) }
    }
    func moment(_ date: TaskDate?) -> String? {
      guard let date else { return nil }
      let zone = date.zone.flatMap { TimeZone(identifier: $0) } ?? timeZone
      return date.moment(in: zone).compactUTC
    }
    add("uuid", record.foreignID)
    add("description", record.title)
    add("status", record.isDone ? "completed" : record.isCancelled ? "deleted" : "pending")
    add("entry", record.createdAt?.compactUTC)
    if record.isDone || record.isCancelled { add("end", record.doneAt?.compactUTC) }
    add("due", moment(record.due))
    add("scheduled", moment(record.start))
    add("wait", moment(record.wait))
    add("project", record.group)
    let tags = record.tags + (record.isImportant ? [Self.starTag] : [])
    if !tags.isEmpty { parts.add("tags", String(jsonArray: tags.map(\.jsonQuoted))) }
    add("priority", Self.letters[record.priority])
    add("recur", record.repeatText(in: .recur))
    if !record.notes.isEmpty {
      let notes = record.notes.map { note in
        let entry = note.date.map { [("entry", $0.compactUTC.jsonQuoted)] } ?? []
        return String(jsonObject: entry + [("description", note.text.jsonQuoted)])
      }
      parts.add("annotations", String(jsonArray: notes))
    }
    return parts
  }

  // MARK: Values

  private func string(_ name: String, in values: [String: String]) throws -> String? {
    guard let text = values[name] else { return nil }
    return try string(of: Array(text.utf8)[...], name: name)
  }

  private func string(of value: JSONScanner.Value, name: String) throws -> String? {
    if JSONScanner.isNull(value) { return nil }
    guard JSONScanner.isString(value) else {
      throw IssueText(
        "The \(name) is not a text in quotes.", "\(name)의 값이 따옴표 안의 글이 아닙니다.")
    }
    return try JSONScanner.string(value, line: 0)
  }

  /// A time as the program writes it, or as seconds since 1970, in quotes or without.
  private func moment(_ name: String, in values: [String: String]) throws -> Date? {
    guard let text = values[name], text != "null", text != "\"\"" else { return nil }
    return try moment(of: text.filter { $0 != "\"" }, name: name)
  }

  private func moment(of text: String, name: String) throws -> Date {
    if let read = DateText(text) { return read.moment(in: timeZone) }
    if let seconds = Int(text), (0...Date.lastSecond).contains(seconds) {
      return Date(timeIntervalSince1970: TimeInterval(seconds))
    }
    throw IssueText(
      "The \(name) \(text.quotedBriefly) is not a time such as 20260601T120000Z.",
      "\(name) \(text.quotedBriefly.with(.topic)) 20260601T120000Z 같은 시각이 아닙니다.")
  }

  private func date(_ name: String, in values: [String: String]) throws -> TaskDate? {
    try moment(name, in: values).map { TaskDate($0, in: timeZone) }
  }

  private func tags(in values: [String: String]) throws -> [String] {
    guard let text = values["tags"] else { return [] }
    if text.hasPrefix("\"") {
      return try string("tags", in: values)?.split(separator: ",").map(String.init) ?? []
    }
    return try elements(of: text, name: "tags").compactMap { try string(of: $0, name: "tag") }
  }

  private func annotations(in values: [String: String]) throws -> [TaskNote] {
    guard let text = values["annotations"] else { return [] }
    return try elements(of: text, name: "annotations").map { element in
      var scanner = JSONScanner(element)
      guard let members = try? scanner.members() else {  // Any other value is refused here.
        throw IssueText("An annotation is not an object.", "annotation 하나가 객체가 아닙니다.")
      }
      let fields = Dictionary(members.map { ($0.key, $0.value) }) { $1 }
      guard let value = fields["description"],
        let text = try string(of: value, name: "description of an annotation")
      else {
        throw IssueText(
          "An annotation has no description.", "annotation 하나에 description이 없습니다.")
      }
      let entry = try fields["entry"].flatMap { value in
        JSONScanner.isString(value)
          ? try string(of: value, name: "entry of an annotation")
          : String(decoding: value, as: UTF8.self)
      }
      let date = try entry.map { try moment(of: $0, name: "entry of an annotation") }
      return TaskNote(text, at: date)
    }
  }

  private func elements(of text: String, name: String) throws -> [JSONScanner.Value] {
    if text == "null" { return [] }
    var scanner = JSONScanner(Array(text.utf8)[...])
    do {
      return try scanner.elements()
    } catch {
      throw IssueText("The \(name) are not a list.", "\(name)의 값이 목록이 아닙니다.")
    }
  }
}
