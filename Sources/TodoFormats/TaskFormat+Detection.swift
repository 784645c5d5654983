package import Foundation

extension TaskFormat {
  /// Finds the format of a file by its contents; its name decides only between tables and lines.
  ///
  /// - Parameters:
  ///   - data: The bytes of the file; its beginning is enough for all formats but Markdown.
  ///   - fileName: The name of the file; nil for a stream.
  /// - Returns: The format; nil where nothing tells it.
  package static func detect(in data: Data, fileName: String? = nil) -> TaskFormat? {
    let bytes = [UInt8](data.prefix(mostBytes))[...].withoutByteOrderMark
    let text = bytes.trimmed
    let ending = (fileName?.split(separator: ".").last).map { $0.lowercased() } ?? ""
    guard let first = text.first else { return ofEmptyFile(ending: ending) }
    if text.prefix(20).map({ $0 | 0x20 }).starts(with: "begin:v".utf8.map { $0 | 0x20 }) {
      return .vtodo
    }
    if first == UInt8(ascii: "{") { return ofObjects(text, isArray: false) }
    if first == UInt8(ascii: "["), isArray(text) { return ofObjects(text, isArray: true) }
    if let table = ofTable(bytes) { return table }
    return ofLines(bytes, ending: ending)
  }

  /// How much of a file is looked at.
  private static let mostBytes = 1 << 20

  private static func ofEmptyFile(ending: String) -> TaskFormat? {
    switch ending {
    case "txt": .todoTxt
    case "ics": .vtodo
    case "md", "markdown": .markdown
    case "csv", "tsv": .csv
    case "json": .json
    case "ndjson", "jsonl": .ndjson
    default: nil
    }
  }

  /// Whether `[` begins an array of objects, and not the text of a line.
  private static func isArray(_ text: ArraySlice<UInt8>) -> Bool {
    let rest = text.dropFirst().trimmed
    return rest.first.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "]") } ?? true
  }

  private static func ofObjects(_ text: ArraySlice<UInt8>, isArray: Bool) -> TaskFormat? {
    var stream = ObjectStream(text)
    do {
      guard let members = try stream.next()?.members else { return isArray ? .json : nil }
      let keys = Set(members.map(\.key))
      if keys.contains("description"), !keys.contains("title") { return .taskwarrior }
      if keys.contains("title") || keys.isSuperset(of: ["name", "color"]) {
        return isArray ? .json : .ndjson
      }
      // Objects without both keys are refused one by one, by the reader that they look like.
      return keys.isDisjoint(with: ["uuid", "status", "entry"]) ? nil : .taskwarrior
    } catch is TaskIssue {
      return isArray ? .json : nil
    } catch {
      return nil
    }
  }

  /// A table with a header that is known; the records before it may be those of TickTick.
  private static func ofTable(_ bytes: ArraySlice<UInt8>) -> TaskFormat? {
    let separator = CSVRows.separator(of: bytes)
    var rows = CSVRows(bytes, separator: separator)
    var isFirst = true
    for _ in 0..<10 {
      do {
        guard let row = try rows.next() else { return nil }
        if row.isBlank { continue }
        if TickTickFormat.isHeader(row.cells) { return .ticktick }
        let names = row.cells.map(\.trimmedBlanks)
        if TodoistFormat.isHeader(names) { return .todoist }
        let fields = Set(names.compactMap(ColumnMap.field))
        if isFirst, names.count > 1, fields.contains(.title) { return .csv }
        isFirst = false
      } catch {
        isFirst = false
      }
    }
    return nil
  }

  private static func ofLines(_ bytes: ArraySlice<UInt8>, ending: String) -> TaskFormat? {
    var hasTodoTxt = false
    for line in LineScanner(bytes) {
      guard let text = String(validating: line.bytes, as: UTF8.self) else { continue }
      let words = text.words
      if words.count > 1, ["-", "*", "+"].contains(words[0]), words[1].hasPrefix("[") {
        let box = words[1...].prefix(2).joined(separator: " ")
        if box.unicodeScalars.dropFirst(2).first == "]" { return .markdown }
      }
      let parts = TodoTxtFormat.parts(ofLine: text)
      hasTodoTxt = hasTodoTxt || parts.contains { TodoTxtFormat.tellingNames.contains($0.name) }
    }
    if let named = ofEmptyFile(ending: ending), [.markdown, .csv, .todoTxt].contains(named) {
      return named
    }
    return hasTodoTxt ? .todoTxt : nil
  }
}
