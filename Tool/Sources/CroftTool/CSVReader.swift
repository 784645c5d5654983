import Foundation

/// The bytes of a file or of the standard input, a piece in memory at a time.
///
/// A mark of UTF-8 at the start is passed over.
final class ByteReader {
  /// A field or a line is longer than may be in memory.
  struct TooLong: Error, CustomStringConvertible {
    let bytesMax: Int
    var description: String { "more than \(bytesMax) bytes" }
  }

  /// The most bytes of a field of a table, or of a line of JSON: 256 MiB.
  static let bytesMax = 1 << 28

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let more: () throws -> Data?
  private let bytesMax: Int
  private var piece: [UInt8] = []
  private var place = 0
  private var isAtStart = true
  private var isAtEnd = false

  /// - Parameters:
  ///   - bytesMax: The most bytes that are taken together.
  ///   - more: Gives the next piece; nil or an empty one at the end.
  init(bytesMax: Int = ByteReader.bytesMax, _ more: @escaping () throws -> Data?) {
    (self.bytesMax, self.more) = (bytesMax, more)
  }

  /// The next byte, which stays the next one; nil at the end.
  func peek() throws -> UInt8? {
    if isAtStart { try skipMark() }
    while place == piece.count {
      if isAtEnd { return nil }
      piece = [UInt8](try more() ?? Data())
      place = 0
      isAtEnd = piece.isEmpty
    }
    return piece[place]
  }

  /// Takes the byte that was peeked at, where there was one.
  func advance() { if place < piece.count { place += 1 } }

  /// Takes bytes up to one of a line's end or to one of some signs.
  ///
  /// - Throws: ``TooLong``; what reading bytes throws.
  func take(into bytes: inout [UInt8], upTo isEnd: (UInt8) -> Bool) throws {
    while try peek() != nil {
      let rest = piece[place...]
      let end = rest.firstIndex(where: isEnd)
      let taken = rest[..<(end ?? rest.endIndex)]
      guard bytes.count + taken.count <= bytesMax else { throw TooLong(bytesMax: bytesMax) }
      bytes += taken
      place = taken.endIndex
      if end != nil { return }
    }
  }

  /// Passes over bytes up to one of a line's end or to one of some signs.
  func skip(upTo isEnd: (UInt8) -> Bool) throws {
    while let byte = try peek(), !isEnd(byte) { advance() }
  }

  private func skipMark() throws {
    isAtStart = false
    while piece.count < Self.mark.count, !isAtEnd {
      let next = try more() ?? Data()
      piece += next
      isAtEnd = next.isEmpty
    }
    if piece.starts(with: Self.mark) { place = Self.mark.count }
  }
}

/// Reads a table as RFC 4180 has it, row by row.
///
/// Fields are separated by commas, and rows by CR LF, LF or CR. A field in double quotes may have
/// all of these in it, and two quotes for one. Blanks belong to a field. After a row that cannot be
/// read, the next one can.
struct CSVReader {
  /// A field, and whether it was in quotes: an empty one in quotes is a text, and no absent value.
  struct Field: Equatable {
    let text: String
    let isQuoted: Bool
  }

  /// A row, and the line at which it begins, from 1.
  struct Row: Equatable {
    let line: Int
    let fields: [Field]
  }

  /// A row that cannot be read.
  struct Problem: Error, Equatable {
    /// The line, from 1.
    let line: Int
    /// The number of the field in its row, from 1.
    let column: Int
    let reason: String
  }

  private let bytes: ByteReader
  private var line = 1

  init(_ bytes: ByteReader) { self.bytes = bytes }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let lineFeed = UInt8(ascii: "\n")

  private static func endsField(_ byte: UInt8) -> Bool {
    byte == comma || byte == lineFeed || byte == carriageReturn
  }

  /// The next row; nil at the end.
  ///
  /// - Throws: ``Problem``; ``ShellCommand/Problem`` for a field that is too long, after which
  ///   there is no next row; what reading bytes throws.
  mutating func next() throws -> Row? {
    guard try bytes.peek() != nil else { return nil }
    let start = line
    var fields: [Field] = []
    do {
      repeat {
        fields.append(try field(number: fields.count + 1))
      } while try takes(Self.comma)
    } catch let problem as Problem {
      try bytes.skip { $0 == Self.lineFeed || $0 == Self.carriageReturn }
      try takeLineEnd()
      throw problem
    }
    try takeLineEnd()
    return Row(line: start, fields: fields)
  }

  private func takes(_ byte: UInt8) throws -> Bool {
    guard try bytes.peek() == byte else { return false }
    bytes.advance()
    return true
  }

  private mutating func takeLineEnd() throws {
    let isReturn = try takes(Self.carriageReturn)
    let isFeed = try takes(Self.lineFeed)
    if isReturn || isFeed { line += 1 }
  }

  private mutating func field(number: Int) throws -> Field {
    let start = line
    func problem(_ reason: String) -> Problem {
      Problem(line: start, column: number, reason: reason)
    }
    var content: [UInt8] = []
    let isQuoted = try takes(Self.quote)
    do {
      try takeField(into: &content, isQuoted: isQuoted, problem)
    } catch let error as ByteReader.TooLong {
      throw ShellCommand.Problem(
        reason: "line \(start), column \(number): the field has \(error); is a quote missing?")
    }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw problem("the field is not UTF-8")
    }
    return Field(text: text, isQuoted: isQuoted)
  }

  /// Takes what is in a field, and the last quote of one in quotes.
  private mutating func takeField(
    into content: inout [UInt8], isQuoted: Bool, _ problem: (String) -> Problem
  ) throws {
    if isQuoted {
      try takeQuoted(into: &content, problem)
      if let next = try bytes.peek(), !Self.endsField(next) {
        throw problem("a quote ends in the middle of the field: inside quotes write two for one")
      }
    } else {
      try bytes.take(into: &content, upTo: Self.endsField)
      if content.contains(Self.quote) {
        throw problem("a quote is in a field without quotes around it: put the field in quotes")
      }
    }
  }

  /// Takes what is between quotes, and the last quote.
  private mutating func takeQuoted(
    into content: inout [UInt8], _ problem: (String) -> Problem
  ) throws {
    while true {
      let start = content.count
      try bytes.take(into: &content) { $0 == Self.quote }
      line += Self.lineCount(content[start...])
      guard try takes(Self.quote) else {
        throw problem("the quote that begins here has no end; the end of the file may be missing")
      }
      guard try takes(Self.quote) else { return }
      content.append(Self.quote)
    }
  }

  private static func lineCount(_ content: ArraySlice<UInt8>) -> Int {
    var (count, last) = (0, UInt8(0))
    for byte in content {
      if byte == lineFeed, last != carriageReturn { count += 1 }
      if byte == carriageReturn { count += 1 }
      last = byte
    }
    return count
  }
}
