import Foundation
import Testing
import TestSupport

@testable import LineEditing

@Suite struct HistoryFileTests {
  @Test func keepsLinesForTheNextSession() throws {
    let folder = TemporaryFolder()
    let history = HistoryFile(folder: folder.path + "/todo")
    #expect(history.load() == [])
    for line in ["add 우유 !h", "ls", "ls", " add secret", "", "done 1", "ls"] {
      history.append(line)
    }
    #expect(
      HistoryFile(folder: folder.path + "/todo").load() == ["add 우유 !h", "ls", "done 1", "ls"])
    let file = folder.path + "/todo/history"
    let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(permissions as? Int == 0o600)
    // One that others could read is theirs no longer.
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    history.append("undo")
    let after = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(after as? Int == 0o600)
  }

  @Test func aCommandOfSeveralLinesStaysOne() throws {
    let folder = TemporaryFolder()
    let entries = ["add \"a\nb\" !h", "add x\\\\", "one\\\ntwo\n\nthree", "ls"]
    let history = HistoryFile(folder: folder.path)
    for entry in entries { history.append(entry) }
    #expect(
      HistoryFile(folder: folder.path).load() == [
        "add \"a\nb\" !h", "add x\\\\", "one\\ \ntwo\n\nthree", "ls",
      ])
  }

  @Test func readsTheFilesOfEarlierVersions() throws {
    let folder = TemporaryFolder()
    // Neighbours were equal where two sessions had written, and lines were kept as typed.
    try "ls\nls\nadd one \\\nline !h\nadd C:\\new !h\n".write(
      toFile: folder.path + "/history", atomically: true, encoding: .utf8)
    #expect(
      HistoryFile(folder: folder.path).load() == [
        "ls", "add one \nline !h", "add C:\\new !h",
      ])
  }

  @Test func doesNotRepeatTheLastLineOfTheSessionBefore() throws {
    let folder = TemporaryFolder()
    HistoryFile(folder: folder.path).append("ls")
    let next = HistoryFile(folder: folder.path)
    _ = next.load()
    next.append("ls")
    #expect(HistoryFile(folder: folder.path).load() == ["ls"])
  }

  @Test func twoSessionsMayWriteAtOnce() throws {
    let folder = TemporaryFolder()
    let one = HistoryFile(folder: folder.path)
    let other = HistoryFile(folder: folder.path)
    for number in 1...50 {
      one.append("one \(number)")
      other.append("other \(number)")
    }
    let lines = HistoryFile(folder: folder.path).load()
    #expect(lines.count == 100)
    #expect(lines.filter { $0.hasPrefix("one") } == (1...50).map { "one \($0)" })
  }

  @Test func startsWithTheNewestTenThousandLines() throws {
    let folder = TemporaryFolder()
    let text = (1...15_000).map { "add \($0)\n" }.joined()
    try text.write(toFile: folder.path + "/history", atomically: true, encoding: .utf8)
    let lines = HistoryFile(folder: folder.path).load()
    #expect(lines.count == 10_000)
    #expect(lines.last == "add 15000")
  }
}
