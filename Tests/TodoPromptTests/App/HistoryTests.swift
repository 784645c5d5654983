import Foundation
import Testing

@testable import TodoPrompt

@Suite struct HistoryTests {
  @Test func keepsLinesForTheNextSession() throws {
    let folder = try TemporaryFolder()
    let history = History(folder: folder.path + "/todo")
    #expect(history.load() == [])
    for line in ["add 우유 !h", "ls", "ls", " add secret", "", "done 1", "ls"] {
      history.append(line)
    }
    #expect(History(folder: folder.path + "/todo").load() == ["add 우유 !h", "ls", "done 1", "ls"])
    let file = folder.path + "/todo/history"
    let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(permissions as? Int == 0o600)
  }

  @Test func doesNotRepeatTheLastLineOfTheSessionBefore() throws {
    let folder = try TemporaryFolder()
    History(folder: folder.path).append("ls")
    let next = History(folder: folder.path)
    _ = next.load()
    next.append("ls")
    #expect(History(folder: folder.path).load() == ["ls"])
  }

  @Test func twoSessionsMayWriteAtOnce() throws {
    let folder = try TemporaryFolder()
    let one = History(folder: folder.path)
    let other = History(folder: folder.path)
    for number in 1...50 {
      one.append("one \(number)")
      other.append("other \(number)")
    }
    let lines = History(folder: folder.path).load()
    #expect(lines.count == 100)
    #expect(lines.filter { $0.hasPrefix("one") } == (1...50).map { "one \($0)" })
  }

  @Test func startsWithTheNewestThousandLines() throws {
    let folder = try TemporaryFolder()
    let text = (1...1500).map { "add \($0)\n" }.joined()
    try text.write(toFile: folder.path + "/history", atomically: true, encoding: .utf8)
    let lines = History(folder: folder.path).load()
    #expect(lines.count == 1000)
    #expect(lines.last == "add 1500")
  }
}
