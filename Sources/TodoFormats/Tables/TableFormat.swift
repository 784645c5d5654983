/// Any table with a header, separated by commas, semicolons or tabs.
///
/// A task is the cells of its row, those of fields under our names.
struct TableFormat: PartFormat {
  var options: FormatOptions

  func read(_ bytes: ArraySlice<UInt8>, into file: inout TaskFile) throws {
    let separator = CSVRows.separator(of: bytes)
    var start = CSVRows(bytes, separator: separator)
    var rows = start
    guard let first = try rows.nextFilled() else { return }
    // A number of `todo ls` counts in the list that was printed only; with tabs, its texts have escapes.
    let isList = first.cells.map(\.trimmedBlanks).starts(with: ["id", "number", "title", "isDone"])
    if isList, separator == UInt8(ascii: "\t") {
      // We write no quotes and no carriage returns; a spreadsheet that has saved the list may write both.
      let header = bytes.prefix { $0 != .lineFeed }
      start = CSVRows(
        bytes, separator: separator, hasEscapes: true,
        hasQuotes: header.contains(.quote) || header.last == .carriageReturn)
      rows = start
      _ = try rows.nextFilled()
    }
    let map = options.columns.map(\.columns)
    // A map of numbers may be for a table without a header.
    let isHeader =
      first.cells.contains { ColumnMap.field(named: $0.trimmedBlanks) != nil }
      || map.map { $0.values.contains { !$0.isNumber } } ?? true
    var table = TableReader(
      rows: isHeader ? rows : start,
      header: isHeader ? first.cells : first.cells.indices.map { "column \($0 + 1)" })
    let names = try fields(of: table.columns)
    guard names.values.contains(ColumnMap.name(of: .title)) else {
      let found = table.columns.joined(separator: ", ").quotedBriefly
      throw TaskIssue(
        .fatal, row: first.line,
        "No column is the title. Name it with --map title=COLUMN; the columns are \(found).",
        "제목 열을 알 수 없습니다. --map title=열 이름으로 정하세요. 열: \(found).")
    }
    let columns = table.columns.filter { !isList || $0 != "number" }
    let partNames = Dictionary(
      columns.map { column in
        // A column that only has the name of a field is not that field.
        let isTaken = Self.fieldNames.contains(column)
        return (column, names[column] ?? (isTaken ? "\(column) (column)" : column))
      }
    ) { one, _ in one }
    let omissions = Omissions(
      ofColumns: Set(partNames.values), namesOfFields: Self.namesOfFields)
    while let row = try table.next(&file) {
      let parts = row.parts.compactMap { part in
        partNames[part.name].map { TaskRecord.Part($0, part.text) }
      }
      try file.add(row: row.line, omissions: omissions) {
        try record(of: parts, report: $0)
      }
    }
  }

  /// The names of fields by the columns that mean them.
  ///
  /// - Throws: `TaskIssue` for a column of the map that the table has not.
  private func fields(of columns: [String]) throws -> [String: String] {
    var names: [String: String] = [:]
    var taken: Set<TaskField> = []
    for (field, column) in options.columns?.columns ?? [:] {
      let index: Int? =
        switch column {
        case .name(let name): columns.firstIndex { $0.lowercased() == name.lowercased() }
        case .number(let number): number <= columns.count ? number - 1 : nil
        }
      guard let index else {
        throw TaskIssue(
          .fatal, row: 1, "There is no column \(column.words) in the header.",
          "머리글에 \(column.words) 열이 없습니다.")
      }
      names[columns[index]] = ColumnMap.name(of: field)
      taken.insert(field)
    }
    for column in columns where names[column] == nil {
      if let field = ColumnMap.field(named: column), taken.insert(field).inserted {
        names[column] = ColumnMap.name(of: field)
      }
    }
    return names
  }

  func write(_ records: [TaskRecord]) -> TaskOutput {
    var output = TaskOutput()
    let rows = records.enumerated().map { parts(of: $1, row: $0 + 1, &output) }
    output.text = String(table: rows, columns: Self.usualColumns)
    return output
  }

  // MARK: Tasks

  static var format: TaskFormat { .csv }

  /// The names of the columns of all fields.
  static let fieldNames = Set(TaskField.ofTables.map(ColumnMap.name))
  /// The columns that say something about each field; a state is told by that of `isDone` alone.
  static let namesOfFields = Dictionary(
    TaskField.ofTables.filter { ![.title, .foreignID].contains($0) }.map { field in
      let names = [field, .isDone].prefix(field == .isCancelled ? 2 : 1).map(ColumnMap.name)
      return (field, Set(names))
    }
  ) { one, _ in one }
  /// The columns that every table of ours has: those of all that an item has.
  static let usualColumns = TaskField.ofTables.prefix { $0 != .isCancelled }.map(ColumnMap.name)

  func interpret(_ parts: [Part], report: Report) throws -> TaskRecord {
    let cells = Dictionary(parts.map { ($0.name, $0.text) }) { one, _ in one }
    func cell(_ field: TaskField) -> String? { cells[ColumnMap.name(of: field)] }
    func understood<Value>(_ field: TaskField, _ read: (String) -> Value?) -> Value? {
      guard let text = cell(field)?.trimmedBlanks, !text.isEmpty else { return nil }
      if let value = read(text) { return value }
      let name = field.words
      report(field, .kept(text, as: "The \(name.english)", korean: name.korean))
      return nil
    }
    guard let title = cell(.title)?.onOneLine, !title.trimmedBlanks.isEmpty else {
      throw IssueText("The row has no title.", "줄에 제목이 없습니다.")
    }
    var record = TaskRecord(title: title)
    for (field, text) in TaskField.texts { record[keyPath: text] = cell(field) }
    record.isDone = understood(.isDone, Self.bool) ?? false
    record.isCancelled = understood(.isCancelled, Self.bool) ?? false
    record.isImportant = understood(.isImportant, Self.bool) ?? false
    record.priority = understood(.priority, Self.priority) ?? .none
    record.due = understood(.due, date)
    record.start = understood(.start, date)
    record.wait = understood(.wait, date)
    record.tags = (cell(.tags) ?? "").tagList
    record.notes = cell(.notes).map { [TaskNote($0)] } ?? []
    record.createdAt = understood(.createdAt) { DateText($0)?.moment(in: timeZone) }
    record.doneAt = understood(.doneAt) { DateText($0)?.moment(in: timeZone) }
    record.repeats = cell(.repeats).map(Self.repetition)
    record.level = understood(.level) { Int($0).map { max(0, $0) } } ?? 0
    record.order = understood(.order) { Int64($0) }
    return record
  }

  func canonicalParts(of record: TaskRecord) -> [Part] {
    var parts: [Part] = []
    func add(_ field: TaskField, _ text: String?) {
      parts.add(ColumnMap.name(of: field), text)
    }
    add(.title, record.title)
    add(.isDone, record.isDone ? "true" : "false")
    add(.isCancelled, record.isCancelled ? "true" : nil)
    add(.isImportant, record.isImportant ? "true" : "false")
    add(.priority, record.priority.rawValue)
    add(.due, record.due?.description)
    add(.start, record.start?.description)
    add(.wait, record.wait?.description)
    let isPlain = record.tags.allSatisfy { $0.utf8.first != 0x23 && !$0.utf8.contains(0x2C) }
    add(.tags, isPlain ? record.tags.joined(separator: ", ") : record.tags.typedTags)
    add(.notes, record.notes.map(\.text).joined(separator: "\n"))
    add(.createdAt, record.createdAt?.dashedUTC)
    add(.doneAt, record.doneAt?.dashedUTC)
    add(.repeats, record.repeats.map(Self.text))
    for (field, text) in TaskField.texts { add(field, record[keyPath: text]) }
    add(.level, record.level == 0 ? nil : String(record.level))
    add(.order, record.order.map { String($0) })
    return parts
  }

  // MARK: Values

  private func date(_ text: String) -> TaskDate? {
    if let date = TaskDate(text) { return date }
    // `2026/06/01` and `2026.06.01` have one meaning; `6/1/2026` has two and is none.
    let dashed = text.utf8.map { [UInt8(ascii: "/"), UInt8(ascii: ".")].contains($0) ? 0x2D : $0 }
    guard let read = DateText(text) ?? DateText(String(decoding: dashed, as: UTF8.self)) else {
      return nil
    }
    return read.local(in: timeZone)
  }

  private static func bool(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "y", "1", "x", "[x]", "done", "completed", "완료", "예": true
    case "false", "no", "n", "0", "[ ]", "open", "pending", "아니요", "미완료": false
    default: nil
    }
  }

  private static func priority(_ text: String) -> TaskPriority? {
    switch text.lowercased() {
    case "high", "h", "높음": .high
    case "normal", "medium", "m", "n", "보통": .normal
    case "low", "l", "낮음": .low
    case "none", "없음": TaskPriority.none
    default: nil
    }
  }

  private static func text(of repetition: TaskRepeat) -> String {
    let isPlain = repetition.kind == .phrase && Self.repetition(repetition.text) == repetition
    return isPlain ? repetition.text : "\(repetition.kind.rawValue):\(repetition.text)"
  }

  private static func repetition(_ text: String) -> TaskRepeat {
    let pair = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if pair.count == 2, let kind = TaskRepeat.Kind(rawValue: String(pair[0])) {
      return TaskRepeat(kind, String(pair[1]))
    }
    return TaskRepeat(.phrase, text)
  }
}

extension ColumnMap.Column {
  fileprivate var isNumber: Bool {
    if case .number = self { true } else { false }
  }

  fileprivate var words: String {
    switch self {
    case .name(let name): name.quotedBriefly
    case .number(let number): "\(number)"
    }
  }
}
