import Foundation

/// Reads JSON (RFC 8259) and keeps the text of each value.
///
/// Foundation's decoders turn a number into a Double, an Int or a Decimal and forget the order of keys;
/// a file that is written back must have `1.50` and `12345678901234567890` unchanged.
struct JSONScanner {
  /// The bytes of a value in the file.
  typealias Value = ArraySlice<UInt8>

  /// A mistake in JSON, with the line where it was noticed.
  struct Failure: Error {
    let line: Int
    /// A verb and its object, which follow "it".
    let text: IssueText
  }

  struct Member {
    let key: String
    let value: Value

    func field(line: Int) -> JSONField { JSONField(key: key, value: value, line: line) }
  }

  /// How deep arrays and objects may be nested: more than files of tasks ever are.
  static let deepestNesting = 200

  private let bytes: Value
  private(set) var position: Int
  /// The line of `position`, counted from 1.
  private(set) var line: Int

  init(_ bytes: Value, line: Int = 1) {
    self.bytes = bytes
    position = bytes.startIndex
    self.line = line
  }

  /// The next byte that is not white space; nil at the end.
  mutating func peek() -> UInt8? {
    while position < bytes.endIndex, bytes[position].isBlankOrLineEnd {
      if bytes[position] == .lineFeed { line += 1 }
      position += 1
    }
    return position < bytes.endIndex ? bytes[position] : nil
  }

  /// Skips a character if it is the next one; false if it is not.
  mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: sign) else { return false }
    position += 1
    return true
  }

  /// Whether only blanks come before `position` on its line.
  var isAtLineStart: Bool {
    let blanks = bytes[..<position].reversed().drop(while: \.isBlank)
    return blanks.first.map { $0 == .lineFeed } ?? true
  }

  mutating func skipLine() {
    while position < bytes.endIndex, bytes[position] != .lineFeed { position += 1 }
  }

  /// Reads an object.
  ///
  /// - Throws: `Failure`, and `UndecodableLine` for a key that is not UTF-8.
  mutating func members(depth: Int = 0) throws -> [Member] {
    try begin("{", depth, "has no object where one is expected", "객체가 있어야 할 곳에 없습니다")
    if skip("}") { return [] }
    var members: [Member] = []
    while true {
      guard peek() == .quote else {
        throw failure("has no key in quotes where one is expected", "따옴표 안의 키가 있어야 할 곳에 없습니다")
      }
      let key = try Self.string(try value(depth: depth + 1), line: line)
      guard skip(":") else {
        throw failure(
          "has no colon after the key \(key.quotedBriefly)",
          "키 \(key.quotedBriefly) 뒤에 콜론이 없습니다")
      }
      members.append(Member(key: key, value: try value(depth: depth + 1)))
      if skip("}") { return members }
      guard skip(",") else {
        throw failure(
          "has neither , nor } after \(key.quotedBriefly)",
          "\(key.quotedBriefly) 뒤에 ,도 }도 없습니다")
      }
    }
  }

  /// Reads an array; throws as an object does.
  mutating func elements(depth: Int = 0) throws -> [Value] {
    try begin("[", depth, "has no array where one is expected", "목록이 있어야 할 곳에 없습니다")
    if skip("]") { return [] }
    var elements: [Value] = []
    while true {
      elements.append(try value(depth: depth + 1))
      if skip("]") { return elements }
      guard skip(",") else { throw failure("has neither , nor ] in an array", "목록에 ,도 ]도 없습니다") }
    }
  }

  private mutating func begin(
    _ sign: Unicode.Scalar, _ depth: Int, _ english: String, _ korean: String
  ) throws {
    guard depth < Self.deepestNesting else { throw failure("is nested too deep", "너무 깊이 묶여 있습니다") }
    guard skip(sign) else { throw failure(english, korean) }
  }

  /// Reads any value and gives its text.
  mutating func value(depth: Int = 0) throws -> Value {
    guard let first = peek() else {
      throw failure("ends in the middle of a value", "값의 가운데에서 끝납니다")
    }
    let start = position
    switch first {
    case UInt8(ascii: "{"): _ = try members(depth: depth)
    case UInt8(ascii: "["): _ = try elements(depth: depth)
    case .quote: try passString()
    case UInt8(ascii: "t"): try pass("true")
    case UInt8(ascii: "f"): try pass("false")
    case UInt8(ascii: "n"): try pass("null")
    default: try passNumber()
    }
    return bytes[start..<position]
  }

  private func failure(_ english: String, _ korean: String) -> Failure {
    Failure(line: line, text: IssueText(english, korean))
  }

  private mutating func pass(_ word: String) throws {
    guard bytes[position...].starts(with: word.utf8) else {
      throw failure("has a word that is not a value", "값이 아닌 낱말이 있습니다")
    }
    position += word.utf8.count
  }

  private mutating func passString() throws {
    position += 1
    while position < bytes.endIndex {
      switch bytes[position] {
      case .quote:
        position += 1
        return
      case UInt8(ascii: "\\"):
        let rest = bytes[(position + 1)...]
        if rest.first == UInt8(ascii: "u"), Self.hexadecimal(rest.dropFirst().prefix(4)) != nil {
          position += 6
        } else if let sign = rest.first, Self.escapes[sign] != nil {
          position += 2
        } else {
          throw failure("has an unknown escape in quotes", "따옴표 안에 알 수 없는 \\ 표기가 있습니다")
        }
      case 0..<0x20:
        throw failure(
          "has a line end or control character inside quotes", "따옴표 안에 줄 끝이나 제어 문자가 있습니다")
      default: position += 1
      }
    }
    position = bytes.endIndex
    throw failure("ends inside quotes", "따옴표 안에서 끝납니다")
  }

  private mutating func passNumber() throws {
    func digits() -> Int {
      let start = position
      while position < bytes.endIndex, bytes[position].isDigit { position += 1 }
      return position - start
    }
    func passSign(_ signs: String) -> Bool {
      guard position < bytes.endIndex, signs.utf8.contains(bytes[position]) else { return false }
      position += 1
      return true
    }
    _ = passSign("-")
    let isZero = position < bytes.endIndex && bytes[position] == UInt8(ascii: "0")
    let count = digits()
    guard count > 0, !isZero || count == 1 else {
      throw failure("has a word that is not a value", "값이 아닌 낱말이 있습니다")
    }
    if passSign("."), digits() == 0 {
      throw failure("has a number that ends with a point", "점으로 끝나는 수가 있습니다")
    }
    if passSign("eE") {
      _ = passSign("+-")
      if digits() == 0 { throw failure("has a number without its exponent", "지수가 없는 수가 있습니다") }
    }
  }

  static func isString(_ value: Value) -> Bool { value.first == .quote }

  static func isNull(_ value: Value) -> Bool { value.first == UInt8(ascii: "n") }

  /// The text of a string that a scanner has read; a half of a surrogate pair alone is U+FFFD.
  ///
  /// - Throws: `UndecodableLine` for bytes that are not UTF-8.
  static func string(_ value: Value, line: Int) throws -> String {
    var rest = value.dropFirst().dropLast()
    guard rest.contains(UInt8(ascii: "\\")) else { return try rest.text(line: line) }
    var text: [UInt8] = []
    text.reserveCapacity(rest.count)
    var units: [UInt16] = []
    func flush() {
      if !units.isEmpty { text += String(decoding: units, as: UTF16.self).utf8 }
      units = []
    }
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), let sign = rest.popFirst() {
        if sign == UInt8(ascii: "u") {
          units.append(hexadecimal(rest.prefix(4)) ?? 0xFFFD)
          rest = rest.dropFirst(4)
          continue
        }
        byte = escapes[sign] ?? sign
      }
      flush()
      text.append(byte)
    }
    flush()
    return try text[...].text(line: line)
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  private static func hexadecimal(_ digits: Value) -> UInt16? {
    guard digits.count == 4 else { return nil }
    var number: UInt16 = 0
    for byte in digits {
      guard byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        return nil
      }
      number = number << 4 | UInt16(digit)
    }
    return number
  }
}

extension IssueText {
  /// Tells of a mistake in JSON.
  ///
  /// - Parameter line: The line at which the object begins; nil where it is that of the mistake.
  static func notJSON(_ failure: JSONScanner.Failure, begunInLine line: Int? = nil) -> IssueText {
    let isElsewhere = line.map { $0 != failure.line } ?? false
    let (english, korean) = (failure.text.english, failure.text.korean)
    return IssueText(
      "This is not JSON: it \(english)\(isElsewhere ? ", noticed in line \(failure.line)" : "").",
      "JSON이 아닙니다: \(korean)\(isElsewhere ? " (\(failure.line)번째 줄)" : "").")
  }
}
