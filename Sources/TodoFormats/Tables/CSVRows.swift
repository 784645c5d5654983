import Foundation
import SwiftCSV

/// The rows of a table in text, with the lines at which they begin.
///
/// The rows are separated here, which gives them their lines, keeps an error in one row inside it and
/// lets a reader stop between rows. SwiftCSV takes a row with quotes apart. It reads characters, and
/// would take a separator or a quote and a mark after it, such as U+0301, for one of them; so it is
/// given a code point between the two.
struct CSVRows {
  /// A row of a table.
  struct Row {
    /// The line at which the row begins, counted from 1.
    let line: Int
    let cells: [String]

    /// Whether no cell says anything.
    var isBlank: Bool { cells.allSatisfy { $0.trimmedBlanks.isEmpty } }
  }

  /// A malformed row.
  struct Failure: Error {
    let line: Int
    let text: IssueText
  }

  private let bytes: ArraySlice<UInt8>
  private let separator: UInt8
  private var position: Int
  private var line = 1

  init(_ bytes: ArraySlice<UInt8>, separator: UInt8) {
    self.bytes = bytes
    self.separator = separator
    position = bytes.startIndex
  }

  /// The separator of a file: the one of comma, semicolon and tab that its first line has most of.
  static func separator(of bytes: ArraySlice<UInt8>) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    var hasText = false
    for byte in bytes {
      if byte == .quote { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == .lineFeed || byte == .carriageReturn {
        if hasText { break }
        continue
      }
      hasText = hasText || !byte.isBlank
      counts[byte, default: 0] += 1
    }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    return candidates.reduce(candidates[0]) { (counts[$1] ?? 0) > (counts[$0] ?? 0) ? $1 : $0 }
  }

  /// The next row; nil at the end.
  ///
  /// - Throws: `Failure` for a malformed row, after which reading can continue; `UndecodableLine`
  ///   for bytes that are not UTF-8.
  mutating func next() throws -> Row? {
    guard position < bytes.endIndex else { return nil }
    let start = position
    let first = line
    var hasQuotes = false
    var isQuoted = false
    var isAtStart = true
    var closing: Int?
    var end: Int?
    while position < bytes.endIndex, end == nil {
      let byte = bytes[position]
      if byte == .quote {
        // A quote right after the one that closed a cell was the second of a pair: the cell continues.
        let goesOn = closing.map { $0 == position - 1 } ?? false
        if isQuoted { closing = position }
        isQuoted = !isQuoted && (isAtStart || goesOn)
        hasQuotes = true
      } else if byte == .lineFeed || byte == .carriageReturn {
        line += byte == .lineFeed || !isPair(at: position) ? 1 : 0
        if !isQuoted { end = position }
      }
      isAtStart = !isQuoted && (byte == separator || isAtStart && byte.isBlank)
      position += 1
    }
    if end != nil, bytes[position - 1] == .carriageReturn, position < bytes.endIndex,
      bytes[position] == .lineFeed
    {
      position += 1
      line += 1
    }
    if isQuoted {
      throw Failure(
        line: first,
        text: IssueText(
          "A quote in this row is not closed: the end of the file may be missing.",
          "이 줄의 따옴표가 닫히지 않았습니다. 파일의 끝이 없을 수 있습니다."))
    }
    let row = bytes[start..<(end ?? position)]
    let cells = try hasQuotes ? quotedCells(of: row, line: first) : cells(of: row, line: first)
    return Row(line: first, cells: cells)
  }

  /// Whether CR is followed by LF, which ends the same line.
  private func isPair(at index: Int) -> Bool {
    index + 1 < bytes.endIndex && bytes[index + 1] == .lineFeed
  }

  private func cells(of row: ArraySlice<UInt8>, line: Int) throws -> [String] {
    try row.split(separator: separator, omittingEmptySubsequences: false).map {
      try $0.text(line: line)
    }
  }

  // MARK: SwiftCSV

  private func quotedCells(of row: ArraySlice<UInt8>, line: Int) throws -> [String] {
    let text = Self.guarded(try row.text(line: line), separator: separator)
    let delimiter = CSVDelimiter(unicodeScalarLiteral: Character(Unicode.Scalar(separator)))
    do {
      // An empty cell at the end of the text is none for SwiftCSV, so the text ends with a line end.
      let csv = try CSV<Enumerated>(
        string: text + "\n", delimiter: delimiter, loadColumns: false, rowLimit: 0)
      return csv.header.map(Self.unguarded)
    } catch {
      throw Failure(
        line: line,
        text: IssueText(
          "A cell of this row has a quote, but not around all of it.",
          "이 줄에 칸 전체를 감싸지 않은 따옴표가 있습니다."))
    }
  }

  /// The code point that is put before a mark: it is not a character, so no file has it.
  private static let fence = Unicode.Scalar(0xFDD0 as UInt32)

  private static func guarded(_ text: String, separator: UInt8) -> String {
    guard let fence else { return text }
    var guarded = String.UnicodeScalarView()
    var isBehindSign = true
    for scalar in text.unicodeScalars {
      if isBehindSign, !scalar.isASCII { guarded.append(fence) }
      guarded.append(scalar)
      isBehindSign =
        scalar == "\"" || scalar == "\n" || scalar == "\r" || scalar.value == UInt32(separator)
    }
    return String(guarded)
  }

  private static func unguarded(_ cell: String) -> String {
    guard cell.utf8.contains(where: { $0 == 0xEF }) else { return cell }
    return String(String.UnicodeScalarView(cell.unicodeScalars.filter { $0 != fence }))
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
