import Croft
import Foundation
import Synchronization
import Testing

/// What the README's example prints: in this module, its `print` is the function below.
private let printed = Mutex<[String]>([])

/// Records a line as `Swift.print` would write it.
func print(_ items: Any...) {
  printed.withLock { $0.append(items.map { "\($0)" }.joined(separator: " ")) }
}

@Suite("README", .serialized)
struct ReadmeTests {
  private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent()

  private func readme() throws -> String {
    let root = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
  }

  @Test func itShowsTheExampleThatRunsHere() throws {
    let example = Self.folder.appending(path: "ReadmeExample.swift")
    let code = try String(contentsOf: example, encoding: .utf8)
    #expect(try readme().contains("```swift\n\(code)```"))
  }

  @Test func theExamplePrintsWhatTheReadmeSaysAndKeepsBothBooks() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      // Losing this error leaves a small folder in the temporary one.
      try? FileManager.default.removeItem(at: folder)
    }
    let file = folder.appending(path: "books.croft")

    try await printClassics(in: file)
    let lines = printed.withLock { $0 }
    #expect(lines == ["1815 Emma"])
    #expect(try readme().contains("it prints:\n\n```\n\(lines.joined(separator: "\n"))\n```"))

    let kept = try await Store.open(at: file, models: Book.self).fetch(Book.all)
    #expect(kept.map(\.title) == ["Emma", "Dune"])
  }

  @Test func itIsNoLongerThanAFewScreens() throws {
    #expect(try readme().split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }
}
