/// A declaration that users or other modules see, as far as one line tells.
struct Declaration {
  /// Counted from 1.
  let line: Int
  /// `func`, `struct`, `case` and so on.
  let keyword: String

  private static let keywords: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "func", "var", "let", "init", "subscript",
    "typealias", "associatedtype", "macro", "case", "extension", "import",
  ]

  /// The declarations of a file that are public or package and have a documentation of their own.
  ///
  /// Requirements of a visible protocol and cases of a visible enum are as visible as it is.
  static func visible(in file: SourceFile) -> [Declaration] {
    let depths = depthsAtLineStart(of: file)
    var found: [Declaration] = []
    /// The visible protocols and enums around the line: what their members look like, how deep.
    var owners: [(members: Set<String>, depth: Int, isEntered: Bool)] = []
    for (index, code) in file.code.enumerated() {
      let depth = depths[index]
      owners.removeAll { $0.isEntered && depth < $0.depth }
      for owner in owners.indices where depth >= owners[owner].depth {
        owners[owner].isEntered = true
      }
      guard let (modifiers, keyword) = head(of: code) else { continue }
      let isOwned = owners.contains { $0.depth == depth && $0.members.contains(keyword) }
      let isVisible = !modifiers.isDisjoint(with: ["public", "package", "open"])
      guard isOwned || isVisible, keyword != "import", keyword != "extension" else { continue }
      found.append(Declaration(line: index + 1, keyword: keyword))
      let endsOnItsLine = code.contains("{") && depths[index + 1] == depth
      if let members = members(of: keyword), !endsOnItsLine {
        owners.append((members, depth + 1, false))
      }
    }
    return found
  }

  private static func members(of keyword: String) -> Set<String>? {
    switch keyword {
    case "enum": ["case"]
    case "protocol": ["var", "func", "init", "subscript", "associatedtype"]
    default: nil
    }
  }

  /// How many braces are open where each line starts, and after the last one.
  static func depthsAtLineStart(of file: SourceFile) -> [Int] {
    var depths = [0]
    for line in file.code {
      var depth = depths[depths.count - 1]
      for byte in line.utf8 {
        if byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "}") { depth -= 1 }
      }
      depths.append(depth)
    }
    return depths
  }

  /// The modifiers and the keyword of a line that begins a declaration.
  static func head(of code: String) -> (modifiers: Set<Substring>, keyword: String)? {
    guard let rest = withoutAttributes(code) else { return nil }
    var modifiers: Set<Substring> = []
    for part in rest.split(separator: " ") {
      let word = part.prefix { $0.isLetter }
      if keywords.contains(String(word)) {
        // `class func` and `class var`: there the word is a modifier.
        if word == "class", rest.contains(" func ") || rest.contains(" var ") { continue }
        return (modifiers, String(word))
      }
      guard let first = word.first, first.isLowercase else { return nil }
      // `package(set)` shows less than it seems: only the whole word counts.
      if word.count == part.count { modifiers.insert(word) }
    }
    return nil
  }

  /// The line after its attributes; nil when one of them goes on in the next line.
  private static func withoutAttributes(_ code: String) -> Substring? {
    var rest = code[...].drop { $0 == " " }
    while rest.first == "@" {
      rest = rest.dropFirst().drop { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
      if rest.first == "(" {
        var depth = 0
        guard
          let end = rest.firstIndex(where: {
            depth += $0 == "(" ? 1 : $0 == ")" ? -1 : 0
            return depth == 0
          })
        else { return nil }
        rest = rest[rest.index(after: end)...]
      }
      rest = rest.drop { $0 == " " }
    }
    return rest
  }
}
