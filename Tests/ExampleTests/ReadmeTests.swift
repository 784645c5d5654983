import Croft
import Foundation
import Testing

@Suite("README")
struct ReadmeTests {
  @Test func itShowsTheExampleThatRunsHere() throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    let example = folder.appending(path: "ReadmeExample.swift")
    let readme = folder.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    let blocks = text.components(separatedBy: "```swift\n").dropFirst()
    let shown = try #require(blocks.first?.components(separatedBy: "```").first)
    #expect(shown == (try String(contentsOf: example, encoding: .utf8)))
  }

  @Test func theExampleFindsTheClassicAndKeepsBoth() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      // Losing this error leaves a small folder in the temporary one.
      try? FileManager.default.removeItem(at: folder)
    }
    let file = folder.appending(path: "books.croft")

    let found = try await classics(in: file)
    #expect(found.map(\.title) == ["Emma"])
    #expect(found.map(\.year) == [1815])

    let kept = try await Store.open(at: file, models: Book.self).fetch(Book.all)
    #expect(kept.map(\.title) == ["Emma", "Dune"])
  }
}
