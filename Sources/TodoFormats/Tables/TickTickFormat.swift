import Foundation

/// A backup of TickTick: some records about the file, a header, and a row for each task.
///
/// A task is the cells of its row that are not empty.
struct TickTickFormat: PartFormat {
  var options: FormatOptions

  func read(_ bytes: ArraySlice<UInt8>, into file: inout TaskFile) throws {
    var rows = CSVRows(bytes, separator: UInt8(ascii: ","))
    var header: [String]?
    while header == nil, let row = try file.next(of: { try rows.next() }) {
      if Self.isHeader(row.cells) { header = row.cells }
    }
    guard let header else {
      throw TaskIssue(
        .fatal, row: nil, "There is no row with the columns List Name and Title.",
        "List Name 열과 Title 열이 있는 줄이 없습니다.")
    }
    var table = TableReader(rows: rows, header: header)
    let omissions = Omissions(
      ofColumns: Set(table.columns), namesOfFields: Self.namesOfFields)
    while let row = try table.next(&file) {
      try file.add(row: row.line, omissions: omissions) {
        try record(of: row.parts, report: $0)
      }
    }
  }

  /// Whether cells are the names of the columns.
  static func isHeader(_ cells: [String]) -> Bool {
    cells.contains("List Name") && cells.contains("Title")
  }

  func write(_ records: [TaskRecord]) -> TaskOutput {
    var output = TaskOutput()
    let rows = records.enumerated().map { parts(of: $1, row: $0 + 1, &output) }
    let day = TaskDate(day: options.now, in: .gmt).dashed
    let preamble =
      "\"Date: \(day)+0000\"\n\"Version: 7.1\"\n\"Status: \n0 Normal\n1 Completed\n2 Archived\"\n"
    output.text = preamble + String(table: rows, columns: Self.columns)
    return output
  }

  // MARK: Tasks

  static var format: TaskFormat { .ticktick }

  /// The columns of version 7.1, in order.
  static let columns = [
    "Folder Name", "List Name", "Title", "Kind", "Tags", "Content", "Is Check list", "Start Date",
    "Due Date", "Reminder", "Repeat", "Priority", "Status", "Created Time", "Completed Time",
    "Order", "Timezone", "Is All Day", "Is Floating", "Column Name", "Column Order", "View Mode",
    "taskId", "parentId",
  ]
  static let fieldNames = Set(columns).subtracting([
    "Folder Name", "Reminder", "Is Floating", "Column Name", "Column Order", "View Mode",
  ])

  /// The columns that say something about each field.
  static let namesOfFields: [TaskField: Set<String>] = [
    .tags: ["Tags"], .notes: ["Content"], .start: ["Start Date"], .due: ["Due Date"],
    .repeats: ["Repeat"], .priority: ["Priority"], .isDone: ["Status"], .isCancelled: ["Status"],
    .createdAt: ["Created Time"], .doneAt: ["Completed Time"], .order: ["Order"],
    .parent: ["parentId"],
  ]

  private static let numbers: [TaskPriority: String] = [
    .none: "0", .low: "1", .normal: "3", .high: "5",
  ]

  static let linkedNames: [Set<String>] = [
    ["Start Date", "Due Date", "Timezone", "Is All Day"], ["Status", "Completed Time"],
    ["Kind", "Is Check list"],
  ]

  func interpret(_ parts: [Part], report: Report) throws -> TaskRecord {
    let cells = Dictionary(parts.map { ($0.name, $0.text) }) { one, _ in one }
    guard let title = cells["Title"]?.onOneLine, !title.trimmedBlanks.isEmpty else {
      throw IssueText("The row has no Title.", "줄에 Title이 없습니다.")
    }
    var record = TaskRecord(title: title)
    record.foreignID = cells["taskId"]
    record.parent = cells["parentId"]
    record.group = cells["List Name"]
    record.tags = (cells["Tags"] ?? "").csvList
    record.notes = cells["Content"].map { [TaskNote($0)] } ?? []
    record.order = cells["Order"].flatMap { Int64($0) }
    readState(cells, into: &record, report)
    readDates(cells, into: &record, report)
    if let text = cells["Repeat"] {
      let rule = text.hasPrefix("RRULE:") ? String(text.dropFirst("RRULE:".count)) : text
      if rule.contains("FREQ=") {
        record.repeats = TaskRepeat(.rrule, rule)
      } else {
        report(.repeats, .kept(text, as: "Repeat"))
      }
    }
    if cells["Kind"] == "NOTE" {
      report(nil, "The row is a note; it becomes a task.", "메모인 줄을 할일로 가져옵니다.")
    }
    return record
  }

  private func readState(
    _ cells: [String: String], into record: inout TaskRecord, _ report: Report
  ) {
    switch cells["Status"] ?? "0" {
    case "0": break
    case "1", "2": record.isDone = true
    case "-1": record.isCancelled = true
    case let status:
      report(
        .isDone, "The status \(status.quotedBriefly) is unknown.",
        "상태 \(status.quotedBriefly.with(.object)) 알 수 없습니다.")
    }
    record.priority = Self.numbers.priority(of: cells["Priority"] ?? "0", report)
  }

  /// Reads dates in the zone of the row: midnight in Berlin is written as 23:00 of the day before.
  private func readDates(
    _ cells: [String: String], into record: inout TaskRecord, _ report: Report
  ) {
    var zone = timeZone
    var zoneName: String?
    if let name = cells["Timezone"] {
      if let known = TimeZone(identifier: name) {
        zone = known
        zoneName = name == timeZone.identifier ? nil : name
      } else {
        report(nil, .unknownZone(name))
      }
    }
    let isAllDay = (cells["Is All Day"] ?? "").lowercased() == "true"
    func read(_ column: String, _ field: TaskField) -> DateText? {
      guard let text = cells[column] else { return nil }
      if let date = DateText(text.trimmedBlanks) { return date }
      report(field, .kept(text, as: column))
      return nil
    }
    func date(_ column: String, _ field: TaskField) -> TaskDate? {
      guard let text = read(column, field) else { return nil }
      if isAllDay {
        // Without a zone, midnight in UTC is the day itself.
        let isMidnight = (text.date.time?.seconds ?? 0) == 0
        let isDay = cells["Timezone"] == nil && text.offset == 0 && isMidnight
        return isDay ? text.date.wholeDay : text.local(in: zone).wholeDay
      }
      var date = text.local(in: zone)
      date.time = date.time ?? TaskDate.Time(hour: 0, minute: 0)
      date.zone = zoneName
      return date
    }
    record.start = date("Start Date", .start)
    record.due = date("Due Date", .due)
    record.createdAt = read("Created Time", .createdAt)?.moment(in: zone)
    let completed = read("Completed Time", .doneAt)?.moment(in: zone)
    if record.isDone || record.isCancelled { record.doneAt = completed }
  }

  func canonicalParts(of record: TaskRecord) -> [Part] {
    var parts: [Part] = []
    let zoneName = record.due?.zone ?? record.start?.zone ?? timeZone.identifier
    let zone = TimeZone(identifier: zoneName) ?? timeZone
    let dates = [record.start, record.due].compactMap(\.self)
    let isAllDay = dates.allSatisfy { $0.time == nil }
    parts.add("List Name", record.group)
    parts.add("Title", record.title)
    parts.add("Kind", "TEXT")
    parts.add("Tags", record.tags.joined(separator: ", "))
    parts.add("Content", record.notes.map(\.text).joined(separator: "\n"))
    parts.add("Is Check list", "N")
    parts.add("Start Date", record.start?.moment(in: zone).withOffset)
    parts.add("Due Date", record.due?.moment(in: zone).withOffset)
    parts.add("Repeat", record.repeatText(in: .rrule).map { "RRULE:" + $0 })
    parts.add("Priority", Self.numbers[record.priority])
    parts.add("Status", record.isDone ? "2" : record.isCancelled ? "-1" : "0")
    parts.add("Created Time", record.createdAt?.withOffset)
    if record.isDone || record.isCancelled {
      parts.add("Completed Time", record.doneAt?.withOffset)
    }
    parts.add("Order", record.order.map { String($0) })
    parts.add("Timezone", zoneName)
    if !dates.isEmpty { parts.add("Is All Day", isAllDay ? "true" : "false") }
    parts.add("taskId", record.foreignID)
    parts.add("parentId", record.parent)
    return parts
  }
}

extension Date {
  /// The moment as `2026-06-01T12:30:00+0000`.
  fileprivate var withOffset: String { dashedUTC.dropLast() + "+0000" }
}

extension String {
  /// The texts between commas, without the blanks around them.
  var csvList: [String] {
    split(separator: ",").map { String($0).trimmedBlanks }.filter { !$0.isEmpty }
  }
}
