/// Blanks out of Swift source all that is not code: comments and the insides of strings.
///
/// What is left has the lines it had, so that a find in it has the right line
/// number. Code inside an interpolation is code. Regex literals are not known: a
/// quotation mark in one would be taken for a string's.
struct SwiftLexer {
  private enum Context {
    /// Code up to the closing parenthesis of an interpolation; plain code never ends.
    case code(openParentheses: Int)
    case string(hashes: Int, quotes: Int)
  }

  private let source: [UInt8]
  private var blanked: [UInt8]
  private var index = 0
  private var contexts: [Context] = [.code(openParentheses: 0)]

  /// The source with a space in place of each byte that is not code; line ends stay.
  static func code(of source: String) -> String {
    var lexer = SwiftLexer(source)
    lexer.run()
    return String(decoding: lexer.blanked, as: UTF8.self)
  }

  private init(_ source: String) {
    self.source = Array(source.utf8)
    blanked = self.source
  }

  private mutating func run() {
    while index < source.count {
      switch contexts[contexts.count - 1] {
      case .code(let open): stepInCode(openParentheses: open)
      case .string(let hashes, let quotes): stepInString(hashes: hashes, quotes: quotes)
      }
    }
  }

  private mutating func stepInCode(openParentheses open: Int) {
    switch source[index] {
    case UInt8(ascii: "/") where follows("//"): blank(upTo: endOfLine)
    case UInt8(ascii: "/") where follows("/*"): blank(upTo: endOfBlockComment)
    case UInt8(ascii: "\""): enterString(hashes: 0)
    case UInt8(ascii: "#"):
      let hashes = source[index...].prefix { $0 == UInt8(ascii: "#") }.count
      index += hashes
      if follows("\"") { enterString(hashes: hashes) }
    case UInt8(ascii: "(") where contexts.count > 1:
      contexts[contexts.count - 1] = .code(openParentheses: open + 1)
      index += 1
    case UInt8(ascii: ")") where contexts.count > 1:
      contexts[contexts.count - 1] = .code(openParentheses: open - 1)
      if open == 1 { contexts.removeLast() }
      index += 1
    default: index += 1
    }
  }

  private mutating func enterString(hashes: Int) {
    let quotes = follows("\"\"\"") ? 3 : 1
    contexts.append(.string(hashes: hashes, quotes: quotes))
    index += quotes
  }

  private mutating func stepInString(hashes: Int, quotes: Int) {
    let marks = String(repeating: "#", count: hashes)
    if follows(String(repeating: "\"", count: quotes) + marks) {
      contexts.removeLast()
      index += quotes + hashes
    } else if follows("\\" + marks + "(") {
      blank(upTo: index + 1 + hashes)
      contexts.append(.code(openParentheses: 1))
      index += 1
    } else if follows("\\" + marks) {
      blank(upTo: index + 2 + hashes)
    } else if quotes == 1, source[index] == UInt8(ascii: "\n") {
      // A string that was never closed ends with its line: the compiler says the rest.
      contexts.removeLast()
    } else {
      blank(upTo: index + 1)
    }
  }

  private func follows(_ text: String) -> Bool {
    source[index...].starts(with: text.utf8)
  }

  private var endOfLine: Int {
    source[index...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
  }

  private var endOfBlockComment: Int {
    var depth = 0
    var end = index
    while end + 1 < source.count {
      switch (source[end], source[end + 1]) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): (depth, end) = (depth + 1, end + 2)
      case (UInt8(ascii: "*"), UInt8(ascii: "/")): (depth, end) = (depth - 1, end + 2)
      default: end += 1
      }
      if depth == 0 { return end }
    }
    return source.count
  }

  private mutating func blank(upTo end: Int) {
    while index < min(end, source.count) {
      if source[index] != UInt8(ascii: "\n") { blanked[index] = UInt8(ascii: " ") }
      index += 1
    }
  }
}
