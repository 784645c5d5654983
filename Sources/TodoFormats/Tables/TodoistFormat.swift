import Foundation

/// A project of Todoist as its template in CSV: rows for sections, tasks and comments.
///
/// A task is the cells of its row, and the comments below it.
/// The name of the file is that of the project.
struct TodoistFormat: PartFormat {
  var options: FormatOptions

  func read(_ bytes: ArraySlice<UInt8>, into file: inout TaskFile) throws {
    var rows = CSVRows(bytes, separator: CSVRows.separator(of: bytes))
    let header = try rows.nextFilled()?.cells.map(\.trimmedBlanks)
    guard let header, Self.isHeader(header) else {
      throw TaskIssue(
        .fatal, row: 1, "The first row has no columns TYPE and CONTENT.",
        "첫 줄에 TYPE 열과 CONTENT 열이 없습니다.")
    }
    var table = TableReader(rows: rows, header: header)
    var section: String?
    var pending: (line: Int, parts: [TaskRecord.Part], group: String?)?
    let columns = Set(table.columns)
    func flush(_ file: inout TaskFile) throws {
      guard let task = pending else { return }
      pending = nil
      // Older templates have no descriptions: there a task without a comment says nothing of notes.
      let hasNotes =
        columns.contains("DESCRIPTION")
        || task.parts.contains { $0.name == Self.noteName }
      let omissions = Omissions(
        ofColumns: hasNotes ? columns.union([Self.noteName]) : columns,
        namesOfFields: Self.namesOfFields)
      try file.add(row: task.line, omissions: omissions) { report in
        var record = try self.record(of: task.parts, report: report)
        record.group = task.group
        return record
      }
    }
    while let row = try table.next(&file) {
      let type = row.parts.first { $0.name == "TYPE" }?.text.trimmedBlanks ?? ""
      let content = row.parts.first { $0.name == "CONTENT" }?.text ?? ""
      switch type.lowercased() {
      case "task":
        try flush(&file)
        pending = (row.line, row.parts.filter { $0.name != "TYPE" }, section ?? options.fileStem)
      case "note" where pending != nil:
        pending?.parts.append(TaskRecord.Part(Self.noteName, content))
        let others = row.parts.map(\.name).filter { $0 != "TYPE" && $0 != "CONTENT" }
        if !others.isEmpty {
          let names = others.joined(separator: ", ")
          file.warn(
            row.line, field: .notes, "The note's \(names) is left out.",
            "메모의 \(names.with(.object)) 뺍니다.")
        }
      case "note":
        file.warn(
          row.line, "This note is not below a task and is left out.", "할일 아래에 있지 않은 메모를 뺍니다.")
      case "section":
        try flush(&file)
        section = content
      case "meta":
        file.warn(
          row.line, "The setting \(content.quotedBriefly) of the project is left out.",
          "프로젝트 설정 \(content.quotedBriefly.with(.object)) 뺍니다.")
      default:
        file.fail(
          row.line, "The row's TYPE \(type.quotedBriefly) is unknown.",
          "TYPE \(type.quotedBriefly.with(.object)) 알 수 없습니다.")
      }
    }
    try flush(&file)
  }

  /// Whether cells are the names of the columns.
  static func isHeader(_ cells: [String]) -> Bool {
    cells.contains("TYPE") && cells.contains("CONTENT")
  }

  func write(_ records: [TaskRecord]) -> TaskOutput {
    var output = TaskOutput()
    var groups: [String?] = []
    var rows: [String?: [[TaskRecord.Part]]] = [:]
    for (index, record) in records.enumerated() {
      if record.isDone || record.isCancelled {
        output.warnings.append(
          TaskIssue(
            .warning, row: index + 1, field: .isDone,
            "A project of Todoist has open tasks only; this one is left out.",
            "Todoist 프로젝트에는 끝내지 않은 할일만 있습니다. 이 할일은 뺍니다."))
        continue
      }
      var copy = record
      copy.group = nil
      let group = record.group == options.fileStem ? nil : record.group
      if rows[group] == nil { groups.append(group) }
      rows[group, default: []].append(parts(of: copy, row: index + 1, &output))
    }
    // Tasks of no section come first: after a section there is no way out of it.
    let ordered = groups.filter { $0 == nil } + groups.filter { $0 != nil }
    let table = ordered.flatMap { group in
      let tasks = (rows[group] ?? []).flatMap { parts in
        let notes = parts.filter { $0.name == Self.noteName }
        return [[Part("TYPE", "task")] + parts.filter { $0.name != Self.noteName }]
          + notes.map { [Part("TYPE", "note"), Part("CONTENT", $0.text)] }
      }
      let section = group.map { [[Part("TYPE", "section"), Part("CONTENT", $0)]] } ?? []
      return section + tasks
    }
    output.text = String(table: table, columns: Self.columns)
    return output
  }

  // MARK: Tasks

  static var format: TaskFormat { .todoist }

  /// The name of the part of a comment.
  static let noteName = "note"
  /// The columns, in order.
  static let columns = [
    "TYPE", "CONTENT", "DESCRIPTION", "PRIORITY", "INDENT", "AUTHOR", "RESPONSIBLE", "DATE",
    "DATE_LANG", "TIMEZONE",
  ]
  static let fieldNames: Set<String> = [
    "CONTENT", "DESCRIPTION", "PRIORITY", "INDENT", "DATE", "DATE_LANG", "TIMEZONE", "LABELS",
    noteName,
  ]

  /// The columns that say something about each field; `CONTENT`, which is always there, has the labels.
  static let namesOfFields: [TaskField: Set<String>] = [
    .notes: ["DESCRIPTION", noteName], .priority: ["PRIORITY"], .level: ["INDENT"],
    .due: ["DATE"], .repeats: ["DATE"],
  ]

  static let linkedNames: [Set<String>] = [
    ["DATE", "DATE_LANG", "TIMEZONE"], ["DESCRIPTION", noteName], ["CONTENT", "LABELS"],
  ]

  func interpret(_ parts: [Part], report: Report) throws -> TaskRecord {
    let cells = Dictionary(parts.map { ($0.name, $0.text) }) { one, _ in one }
    var record = TaskRecord(title: "")
    var words: [Substring] = []
    var content = (cells["CONTENT"] ?? "").onOneLine
    if content.hasPrefix("* ") {
      content = String(content.dropFirst(2))
      report(
        nil, "The task cannot be completed in Todoist; here it can.",
        "Todoist에서는 완료할 수 없는 할일입니다. 여기서는 완료할 수 있습니다.")
    }
    for word in content.words {
      if word.utf8.first == UInt8(ascii: "@"), word.utf8.count > 1 {
        record.tags.append(String(Substring(word.utf8.dropFirst())))
      } else {
        words.append(word)
      }
    }
    for label in (cells["LABELS"] ?? "").csvList where !record.tags.contains(label) {
      record.tags.append(label)
    }
    record.title = words.joined(separator: " ")
    if record.title.isEmpty { throw IssueText("The task has no CONTENT.", "할일에 CONTENT가 없습니다.") }
    if let text = cells["DESCRIPTION"] { record.notes.append(TaskNote(text)) }
    record.notes += parts.filter { $0.name == Self.noteName }.map { TaskNote($0.text) }
    // 1 is the highest, as in the program's help and unlike in its API; people leave it empty for none.
    switch (cells["PRIORITY"] ?? "").trimmedBlanks {
    case "1": record.priority = .high
    case "2", "3": record.priority = .normal
    case "4", "": break
    case let other: report(.priority, .unknownPriority(other))
    }
    if let indent = cells["INDENT"].flatMap({ Int($0.trimmedBlanks) }) {
      record.level = max(1, min(indent, 100)) - 1
    }
    readDate(cells, into: &record, report)
    return record
  }

  private func readDate(
    _ cells: [String: String], into record: inout TaskRecord, _ report: Report
  ) {
    guard let text = cells["DATE"]?.trimmedBlanks, !text.isEmpty else { return }
    var dateText = text
    if Self.repeating.contains(where: text.lowercased().hasPrefix) {
      // `every week starting Oct 5 2026`
      let halves = text.split(separator: Self.startWord, maxSplits: 1).map(String.init)
      guard halves.count == 2, NamedDate(halves[1]) != nil else {
        record.repeats = TaskRepeat(.phrase, text)
        return
      }
      record.repeats = TaskRepeat(.phrase, halves[0])
      dateText = halves[1]
    }
    let moment = DateText(dateText)
    guard let read = moment?.date ?? NamedDate(dateText)?.date else {
      report(
        .due, "DATE \(text.quotedBriefly) is not a day with its year; it is kept as text.",
        "DATE \(text.quotedBriefly)에 연도가 있는 날짜가 없어 글로만 둡니다.")
      return
    }
    let name = cells["TIMEZONE"] ?? timeZone.identifier
    let zone = TimeZone(identifier: name)
    if zone == nil { report(.due, .unknownZone(name)) }
    var due = moment?.offset == nil ? read : moment?.local(in: zone ?? timeZone) ?? read
    if due.time != nil, zone != nil, name != timeZone.identifier { due.zone = name }
    record.due = due
  }

  /// The word between a recurrence and the day on which it begins.
  private static let startWord = " starting "

  /// What a repeating date begins with in English, German, French, Spanish and Korean.
  private static let repeating = [
    "every", "each", "daily", "weekly", "monthly", "yearly", "ev ", "jede", "täglich", "chaque",
    "tous les", "toutes les", "cada", "todos", "매일", "매주", "매월", "매년", "매달",
  ]

  func canonicalParts(of record: TaskRecord) -> [Part] {
    var parts: [Part] = []
    let title = record.title.words.map(String.init).joined(separator: " ").onOneLine
    parts.add(
      "CONTENT", ([title] + record.tags.map { "@" + $0.withoutBlanks }).joined(separator: " "))
    parts.add("DESCRIPTION", record.notes.first?.text)
    for note in record.notes.dropFirst() { parts.add(Self.noteName, note.text) }
    parts.add("PRIORITY", record.priority == .high ? "1" : record.priority == .normal ? "2" : "4")
    parts.add("INDENT", String(min(record.level, 3) + 1))
    let phrase = record.repeatText(in: .phrase)
    if let due = record.due {
      var text = phrase.map { $0 + Self.startWord } ?? ""
      text += due.dashed
      if let time = due.time {
        text += phrase == nil ? " " : " at "
        text += "\(time.hour.padded(2)):\(time.minute.padded(2))"
      }
      parts.add("DATE", text)
      parts.add("DATE_LANG", "en")
      if due.time != nil { parts.add("TIMEZONE", due.zone ?? timeZone.identifier) }
    } else if let phrase {
      parts.add("DATE", phrase)
      parts.add("DATE_LANG", "en")
    }
    return parts
  }
}
