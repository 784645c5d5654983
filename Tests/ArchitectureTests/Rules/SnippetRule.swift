/// Every piece of Swift in an article of these modules stands in a test of its module.
///
/// A piece is what lies between empty lines. It stands line for line in the test, however far it is
/// indented, so the compiler reads it and the test tells whether it is true.
struct SnippetRule: Rule {
  /// Pages whose tests compile the page itself.
  private static let compiledPages: Set<String> = ["YourFirstStore"]

  /// The modules, each with the folder of its package.
  private static let modules: KeyValuePairs = [
    "Croft": "", "CroftReactive": "", "LMDB": "", "TodoKit": "", "TodoScreens": "",
    "TodoWeb": "Web/", "CroftPostgres": "Postgres/",
  ]

  func findings(in project: Project) -> [Finding] {
    SnippetRule.modules.flatMap { module, package in
      let folder = "\(package)Tests/\(module)Tests"
      let tests = project.swiftFiles(in: folder).map { $0.lines.map(\.trimmed) }
      let pages = project.prose.filter {
        $0.path.hasPrefix("\(package)Sources/\(module)/\(module).docc/")
          && !SnippetRule.compiledPages.contains($0.stem)
      }
      return pages.flatMap { page in
        SnippetRule.pieces(of: page).filter { piece in
          !tests.contains { $0.holds(piece.lines) }
        }.map { piece in
          Finding(
            path: page.path, line: piece.start,
            remedy: "put these lines into a test, such as \(folder)/Articles/"
              + "\(page.stem)Snippets.swift, and check there what the article says")
        }
      }
    }
  }

  private struct Piece {
    /// Counted from 1.
    var start: Int
    var lines: [Substring]
  }

  private static func pieces(of page: SourceFile) -> [Piece] {
    var pieces: [Piece] = []
    var isSwift = false
    var isOpen = false
    for (index, line) in page.lines.map(\.trimmed).enumerated() {
      if line.hasPrefix("```") {
        isSwift = line == "```swift"
        isOpen = false
      } else if isSwift, !line.isEmpty {
        if !isOpen { pieces.append(Piece(start: index + 1, lines: [])) }
        pieces[pieces.count - 1].lines.append(line)
        isOpen = true
      } else {
        isOpen = false
      }
    }
    return pieces
  }
}

extension String {
  /// The text without the spaces around it.
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension [Substring] {
  /// Whether some lines stand here, one behind the other.
  fileprivate func holds(_ lines: [Substring]) -> Bool {
    guard let first = lines.first else { return true }
    return indices.contains { self[$0] == first && self[$0...].starts(with: lines) }
  }
}
