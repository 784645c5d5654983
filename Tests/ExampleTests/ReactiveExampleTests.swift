import Foundation
import Synchronization
import Testing

@Suite("The page of Reactive")
struct ReactiveExampleTests {
  @Test func thePageShowsTheExampleAndWhatItPrints() throws {
    let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    let code = try String(
      contentsOf: folder.appending(path: "ReactiveExample.swift"), encoding: .utf8)
    let page = try String(
      contentsOf: folder.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Reactive/Reactive.docc/Reactive.md"), encoding: .utf8)
    let lines = Mutex<[String]>([])
    checkout { line in lines.withLock { $0.append(line) } }

    #expect(page.contains("```swift\n\(code)```"))
    let printed = lines.withLock { $0.joined(separator: "\n") }
    #expect(page.contains("prints:\n\n```\n\(printed)\n```"))
  }
}
