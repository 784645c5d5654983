import Foundation
import Synchronization
import Testing

@Suite("README, Reactive")
struct ReactiveExampleTests {
  @Test func theReadmeShowsTheExampleAndWhatItPrints() throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    let code = try String(
      contentsOf: folder.appending(path: "ReactiveExample.swift"), encoding: .utf8)
    let readme = try String(
      contentsOf: folder.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "README.md"), encoding: .utf8)
    let lines = Mutex<[String]>([])
    checkout { line in lines.withLock { $0.append(line) } }

    #expect(readme.contains("```swift\n\(code)```"))
    let printed = lines.withLock { $0.joined(separator: "\n") }
    #expect(readme.contains("prints:\n\n```\n\(printed)\n```"))
  }
}
