/// One text file of the project, read once for all rules.
struct SourceFile: Sendable {
  /// Seen from the top of the project, with slashes: `Sources/LMDB/Environment.swift`.
  let path: String
  let lines: [String]
  /// The lines of a Swift file without comments and the insides of strings; empty for others.
  let code: [String]
  /// The identifiers and keywords of a Swift file in order.
  let words: [Word]

  /// An identifier or keyword, with the characters that touch it.
  struct Word: Sendable {
    let text: String
    /// Counted from 1.
    let line: Int
    let before: Character?
    let after: Character?
  }

  init(path: String, text: String) {
    self.path = path
    lines = SourceFile.lines(of: text)
    guard path.hasSuffix(".swift") else {
      code = []
      words = []
      return
    }
    code = SourceFile.lines(of: SwiftLexer.code(of: text))
    words = code.enumerated().flatMap { SourceFile.words(of: $1, line: $0 + 1) }
  }

  /// The parts of the path: folders, then the file's name.
  var components: [String] { path.split(separator: "/").map(String.init) }

  /// The file's name without folders and extension.
  var stem: String { String((components.last ?? "").prefix { $0 != "." }) }

  /// The module whose sources the file belongs to; nil outside `Sources`.
  var module: String? {
    components.first == "Sources" && components.count > 2 ? components[1] : nil
  }

  /// The comment that ends a line of a Swift file, with its slashes; nil where there is none.
  func comment(atLine number: Int) -> Substring? {
    guard code.indices.contains(number - 1) else { return nil }
    // The lexer leaves a string its quotation marks and a comment nothing.
    let lastCode = code[number - 1].utf8.lastIndex { $0 != UInt8(ascii: " ") }
    let codeCount = lastCode.map { code[number - 1].utf8.prefix(through: $0).count } ?? 0
    let rest = Substring(lines[number - 1].utf8.dropFirst(codeCount)).drop { $0 == " " }
    return rest.hasPrefix("//") ? rest : nil
  }

  private static func lines(of text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static func words(of line: String, line number: Int) -> [Word] {
    let bytes = Array(line.utf8)
    var words: [Word] = []
    var start = 0
    while start < bytes.count {
      guard isWordByte(bytes[start]) else {
        start += 1
        continue
      }
      var end = start + 1
      while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
      words.append(
        Word(
          text: String(decoding: bytes[start..<end], as: UTF8.self), line: number,
          before: start > 0 ? Character(Unicode.Scalar(bytes[start - 1])) : nil,
          after: end < bytes.count ? Character(Unicode.Scalar(bytes[end])) : nil))
      start = end
    }
    return words
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
