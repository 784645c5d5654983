/// A content line of iCalendar (RFC 5545, section 3.1), unfolded: a name, parameters and a value.
struct ContentLine {
  /// The name in capitals.
  let name: String
  /// The parameters, their names in capitals, their values without quotes.
  let parameters: [(name: String, value: String)]
  /// The value as it is written, with its escapes.
  let value: String

  /// Takes a line apart; nil where it has no colon outside quotes, or no name.
  init?(_ line: String) {
    let bytes = Array(line.utf8)
    var parameters: [(name: String, value: String)] = []
    var name: String?
    var start = 0
    var isQuoted = false
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    func finish(at end: Int) {
      guard name != nil else {
        name = text(start..<end).uppercased()
        return
      }
      let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
      let value = text(min(equals + 1, end)..<end).utf8.filter { $0 != .quote }
      parameters.append((text(start..<equals).uppercased(), String(decoding: value, as: UTF8.self)))
    }
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case .quote where name != nil: isQuoted.toggle()
      case UInt8(ascii: ";") where !isQuoted:
        finish(at: index)
        start = index + 1
      case UInt8(ascii: ":") where !isQuoted:
        finish(at: index)
        guard let name, Self.isName(name) else { return nil }
        self.name = name
        self.parameters = parameters
        value = text(index + 1..<bytes.count)
        return
      default: break
      }
    }
    return nil
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
          || $0 == UInt8(ascii: ".")
      }
  }

  func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The value as text, its escapes resolved.
  var text: String { texts.joined(separator: ",") }

  /// The texts between commas that are not escaped, their escapes resolved.
  var texts: [String] {
    var texts: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in value.utf8 {
      if isEscaped {
        let isLineEnd = byte == UInt8(ascii: "n") || byte == UInt8(ascii: "N")
        texts[texts.count - 1].append(isLineEnd ? .lineFeed : byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: ",") {
        texts.append([])
      } else {
        texts[texts.count - 1].append(byte)
      }
    }
    return texts.map { String(decoding: $0, as: UTF8.self) }
  }

  /// A text with the escapes that a value needs.
  static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var wasReturn = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","):
        bytes += [UInt8(ascii: "\\"), byte]
      case .lineFeed where wasReturn: break
      case .lineFeed, .carriageReturn: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      default: bytes.append(byte)
      }
      wasReturn = byte == .carriageReturn
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A line as it is stored: at most 75 bytes in each piece, and no character in two.
  static func folded(_ line: String) -> String {
    let bytes = Array(line.utf8)
    let most = 75
    guard bytes.count > most else { return line + "\r\n" }
    var folded: [UInt8] = []
    var start = 0
    while start < bytes.count {
      // The blank before a continued piece counts.
      var end = min(bytes.count, start + (start == 0 ? most : most - 1))
      while end < bytes.count, end > start + 1, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      if start > 0 { folded += [0x0D, 0x0A, 0x20] }
      folded += bytes[start..<end]
      start = end
    }
    return String(decoding: folded, as: UTF8.self) + "\r\n"
  }

  /// The unfolded lines of a file with the numbers at which they begin.
  ///
  /// - Throws: `UndecodableLine` for bytes that are not UTF-8. A character may be in two pieces.
  static func lines(of bytes: ArraySlice<UInt8>, handle: (String, Int) throws -> Void) throws {
    var pending: ArraySlice<UInt8> = []
    var start = 0
    func flush() throws {
      if !pending.isEmpty { try handle(try pending.text(line: start), start) }
    }
    for line in LineScanner(bytes) {
      if start > 0, let first = line.bytes.first, first.isBlank {
        pending += line.bytes.dropFirst()
      } else {
        try flush()
        pending = line.bytes
        start = line.number
      }
    }
    try flush()
  }
}
