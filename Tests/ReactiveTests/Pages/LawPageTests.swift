import Foundation
import Testing

@Suite struct LawPageTests {
  @Test func everyLawOfThePageHasATestNamedForIt() throws {
    let page = try Pages.text(of: "Sources/Reactive/Reactive.docc/Laws.md")
    let laws = page.matches(of: /- \*\*([A-Z][0-9]+)\*\*/).map { String($0.1) }
    #expect(laws.count > 50)
    #expect(Set(laws).count == laws.count)
    let tests = try Pages.sources(below: "Tests/ReactiveTests").joined()
    let untested = laws.filter { law in
      let own = tests.ranges(of: "func \(law.lowercased())")
        .contains { $0.upperBound < tests.endIndex && tests[$0.upperBound].isLetter }
      return !own && !tests.contains("And\(law)")
    }
    #expect(untested == [])
  }
}

/// Files of the project, found from this one.
enum Pages {
  static var root: URL {
    let file = URL(filePath: #filePath).resolvingSymlinksInPath()
    return (0..<4).reduce(file) { url, _ in url.deletingLastPathComponent() }
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The text of every Swift file in a folder and those below it.
  static func sources(below path: String) throws -> [String] {
    let folder = root.appending(path: path)
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }
}
