import Foundation
import Testing

/// The Swift code of Croft's articles stands, line for line, in the files of this folder, which the
/// tests compile and run: what an article shows is what works.
@Suite struct SnippetTests {
  @Test func everySnippetOfAnArticleCompiles() throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let compiled = try files(in: folder, named: ".swift").map(\.lines)
    let articles = try files(in: root.appending(path: "Sources/Croft/Croft.docc"), named: ".md")
    #expect(!articles.isEmpty)
    for article in articles {
      for snippet in article.snippets {
        let isCompiled = compiled.contains { $0.contains(snippet) }
        #expect(
          isCompiled,
          "\(article.name): put this into a file beside \(#fileID):\n\(snippet.joined(separator: "\n"))"
        )
      }
    }
  }

  private func files(in folder: URL, named ending: String) throws -> [TextFile] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasSuffix(ending) }
      .map { TextFile(name: $0.lastPathComponent, text: try String(contentsOf: $0, encoding: .utf8)) }
  }
}

/// A file's lines without indentation and without empty ones.
private struct TextFile {
  let name: String
  let text: String

  var lines: [String] { Self.lines(of: text) }

  /// The lines of each Swift block. An import is the file's affair.
  var snippets: [[String]] {
    text.components(separatedBy: "```swift\n").dropFirst().compactMap { part in
      let code = part.components(separatedBy: "```").first ?? ""
      return Self.lines(of: code).filter { !$0.hasPrefix("import ") }
    }
  }

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}
