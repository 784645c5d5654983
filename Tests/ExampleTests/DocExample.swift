import Foundation

/// The examples of a doc comment or of an article: blocks of Swift, made into code that compiles.
struct DocExample {
  /// One block between fences.
  struct Block {
    /// The line of its fence, counted from 1.
    let line: Int
    let code: [String]
  }

  /// The path from the root of the package.
  let path: String
  /// The blocks; those of an article may use what those before them declare.
  let blocks: [Block]

  /// The examples of a module: one for each block of a doc comment, one for each article.
  static func all(of module: String, in root: URL) throws -> [DocExample] {
    let folder = root.appending(path: "Sources/\(module)")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    return try names.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }.flatMap { name in
      let path = "Sources/\(module)/\(name)"
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      let isArticle = name.hasSuffix(".md")
      let blocks = blocks(of: text, prefix: isArticle ? "" : "///")
      if isArticle { return blocks.isEmpty ? [] : [DocExample(path: path, blocks: blocks)] }
      return blocks.map { DocExample(path: path, blocks: [$0]) }
    }
  }

  /// The blocks of the lines that begin with a prefix.
  private static func blocks(of text: String, prefix: String) -> [Block] {
    var blocks: [Block] = []
    var code: [String]?
    var start = 0
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let comment = prefix.isEmpty ? line : line.drop { $0 == " " }
      guard comment.hasPrefix(prefix) else {
        code = nil
        continue
      }
      let content = comment.dropFirst(prefix.count)
      let shown = String(prefix.isEmpty || content.isEmpty ? content : content.dropFirst())
      if let lines = code {
        if shown == "```" {
          blocks.append(Block(line: start, code: lines))
          code = nil
        } else {
          code = lines + [shown]
        }
      } else if shown == "```swift" {
        code = []
        start = index + 1
      }
    }
    return blocks
  }
}

extension DocExample {
  /// The example as code: its types in an enum, its statements in a function of it.
  ///
  /// Errors of the compiler name the line of the comment or the article.
  ///
  /// - Parameters:
  ///   - number: Makes the enum's name.
  ///   - frame: The code around the statements, with BODY for them, and EFFECTS for
  ///     a function's effects.
  func source(number: Int, frame: String) -> String {
    var isTopLevel = false
    var declarations = ""
    var statements = ""
    for block in blocks {
      // A block's names may be those of a block before it.
      if blocks.count > 1 { statements += "do {\n" }
      for piece in Self.pieces(of: block) {
        let code = "#sourceLocation(file: \"\(path)\", line: \(piece.line))\n\(piece.code)\n"
        if piece.isDeclaration { declarations += code } else { statements += code }
        // An extension cannot be in a type.
        isTopLevel =
          isTopLevel || piece.isDeclaration && piece.code.contains(#/^(extension|@.*func) /#)
      }
    }
    if blocks.count > 1 { statements += String(repeating: "}\n", count: blocks.count) }
    // Outside a task, calls have their synchronous form.
    let effects = statements.contains("await") ? "async throws" : "throws"
    let body = frame.replacing("EFFECTS", with: effects)
      .replacing("BODY", with: "\n\(statements)")
    return """
      \(isTopLevel ? declarations : "")
      enum Example\(number) {
      \(isTopLevel ? "" : declarations)
      \(body)
      }
      #sourceLocation()

      """
  }

  private struct Piece {
    let line: Int
    let code: String
    let isDeclaration: Bool
  }

  /// The declarations of types of a block, and the statements between them.
  private static func pieces(of block: Block) -> [Piece] {
    var pieces: [Piece] = []
    var open: [String] = []
    var start = 0
    func close(isDeclaration: Bool) {
      if !open.isEmpty {
        pieces.append(
          Piece(line: start, code: open.joined(separator: "\n"), isDeclaration: isDeclaration))
      }
      open = []
    }
    var depth = 0
    var isDeclaration = false
    for (index, line) in block.code.enumerated() where !line.hasPrefix("import ") {
      if !isDeclaration, line.contains(declaration) {
        close(isDeclaration: false)
        isDeclaration = true
        depth = 0
      }
      if open.isEmpty { start = block.line + 1 + index }
      open.append(line)
      guard isDeclaration else { continue }
      depth += line.count { $0 == "{" } - line.count { $0 == "}" }
      if depth == 0, line.contains("}") {
        close(isDeclaration: true)
        isDeclaration = false
      }
    }
    close(isDeclaration: isDeclaration)
    return pieces
  }

  /// The first line of a declaration that is not inside another one.
  private static var declaration: Regex<Substring> {
    /^(?:@[A-Z]|(?:(?:private|final|nonisolated) )*(?:struct|enum|class|protocol|extension) ).*/
  }
}
