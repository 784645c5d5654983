/// A line whose bytes are not UTF-8, with its number; the reading ends there.
struct UndecodableLine: Error {
  let number: Int
}

/// The lines of a file, as bytes, with their numbers.
///
/// A line ends with LF, CRLF or CR.
struct LineScanner: Sequence, IteratorProtocol {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var number = 0

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  struct Line {
    let number: Int
    /// Without the line end.
    let bytes: ArraySlice<UInt8>
  }

  mutating func next() -> Line? {
    guard position < bytes.endIndex else { return nil }
    number += 1
    let start = position
    var end = start
    while end < bytes.endIndex, bytes[end] != .lineFeed, bytes[end] != .carriageReturn { end += 1 }
    position = end + bytes.lengthOfLineEnd(at: end)
    return Line(number: number, bytes: bytes[start..<end])
  }
}

extension LineScanner.Line {
  func text() throws -> String { try bytes.text(line: number) }
}

extension ArraySlice<UInt8> {
  /// The bytes after the mark of UTF-8 that some programs put at the beginning.
  var withoutByteOrderMark: ArraySlice<UInt8> {
    starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
  }

  /// The number of bytes of the line end at an index: LF, CRLF or CR; 0 where there is none.
  func lengthOfLineEnd(at index: Int) -> Int {
    guard index < endIndex else { return 0 }
    if self[index] == .lineFeed { return 1 }
    guard self[index] == .carriageReturn else { return 0 }
    return index + 1 < endIndex && self[index + 1] == .lineFeed ? 2 : 1
  }

  func text(line: Int) throws -> String {
    guard let text = String(validating: self, as: UTF8.self) else {
      throw UndecodableLine(number: line)
    }
    return text
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without blanks and line ends around them.
  var trimmed: SubSequence {
    let start = firstIndex { !$0.isBlankOrLineEnd } ?? endIndex
    return self[start...].trimmedEnd
  }

  /// The bytes without blanks and line ends after them.
  var trimmedEnd: SubSequence {
    lastIndex { !$0.isBlankOrLineEnd }.map { self[...$0] } ?? self[..<startIndex]
  }
}

extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let quote = UInt8(ascii: "\"")

  var isBlank: Bool { self == 0x20 || self == 0x09 }
  var isBlankOrLineEnd: Bool { isBlank || self == .lineFeed || self == .carriageReturn }
  var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

extension String {
  /// The words between spaces and tabs; decomposed Hangul is left decomposed.
  var words: [Substring] {
    utf8.split(whereSeparator: \.isBlank).map { Substring($0) }
  }

  /// The text without blanks and line ends at its ends.
  var trimmedBlanks: String { String(Substring(utf8.trimmed)) }

  /// The lines, with any kind of line end.
  var lineTexts: [String] {
    LineScanner(Array(utf8)[...]).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// The text with a space for each line end, for values that have no escapes.
  var onOneLine: String {
    utf8.contains { $0 == .lineFeed || $0 == .carriageReturn }
      ? lineTexts.joined(separator: " ") : self
  }

  /// The text with a low line for each blank and line end, so that it is one word.
  var withoutBlanks: String {
    utf8.split(whereSeparator: \.isBlankOrLineEnd).map { String(Substring($0)) }
      .joined(separator: "_")
  }
}
