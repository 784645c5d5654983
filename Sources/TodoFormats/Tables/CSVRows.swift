/// The rows of a table in text (RFC 4180), with the lines at which they begin.
///
/// A cell in quotes may have separators and line ends, and two quotes for one; blanks around its
/// quotes are dropped. Any other cell keeps its blanks. An error in one row leaves the others.
///
/// In a table with escapes, `\t`, `\n`, `\r` and `\\` are a tab, a line feed, a carriage return and a backslash. Where such a
/// table has no quotes of its own, a quote is a character like any other, unless a pair of quotes in a cell in quotes
/// shows that a spreadsheet has saved it.
struct CSVRows {
  struct Row {
    /// The line at which the row begins, counted from 1.
    let line: Int
    let cells: [String]

    var isBlank: Bool { cells.allSatisfy { $0.trimmedBlanks.isEmpty } }
  }

  private let bytes: ArraySlice<UInt8>
  private let separator: UInt8
  private let hasEscapes: Bool
  private let hasQuotes: Bool
  private var position: Int
  private var line = 1

  init(
    _ bytes: ArraySlice<UInt8>, separator: UInt8, hasEscapes: Bool = false, hasQuotes: Bool = true
  ) {
    self.bytes = bytes
    self.separator = separator
    self.hasEscapes = hasEscapes
    self.hasQuotes = hasQuotes
    position = bytes.startIndex
  }

  /// The separator of a file: the one of comma, semicolon and tab that splits its first row most.
  static func separator(of bytes: ArraySlice<UInt8>) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    let counts = candidates.map { separator in
      var rows = CSVRows(bytes, separator: separator)
      // A malformed row becomes an issue when the file is read.
      return (try? rows.nextFilled())?.cells.count ?? 0
    }
    return zip(candidates, counts).reduce((candidates[0], 0)) { $1.1 > $0.1 ? $1 : $0 }.0
  }

  /// The next row; nil at the end.
  ///
  /// - Throws: `TaskIssue` for a malformed row, after which reading can continue; `UndecodableLine`
  ///   for bytes that are not UTF-8.
  mutating func next() throws -> Row? {
    guard position < bytes.endIndex else { return nil }
    let start = position
    let first = line
    var cells = [try nextCell(ofRowAt: first)]
    while position < bytes.endIndex, bytes[position] == separator {
      position += 1
      cells.append(try nextCell(ofRowAt: first))
    }
    let row = bytes[start..<position]
    if position < bytes.endIndex {
      position += bytes.lengthOfLineEnd(at: position)
      line += 1
    }
    let texts = try cells.compactMap { try $0?.text(line: first) }
    if texts.count == cells.count { return Row(line: first, cells: texts) }
    // Bytes that are not UTF-8 end the reading in a malformed row too.
    _ = try row.text(line: first)
    throw TaskIssue(
      .error, row: first, "A cell of this row has a quote, but not around all of it.",
      "이 줄에 칸 전체를 감싸지 않은 따옴표가 있습니다.")
  }

  /// The next row with a cell that says something; nil at the end.
  mutating func nextFilled() throws -> Row? {
    while let row = try next() {
      if !row.isBlank { return row }
    }
    return nil
  }

  /// Reads the bytes of a cell, up to a separator, a line end or the end of the file.
  ///
  /// - Returns: The bytes without the quotes around them; nil where quotes are out of order.
  /// - Throws: `TaskIssue` for a quote that is not closed.
  private mutating func nextCell(ofRowAt first: Int) throws -> ArraySlice<UInt8>? {
    let start = position
    if !hasQuotes {
      skip { _ in true }
      let cell = bytes[start..<position]
      return (cell.insideOfQuotes ?? cell).withoutEscapes
    }
    let cell = try nextQuotedCell(ofRowAt: first)
    return hasEscapes ? cell?.withoutEscapes : cell
  }

  /// Reads the bytes of a cell that may be in quotes.
  private mutating func nextQuotedCell(ofRowAt first: Int) throws -> ArraySlice<UInt8>? {
    let start = position
    skip { $0.isBlank }
    guard position < bytes.endIndex, bytes[position] == .quote else {
      skip { _ in true }
      return bytes[start..<position].withSingleQuotes
    }
    position += 1
    let inner = position
    var isQuoted = true
    while isQuoted {
      guard let quote = bytes[position...].firstIndex(of: .quote) else {
        position = bytes.endIndex
        throw TaskIssue(
          .error, row: first,
          "A quote in this row is not closed: the end of the file may be missing.",
          "이 줄의 따옴표가 닫히지 않았습니다. 파일의 끝이 없을 수 있습니다.")
      }
      position = quote + 1
      isQuoted = position < bytes.endIndex && bytes[position] == .quote
      if isQuoted { position += 1 }
    }
    let cell = bytes[inner..<(position - 1)]
    line += cell.lineEndCount
    skip { $0.isBlank }
    let end = position
    skip { _ in true }
    return position == end ? cell.withSingleQuotes : nil
  }

  /// Skips bytes inside of a cell as long as they satisfy a condition.
  private mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while position < bytes.endIndex, case let byte = bytes[position], byte != separator,
      byte != .lineFeed, byte != .carriageReturn, isSkipped(byte)
    {
      position += 1
    }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes with one quote for each pair of quotes; nil where one has no other.
  fileprivate var withSingleQuotes: ArraySlice<UInt8>? {
    guard contains(.quote) else { return self }
    var single: [UInt8] = []
    var isSecond = false
    for byte in self {
      if isSecond, byte != .quote { return nil }
      isSecond = !isSecond && byte == .quote
      if !isSecond { single.append(byte) }
    }
    return isSecond ? nil : single[...]
  }

  /// The contents of a quoted cell, with `"` for each `""`; nil for a cell without quotes around it or `""` in it.
  fileprivate var insideOfQuotes: ArraySlice<UInt8>? {
    guard count > 3, first == .quote, last == .quote else { return nil }
    let inside = dropFirst().dropLast()
    return inside.contains(.quote) ? inside.withSingleQuotes : nil
  }

  /// The bytes with the characters that escapes mean; a backslash before any other byte stays.
  fileprivate var withoutEscapes: ArraySlice<UInt8> {
    let backslash = UInt8(ascii: "\\")
    guard contains(backslash) else { return self }
    let meanings: [UInt8: UInt8] = [
      backslash: backslash, UInt8(ascii: "t"): UInt8(ascii: "\t"),
      UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "r"): UInt8(ascii: "\r"),
    ]
    var plain: [UInt8] = []
    var rest = self
    while let byte = rest.popFirst() {
      if byte == backslash, let next = rest.first, let meaning = meanings[next] {
        rest.removeFirst()
        plain.append(meaning)
      } else {
        plain.append(byte)
      }
    }
    return plain[...]
  }

  /// How many line ends the bytes have.
  fileprivate var lineEndCount: Int {
    // A byte after the last line end makes a line of its own.
    LineScanner(self + [0]).reduce(-1) { count, _ in count + 1 }
  }
}

extension String {
  /// The text as a cell of a table that is separated by commas.
  package var csvCell: String {
    let needsQuotes =
      utf8.contains { $0 == .quote || $0 == UInt8(ascii: ",") || $0 < 0x20 }
      || utf8.first == 0x20 || utf8.last == 0x20
      || unicodeScalars.contains { ["\u{85}", "\u{2028}", "\u{2029}"].contains($0) }
    if !needsQuotes { return self }
    // A quote and a mark after it are one character, so scalars are looked at.
    var scalars = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in unicodeScalars {
      if scalar == "\"" { scalars.append(scalar) }
      scalars.append(scalar)
    }
    scalars.append("\"")
    return String(scalars)
  }
}
