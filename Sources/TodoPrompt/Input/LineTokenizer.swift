import Presentation

/// A line split into words, similar to a shell.
///
/// - White space separates words, the ideographic space too.
/// - A quote, `"` or `'`, opens at the start of a word, after the `=` of an option, or after a sign
///   that begins a word, `@`, `#`, `due:`, `every:`, `before:` or `after:`. Up to the closing quote, white space
///   belongs to the word. Elsewhere a quote is an ordinary character, so `don't` and `19"` need no escape.
///   A quote that is not closed asks for another line; a script's line cannot have one.
/// - Inside `"`, a backslash before `"` or `\` makes that character ordinary. Outside quotes it does
///   so before white space and `'` too. Any other backslash is an ordinary character.
/// - A backslash at the end continues the line with the next one.
/// - A line whose first character is `#` is a comment, and has no words.
struct LineTokenizer: Equatable {
  /// Why a line is incomplete.
  enum Opening: Equatable {
    case quote, backslash
  }

  /// The words, without quotes.
  private(set) var words: [String] = []
  /// Why another line is needed; nil for a complete line.
  private(set) var opening: Opening?
  /// The byte at which the word begins that more text would continue: one with an open quote, or the
  /// last one, which is empty after white space.
  private(set) var lastWordStart = 0

  /// Splits a line, which comes without its newline.
  ///
  /// - Complexity: O(n) in the bytes of the line.
  init(_ line: String) {
    let bytes = Array(line.utf8)
    var first = 0
    while first < bytes.count, case let length = Self.spaceLength(in: bytes, at: first), length > 0
    {
      first += length
    }
    if first < bytes.count, bytes[first] == UInt8(ascii: "#") { return }
    var word: [UInt8] = []
    var isInWord = false
    var index = 0
    lastWordStart = first
    func finishWord() {
      if isInWord { words.append(String(decoding: word, as: UTF8.self)) }
      word.removeAll(keepingCapacity: true)
      isInWord = false
    }
    while index < bytes.count {
      let space = Self.spaceLength(in: bytes, at: index)
      if space > 0 {
        finishWord()
        index += space
        if opening == nil { lastWordStart = index }
        continue
      }
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\\"), index == bytes.count {
        opening = .backslash
        break
      }
      isInWord = true
      if byte == UInt8(ascii: "\\"), Self.isTakenLiterally(bytes[index]) {
        word.append(bytes[index])
        index += 1
      } else if Self.isQuote(byte), Self.canOpenQuote(after: word) {
        if let (text, end) = Self.quoted(in: bytes, from: index, by: byte) {
          word += text
          index = end
        } else {
          opening = .quote
          word.append(byte)
        }
      } else {
        word.append(byte)
      }
    }
    finishWord()
  }

  /// The words of a line after which no other line can come.
  ///
  /// - Throws: An error with the status `usage` for a quote or a backslash that is open at the end.
  func completeWords() throws -> [String] {
    switch opening {
    case .quote:
      throw CommandError(
        "A quote is not closed. Close it, or write \\\" or \\' for the character.",
        "따옴표가 닫히지 않았습니다. 닫거나, 글자로 쓰려면 \\\"나 \\'로 쓰세요.", .usage)
    case .backslash: throw CommandError("The line after \\ is missing.", "\\ 다음 줄이 없습니다.", .usage)
    case nil: return words
    }
  }

  /// The line joined with the one that follows it.
  func joining(_ line: String, with next: String) -> String {
    switch opening {
    case .backslash: String(line.dropLast()) + next
    case .quote: line + " " + next
    case nil: line
    }
  }

  /// Whether there is nothing to do: an empty line, or a comment.
  var isBlankOrComment: Bool { words.isEmpty && opening == nil }

  /// The bytes of the white space at an index: of ASCII, or the ideographic space of Korean and Chinese
  /// keyboards; 0 where there is none.
  private static func spaceLength(in bytes: [UInt8], at index: Int) -> Int {
    if isSpace(bytes[index]) { return 1 }
    return bytes[index...].starts(with: [0xE3, 0x80, 0x80]) ? 3 : 0
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private static func isTakenLiterally(_ byte: UInt8) -> Bool {
    isSpace(byte) || isQuote(byte) || byte == UInt8(ascii: "\\")
  }

  private static func canOpenQuote(after word: [UInt8]) -> Bool {
    if word.isEmpty || LineSign.quotableSpellings.contains(where: { word.elementsEqual($0.utf8) }) {
      return true
    }
    return word.starts(with: "--".utf8) && word.last == UInt8(ascii: "=")
  }

  /// The text before the closing quote, and the index after it; nil without one.
  private static func quoted(
    in bytes: [UInt8], from start: Int, by quote: UInt8
  ) -> (text: [UInt8], end: Int)? {
    var text: [UInt8] = []
    var index = start
    while index < bytes.count {
      var byte = bytes[index]
      if byte == quote { return (text, index + 1) }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), index + 1 < bytes.count,
        bytes[index + 1] == quote || bytes[index + 1] == byte
      {
        index += 1
        byte = bytes[index]
      }
      text.append(byte)
      index += 1
    }
    return nil
  }
}

extension String {
  /// Whether the word takes a value away: `none` in either language.
  var meansNone: Bool { ["none", "없음"].contains(trimmed.lowercased()) }

  /// The text as the tokenizer reads it as one word: in quotes where it needs them.
  var asWord: String {
    let isPlain = !contains { $0.isWhitespace || $0 == "\"" || $0 == "'" || $0 == "\\" }
    return isPlain && !isEmpty ? self : quoted
  }

  /// The text in double quotes, as the tokenizer reads it.
  var quoted: String {
    "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
