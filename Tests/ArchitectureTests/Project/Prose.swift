/// What a file says to people: its comments, its strings, or the text of a page, as paragraphs.
///
/// Names in backticks and the targets of links are left out, and so are blocks of code.
struct Prose {
  /// A word in small letters, or a mark of punctuation.
  struct Token: Equatable {
    let text: String
    /// Counted from 1.
    let line: Int
    let isWord: Bool
  }

  /// The paragraphs, each as its words and marks in order.
  let paragraphs: [[Token]]

  /// Reads a page, or a source; the strings of tests are data, and are left out.
  init(of file: SourceFile) {
    let isTest = file.components.contains("Tests")
    var reader = Reader()
    for (index, line) in file.lines.enumerated() {
      if file.code.isEmpty {
        reader.readPage(line, number: index + 1)
      } else if isTest {
        let comment = file.comment(atLine: index + 1).map(String.init) ?? ""
        let blank = String(repeating: " ", count: comment.utf8.count)
        reader.readSwift(comment, code: blank, number: index + 1)
      } else {
        reader.readSwift(line, code: file.code[index], number: index + 1)
      }
    }
    reader.endParagraph()
    paragraphs = reader.paragraphs
  }

  private struct Reader {
    var paragraphs: [[Token]] = []
    private var current: [Token] = []
    private var isInFence = false

    mutating func endParagraph() {
      if !current.isEmpty { paragraphs.append(current) }
      current = []
    }

    mutating func readPage(_ line: String, number: Int) {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("```") { isInFence.toggle() }
      if isInFence || text.isEmpty || text.hasPrefix("```") {
        endParagraph()
        return
      }
      let isItem = text.hasPrefix("- ") || text.first?.isNumber == true
      if isItem || text.hasPrefix("#") || text.hasPrefix("|") { endParagraph() }
      append(Array(line.utf8), line: number)
      if text.hasPrefix("#") || text.hasPrefix("|") { endParagraph() }
    }

    /// A line of Swift: what the lexer blanked is a comment or the inside of a string.
    mutating func readSwift(_ line: String, code: String, number: Int) {
      let isAllProse = code.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
      let bytes = zip(line.utf8, code.utf8).map { byte, code in
        code == UInt8(ascii: " ") ? byte : UInt8(ascii: "\"")
      }
      let text = String(decoding: bytes, as: UTF8.self).drop { " /".contains($0) }
      if text.hasPrefix("```") { isInFence.toggle() }
      if !isAllProse || isInFence || text.isEmpty || text.hasPrefix("- ") { endParagraph() }
      if !isInFence { append(bytes, line: number) }
      if !isAllProse { endParagraph() }
    }

    /// Splits a line into words and marks; a name in backticks is a word `x`.
    private mutating func append(_ bytes: [UInt8], line: Int) {
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if Self.isLetter(byte), byte != UInt8(ascii: "-") {
          let end = bytes[index...].firstIndex { !Self.isLetter($0) } ?? bytes.count
          let word = String(decoding: bytes[index..<end], as: UTF8.self).lowercased()
          current.append(Token(text: word, line: line, isWord: true))
          index = end
        } else if byte == UInt8(ascii: "`") {
          index = Self.end(of: "`", in: bytes, from: index + 1)
          current.append(Token(text: "x", line: line, isWord: true))
        } else if byte == UInt8(ascii: "]"), bytes[index...].starts(with: "](".utf8) {
          index = Self.end(of: ")", in: bytes, from: index)
        } else {
          // A slash and a quotation mark end nothing that is said: they are left out with blanks.
          if ".,;:!?()|=".utf8.contains(byte) {
            let mark = String(decoding: [byte], as: UTF8.self)
            current.append(Token(text: mark, line: line, isWord: false))
          }
          index += 1
        }
      }
    }

    private static func end(of mark: String, in bytes: [UInt8], from start: Int) -> Int {
      let mark = mark.utf8.first
      return bytes[start...].firstIndex { $0 == mark }.map { $0 + 1 } ?? bytes.count
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "'") || byte >= 0x80
    }
  }
}
