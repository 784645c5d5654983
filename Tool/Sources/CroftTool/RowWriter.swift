public import Croft
import Foundation
import TerminalText

/// Writes rows in a format as they come; a table waits for all of its first thousand.
public struct RowWriter {
  /// How many rows decide the widths of a table's columns; later ones are as wide as they are.
  static let rowsMeasured = 1_000
  /// The most columns of a terminal that a value takes in a table.
  static let widthMax = 60

  private let format: OutputFormat
  private let names: [String]
  private let streams: Streams
  private var waiting: [[String]] = []
  private var widths: [Int]?
  private var count = 0
  private var hasHead = false
  /// How many values of a table were shortened.
  private var shortenedCount = 0

  /// Makes a writer; nothing is written before the first row or the end.
  ///
  /// - Parameters:
  ///   - format: How rows are written.
  ///   - names: The names of the values, in order.
  ///   - streams: Where they are written.
  public init(_ format: OutputFormat, _ names: [String], to streams: Streams) {
    (self.format, self.names, self.streams) = (format, names, streams)
  }

  /// Writes a row.
  ///
  /// - Parameter values: Its values, in the order of the names.
  /// - Throws: What the streams throw.
  public mutating func add(_ values: [StoredValue]) throws {
    switch format {
    case .table:
      let texts = values.map { ValueText.plain($0, nothing: "nil").escaped() }
      waiting.append(texts.map { $0.truncated(to: Self.widthMax) })
      shortenedCount += zip(texts, waiting.last ?? []).count { $0 != $1 }
      if waiting.count >= Self.rowsMeasured || widths != nil { try flush() }
    case .plain:
      let texts = values.map { ValueText.plain($0).escaped(backslash: true) }
      try write(texts.joined(separator: "\t") + "\n")
    case .json: try write((count == 0 ? "[\n  " : ",\n  ") + object(values))
    case .ndjson: try write(object(values) + "\n")
    case .csv: try write(head() + values.map(Self.cell).joined(separator: ",") + "\n")
    case .md: try write(head() + Self.markdown(values.map { ValueText.plain($0) }))
    }
    count += 1
  }

  /// Writes what is left, and the head or the brackets of a result without rows.
  ///
  /// A message tells how many values of a table were shortened, and how to see them whole.
  ///
  /// - Throws: What the streams throw.
  public mutating func finish() throws {
    switch format {
    case .table:
      try flush()
      if shortenedCount > 0 {
        let values = shortenedCount == 1 ? "1 value is" : "\(shortenedCount) values are"
        streams.report(
          "croft: \(values) shortened to \(Self.widthMax) columns, with ... at the end; "
            + "-o plain, or .mode plain, shows all of it")
        shortenedCount = 0
      }
    case .json: try write(count == 0 ? "[]\n" : "\n]\n")
    case .csv, .md: try write(head())
    case .plain, .ndjson: break
    }
  }

  private func write(_ text: String) throws {
    if !text.isEmpty { try streams.write(Data(text.utf8)) }
  }

  /// The lines before the first row; empty once they are written.
  private mutating func head() -> String {
    if hasHead { return "" }
    hasHead = true
    if format == .csv { return Self.csv(names) }
    return Self.markdown(names) + Self.markdown(names.map { _ in "---" })
  }

  private mutating func flush() throws {
    if widths == nil {
      waiting.insert(names.map(Self.shown), at: 0)
      widths = names.indices.map { column in
        waiting.map { $0[column].displayWidth }.max() ?? 0
      }
    }
    let widths = widths ?? []
    let lines = waiting.map { row in
      var line = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }
    waiting.removeAll()
    try write(lines.joined())
  }

  private func object(_ values: [StoredValue]) -> String {
    let fields = zip(names, values).map { "\($0.jsonQuoted):\(ValueText.json($1))" }
    return "{" + fields.joined(separator: ",") + "}"
  }

  /// A text on one line, as a table shows it.
  private static func shown(_ text: String) -> String { text.escaped().truncated(to: widthMax) }

  /// A value as a cell of a table that is separated by commas.
  ///
  /// An empty text has quotes, and nil has none. The texts of a list have quotes of their own, so that an import finds
  /// where each ends.
  private static func cell(_ value: StoredValue) -> String {
    if case .string("") = value { return "\"\"" }
    if case .list = value { return value.literal.csvCell }
    return ValueText.plain(value).csvCell
  }

  /// A record as RFC 4180 has it, with the line feed that files here end with.
  private static func csv(_ texts: [String]) -> String {
    texts.map(\.csvCell).joined(separator: ",") + "\n"
  }

  private static func markdown(_ texts: [String]) -> String {
    "| " + texts.map { $0.escaped(backslash: true, also: "|") }.joined(separator: " | ") + " |\n"
  }
}

extension String {
  /// A text without what a terminal would act on: a backslash and a letter or a number stand for
  /// each.
  ///
  /// Those are control characters, ends of lines, and the marks that turn the direction of writing.
  /// Scalars are
  /// looked at, because a sign and a mark after it are one character.
  ///
  /// - Parameters:
  ///   - backslash: Whether a backslash is doubled, so that the text can be read again.
  ///   - sign: One more sign that gets a backslash.
  func escaped(backslash: Bool = false, also sign: Unicode.Scalar? = nil) -> String {
    var shown = UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": shown += "\\n".unicodeScalars
      case "\t": shown += "\\t".unicodeScalars
      case "\r": shown += "\\r".unicodeScalars
      case "\\" where backslash: shown += "\\\\".unicodeScalars
      case _ where scalar == sign: shown.append(contentsOf: ["\\", scalar])
      case _ where scalar.isControl:
        shown += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
      default: shown.append(scalar)
      }
    }
    return String(shown)
  }

  /// The text as a cell of a table that is separated by commas.
  fileprivate var csvCell: String {
    let special: Set<Unicode.Scalar> = [
      ",", "\"", "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}",
    ]
    let scalars = unicodeScalars
    let needsQuotes =
      scalars.first == " " || scalars.last == " " || scalars.contains { special.contains($0) }
    if !needsQuotes { return self }
    var quoted = UnicodeScalarView("\"".unicodeScalars)
    for scalar in scalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
