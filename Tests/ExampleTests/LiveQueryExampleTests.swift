import Croft
import Foundation
import Synchronization
import Testing

@Suite("README, live queries")
struct LiveQueryExampleTests {
  @Test func theReadmeShowsTheExampleAndWhatItPrints() throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    let code = try String(
      contentsOf: folder.appending(path: "LiveQueryExample.swift"), encoding: .utf8)
    let function = try #require(code.components(separatedBy: "import Croft\n\n").last)
    let readme = try String(
      contentsOf: folder.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "README.md"), encoding: .utf8)

    #expect(readme.contains("```swift\n\(function)```"))
    let shown = try lines()
    #expect(shown == ["", "+ Emma", "Emma", "- Emma", "+ Ivanhoe", "Ivanhoe"])
    let printed = shown.joined(separator: "\n").trimmingCharacters(in: .newlines)
    #expect(readme.contains("```\n\(printed)\n```"))
  }

  /// What the example shows of two writes, each of which is waited for.
  private func lines() throws -> [String] {
    let store = try Store.inMemory(models: Book.self)
    let lines = Mutex<[String]>([])
    let told = DispatchSemaphore(value: 0)
    let token = follow(store) { line in
      lines.withLock { $0.append(line) }
      if !line.hasPrefix("+") && !line.hasPrefix("-") { told.signal() }
    }
    told.wait()
    let emma = Book(year: 1815, title: "Emma")
    try store.write { tx in
      try tx.insert(contentsOf: [emma, Book(year: 1965, title: "Dune")])
    }
    told.wait()
    try store.write { tx in
      try tx.delete(Book.self, emma.id)
      try tx.insert(Book(year: 1819, title: "Ivanhoe"))
    }
    told.wait()
    token.cancel()
    return lines.withLock { $0 }
  }
}
