import Foundation

/// A VTODO as its properties; a component inside it is a part of its own.
extension CalendarFormat: PartFormat {
  static var format: TaskFormat { .vtodo }
  static let fieldNames: Set<String> = [
    "UID", "DTSTAMP", "SUMMARY", "DESCRIPTION", "COMMENT", "CATEGORIES", "STATUS", "CREATED",
    "COMPLETED", "DUE", "DTSTART", "PRIORITY", "RRULE", "RELATED-TO", "X-APPLE-SORT-ORDER",
    occurrenceName, groupName, starName,
  ]

  static let linkedNames: [Set<String>] = [["STATUS", "COMPLETED"]]

  /// The property of a to-do that replaces one occurrence of another one.
  static let occurrenceName = "RECURRENCE-ID"
  /// The property that keeps the group, where the tasks of a file have several.
  private static let groupName = "X-TODO-GROUP"
  /// The property of a task with a star.
  private static let starName = "X-TODO-IMPORTANT"

  func interpret(_ parts: [Part], report: Report) throws -> TaskRecord {
    var record = TaskRecord(title: "")
    var status: String?
    var completed: Date?
    var isCompleted = false
    var description: TaskNote?
    for part in parts where Self.fieldNames.contains(part.name) {
      guard let content = ContentLine(part.text) else { continue }
      switch part.name {
      case Self.occurrenceName: record.occurrence = content.value
      case "UID": record.foreignID = record.foreignID ?? content.value
      case "SUMMARY" where record.title.isEmpty: record.title = content.text.onOneLine
      case "DESCRIPTION" where description == nil && !content.text.isEmpty:
        description = TaskNote(content.text)
      case "COMMENT": record.notes.append(TaskNote(content.text))
      case "CATEGORIES": record.tags += content.texts.filter { !$0.isEmpty }
      case "STATUS": status = status ?? content.value.trimmedBlanks.uppercased()
      case "CREATED": record.createdAt = moment(content, .createdAt, report)
      case "COMPLETED":
        isCompleted = true
        completed = moment(content, .doneAt, report)
      case "DUE": record.due = date(content, .due, report)
      case "DTSTART": record.start = date(content, .start, report)
      case "PRIORITY": record.priority = priority(content, report)
      case "RRULE" where record.repeats == nil: record.repeats = TaskRepeat(.rrule, content.value)
      case "RELATED-TO" where record.parent == nil:
        let kind = content.parameter("RELTYPE")?.uppercased() ?? "PARENT"
        if kind == "PARENT" { record.parent = content.value }
      case "X-APPLE-SORT-ORDER": record.order = Int64(content.value)
      case Self.groupName: record.group = content.text
      case Self.starName: record.isImportant = content.value.uppercased() == "TRUE"
      default: break
      }
    }
    if let description { record.notes.insert(description, at: 0) }
    if record.title.trimmedBlanks.isEmpty {
      throw IssueText("The VTODO has no SUMMARY.", "VTODO에 SUMMARY가 없습니다.")
    }
    record.isCancelled = status == "CANCELLED"
    record.isDone = !record.isCancelled && (status == "COMPLETED" || isCompleted)
    if record.isDone || record.isCancelled { record.doneAt = completed }
    if record.isDone, let status, status != "COMPLETED" {
      report(
        .isDone, "STATUS is \(status) beside COMPLETED; the task counts as done.",
        "STATUS가 \(status)인데 COMPLETED가 있어 완료로 봅니다.")
    }
    return record
  }

  func canonicalParts(of record: TaskRecord) -> [Part] {
    var parts: [Part] = []
    func add(_ name: String, _ value: String?, parameters: String = "") {
      if let value { parts.append(Part(name, name + parameters + ":" + value)) }
    }
    func add(_ name: String, _ date: TaskDate?) {
      guard let date else { return }
      let zone = date.zone.map { name in
        ";TZID=" + (name.utf8.contains { ":;,".utf8.contains($0) } ? "\"\(name)\"" : name)
      }
      add(name, date.compact, parameters: date.time == nil ? ";VALUE=DATE" : zone ?? "")
    }
    add("UID", record.foreignID?.onOneLine)
    add("DTSTAMP", (record.createdAt ?? options.now).compactUTC)
    add("CREATED", record.createdAt?.compactUTC)
    add("SUMMARY", ContentLine.escaped(record.title))
    for (index, note) in record.notes.enumerated() {
      add(index == 0 ? "DESCRIPTION" : "COMMENT", ContentLine.escaped(note.text))
    }
    if !record.tags.isEmpty {
      add("CATEGORIES", record.tags.map(ContentLine.escaped).joined(separator: ","))
    }
    add("STATUS", record.isDone ? "COMPLETED" : record.isCancelled ? "CANCELLED" : "NEEDS-ACTION")
    if record.isDone || record.isCancelled { add("COMPLETED", record.doneAt?.compactUTC) }
    add("DTSTART", record.start)
    add("DUE", record.due)
    let numbers: [TaskPriority: String] = [.high: "1", .normal: "5", .low: "9"]
    add("PRIORITY", numbers[record.priority])
    add("RRULE", record.repeatText(in: .rrule)?.onOneLine)
    add("RELATED-TO", record.parent?.onOneLine)
    add("X-APPLE-SORT-ORDER", record.order.map { String($0) })
    add(Self.groupName, record.group.map(ContentLine.escaped))
    add(Self.starName, record.isImportant ? "TRUE" : nil)
    return parts
  }

  /// The day of the occurrence that a to-do replaces; nil for one that replaces none.
  func occurrence(in parts: [Part]) -> TaskDate? {
    let part = parts.first { $0.name == Self.occurrenceName }
    return part.flatMap { ContentLine($0.text) }.flatMap { date($0, .repeats, Report()) }
  }

  // MARK: Values

  private func moment(_ content: ContentLine, _ field: TaskField, _ report: Report) -> Date? {
    let zone = content.parameter("TZID").flatMap { TimeZone(identifier: $0) } ?? timeZone
    return text(content, field, report)?.moment(in: zone)
  }

  /// A day, or what a clock shows: in the zone that is named, in UTC turned into that of the reader.
  private func date(_ content: ContentLine, _ field: TaskField, _ report: Report) -> TaskDate? {
    guard let read = text(content, field, report) else { return nil }
    if content.parameter("VALUE")?.uppercased() == "DATE" { return read.date.wholeDay }
    var date = read.local(in: timeZone)
    if read.offset != nil {
      // A moment has a time of day, also at midnight: a day has a form of its own.
      date.time = date.time ?? TaskDate.Time(hour: 0, minute: 0)
      return date
    }
    if date.time != nil { date.zone = content.parameter("TZID") }
    return date
  }

  private func text(_ content: ContentLine, _ field: TaskField, _ report: Report) -> DateText? {
    if let text = DateText(content.value.trimmedBlanks) { return text }
    report(field, .kept(content.value, as: content.name))
    return nil
  }

  private func priority(_ content: ContentLine, _ report: Report) -> TaskPriority {
    switch Int(content.value.trimmedBlanks) {
    case 0: return .none
    case .some(1...4): return .high
    case 5: return .normal
    case .some(6...9): return .low
    default:
      report(
        .priority, "The priority \(content.value.quotedBriefly) is not a number from 0 to 9.",
        "PRIORITY \(content.value.quotedBriefly.with(.topic)) 0부터 9까지의 수가 아닙니다.")
      return .none
    }
  }
}
