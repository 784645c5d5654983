import Croft
import Foundation
import TerminalText

/// Writes rows in a format as they come; a table waits for all of its first thousand.
struct RowWriter {
  /// How many rows decide the widths of a table's columns; later ones are as wide as they are.
  static let rowsMeasured = 1_000
  /// The most columns of a terminal that a value takes in a table.
  static let widthMax = 60

  private let format: OutputFormat
  private let names: [String]
  private let write: (String) -> Bool
  private var waiting: [[String]] = []
  private var widths: [Int]?
  private var count = 0

  /// Makes a writer; nothing is written before the first row or the end.
  init(_ format: OutputFormat, _ names: [String], _ write: @escaping (String) -> Bool) {
    (self.format, self.names, self.write) = (format, names, write)
  }

  /// Writes a row; false when nobody reads any more.
  mutating func add(_ values: [StoredValue]) -> Bool {
    defer { count += 1 }
    switch format {
    case .table:
      waiting.append(values.map { Self.shown(ValueText.plain($0, nothing: "nil")) })
      return waiting.count < Self.rowsMeasured && widths == nil ? true : flush()
    case .plain:
      let texts = values.map { Self.escaped(ValueText.plain($0)) }
      return write(texts.joined(separator: "\t") + "\n")
    case .json: return write((count == 0 ? "[\n  " : ",\n  ") + object(values))
    case .ndjson: return write(object(values) + "\n")
    case .csv: return write(head + Self.csv(values.map { ValueText.plain($0) }))
    case .md: return write(head + Self.markdown(values.map { ValueText.plain($0) }))
    }
  }

  /// Writes what is left, and the head or the brackets of a result without rows.
  mutating func finish() -> Bool {
    switch format {
    case .table: flush()
    case .json: write(count == 0 ? "[]\n" : "\n]\n")
    case .csv, .md: count == 0 ? write(head) : true
    case .plain, .ndjson: true
    }
  }

  /// The lines before the first row.
  private var head: String {
    guard count == 0 else { return "" }
    if format == .csv { return Self.csv(names) }
    return Self.markdown(names) + Self.markdown(names.map { _ in "---" })
  }

  private mutating func flush() -> Bool {
    if widths == nil {
      widths = names.indices.map { column in
        ([names[column]] + waiting.map { $0[column] }).map(\.displayWidth).max() ?? 0
      }
      waiting.insert(names, at: 0)
    }
    let widths = widths ?? []
    let lines = waiting.map { row in
      var line = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }
    waiting.removeAll()
    return write(lines.joined())
  }

  private func object(_ values: [StoredValue]) -> String {
    let fields = zip(names, values).map { "\(ValueText.quoted($0)):\(ValueText.json($1))" }
    return "{" + fields.joined(separator: ",") + "}"
  }

  /// A text on one line, as a table shows it.
  private static func shown(_ text: String) -> String {
    escaped(text).truncated(to: widthMax)
  }

  /// A text without control characters: a backslash and a letter or a number stand for each.
  private static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return text
    }
    return text.unicodeScalars.reduce(into: "") { shown, scalar in
      switch scalar {
      case "\n": shown += "\\n"
      case "\t": shown += "\\t"
      case "\r": shown += "\\r"
      case _ where scalar.properties.generalCategory == .control:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
  }

  /// A record as RFC 4180 has it, with the line feed that files here end with.
  private static func csv(_ texts: [String]) -> String {
    texts.map { text in
      let needsQuotes = text.contains { ",\"\n\r".contains($0) || $0.isNewline }
      return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }.joined(separator: ",") + "\n"
  }

  private static func markdown(_ texts: [String]) -> String {
    "| "
      + texts.map { escaped($0).replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
  }
}
