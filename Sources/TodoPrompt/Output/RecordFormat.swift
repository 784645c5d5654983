import TodoFormats

/// A format in which records are written for programs.
enum RecordFormat: String {
  /// One JSON document.
  case json
  /// A JSON object on each line.
  case ndjson
  /// Comma-separated values with a line of keys (RFC 4180, with line feeds).
  case csv
  /// Values between tabs, with a line of keys; tabs, line feeds and backslashes are escaped.
  case tsv
  case md

  /// Records of one kind, each line with its newline.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - keys: The keys of that kind, which are written without records too.
  func text(of records: [OutputRecord], keys: [String]) -> String {
    heading(keys) + text(of: records, isFirst: true) + ending(isEmpty: records.isEmpty)
  }

  /// The text before the first record.
  func heading(_ keys: [String]) -> String {
    switch self {
    case .json, .ndjson: ""
    case .csv, .tsv: line(keys)
    case .md: line(keys) + line(keys.map { _ in "---" })
    }
  }

  /// The next records, between the heading and the ending.
  func text(of records: [OutputRecord], isFirst: Bool) -> String {
    switch self {
    case .json:
      if records.isEmpty { return "" }
      return (isFirst ? "[\n" : ",\n") + records.map(\.json).joined(separator: ",\n")
    case .ndjson: return records.map { $0.json + "\n" }.joined()
    case .csv, .tsv, .md: return records.map { line($0.fields.map(\.value.cell)) }.joined()
    }
  }

  /// What is after the last record.
  func ending(isEmpty: Bool) -> String { self == .json ? isEmpty ? "[]\n" : "\n]\n" : "" }

  /// One record: in JSON an object instead of a list.
  func text(of record: OutputRecord) -> String {
    self == .json ? record.json + "\n" : text(of: [record], keys: record.fields.map(\.key))
  }

  private func line(_ cells: [String]) -> String {
    switch self {
    case .json, .ndjson: ""
    case .csv: cells.map(\.csvCell).joined(separator: ",") + "\n"
    case .tsv: cells.map(Self.escapedForTSV).joined(separator: "\t") + "\n"
    case .md: "| " + cells.map(Self.escapedForMarkdown).joined(separator: " | ") + " |\n"
    }
  }

  private static func escapedForTSV(_ cell: String) -> String {
    var text = ""
    for scalar in cell.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func escapedForMarkdown(_ cell: String) -> String {
    cell.replacing("\\", with: "\\\\").replacing("|", with: "\\|")
      .replacing("\r\n", with: "<br>").replacing("\n", with: "<br>")
  }
}
