import Foundation
#if os(Linux)
  import Glibc
#endif
import Testing
import Croft
import TestSupport
import TodoKit

/// What other programs do to the file of the list while it is used.
@Suite struct StoreFileTests {
  /// An empty file was taken for a new list, and nothing said so.
  @Test func anEmptyFileIsTold() throws {
    let todo = try TodoProcess()
    let path = try #require(todo.environment["TODO_DB"])
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let listed = try todo.run(["add", "milk", "!h"])
    #expect(listed.status == 0)
    #expect(listed.messages.contains("\(path) was an empty file, so a new list begins in it."))
    #expect(try todo.run(["ls"]).messages == "")
    let other = try TodoProcess()
    #expect(try other.run(["add", "milk", "!h"]).messages == "", "a file that did not exist")
  }

  /// Deleted items kept their room in the file for ever, and nothing copied a list that was in use.
  @Test func aListIsBackedUpAndCompacted() throws {
    let todo = try TodoProcess()
    let path = try #require(todo.environment["TODO_DB"])
    let lines = (1...2_000).map { "task \($0) of many that are deleted\n" }.joined()
    let file = todo.folder.path + "/todo.txt"
    try lines.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try todo.run(["import", file]).status == 0)
    #expect(try todo.run(["rm", "--all", "--yes"]).status == 0)
    let copy = todo.folder.path + "/copy.croft"
    #expect(try todo.run(["backup", copy]).output == "Copied the list to \(copy).\n")
    #expect(try todo.run(["--db", copy, "undo"]).status == 0)
    #expect(
      try todo.run(["--db", copy, "-o", "csv", "ls"]).output.split(separator: "\n").count == 2_001)
    func size() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
    let before = try size()
    let script = try todo.run([], input: "add milk !h\ncompact\nadd bread !h\nls\n")
    #expect(script.status == 0, "\(script.messages)")
    #expect(script.output.contains("Compacted the list:") && script.output.contains("bread"))
    #expect(try size() < before)
    // "0 KB -> 0 KB" was told of every list.
    #expect(script.output.firstMatch(of: /list: [1-9][0-9]+ KB -> [1-9][0-9]+ KB\./) != nil)
    let beside = try todo.run(["backup"])
    #expect(beside.output.contains("x-20") && beside.status == 0, "\(beside.messages)")
  }

  /// `todo --db` with a typing error made an empty list at that path, and copied it.
  @Test func aListIsNotMadeToBeCopied() throws {
    let todo = try TodoProcess()
    #expect(try todo.run(["add", "milk", "!h"]).status == 0)
    let lost = todo.folder.path + "/mistyped.croft"
    let copy = todo.folder.path + "/copy"
    for words in [
      ["backup", copy], ["backup"], ["compact"], ["export"], ["-c", "backup \(copy)"],
    ] {
      let run = try todo.run(["--db", lost] + words)
      #expect(run.status == 1 && run.output.isEmpty)
      #expect(run.messages.contains("There is no list at \(lost)."), "\(run.messages)")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: todo.folder.path)
    #expect(!files.contains { $0.hasPrefix("mistyped") || $0.hasPrefix("copy") })
  }

  #if os(Linux)
    /// A list of another user could not even be shown.
    @Test func aListThatMayOnlyBeReadIsShown() throws {
      let todo = try TodoProcess()
      let path = try #require(todo.environment["TODO_DB"])
      _ = try todo.run(["add", "milk", "!h"])
      // Root may write whatever the mode says, but not to a file that is immutable.
      try run(getuid() == 0 ? "chattr +i \(path)" : "chmod 444 \(path)")
      defer { _ = try? run(getuid() == 0 ? "chattr -i \(path)" : "chmod 644 \(path)") }
      // Some file systems have no such attribute.
      guard !FileManager.default.isWritableFile(atPath: path) else { return }
      let listed = try todo.run(["ls"])
      #expect(listed.status == 0 && listed.output.contains("milk"), "\(listed.messages)")
      let added = try todo.run(["add", "bread", "!h"])
      #expect(added.status == 1 && added.output == "")
      #expect(
        added.messages == "The list can only be read: check the owner and the mode of its file.\n")
      #expect(try todo.run(["--lang", "ko", "undo"]).messages.hasPrefix("이 할일 파일은 읽을 수만"))
      try run(getuid() == 0 ? "chattr -i \(path)" : "chmod 644 \(path)")
      #expect(try todo.run(["add", "bread", "!h"]).status == 0)
    }

    /// The next process checks a file that two have written in turns, and records that for later ones.
    @Test func onlyWhoWroteAloneSavesTheNextOneItsCheck() throws {
      let todo = try TodoProcess()
      let path = try #require(todo.environment["TODO_DB"])
      _ = try todo.run(["add", "a", "!h"])
      let first = Self.record(of: path)
      // Some file systems have no attributes.
      if first == nil { return }
      let terminal = try PseudoTerminal(
        [], environment: todo.environment.merging(["TERM": "xterm", "NO_COLOR": "1"]) { $1 })
      func add(_ title: String) {
        terminal.wait(for: "todo> ")
        terminal.type("add \(title) !h\r")
        terminal.wait(for: ": \(title)")
      }
      add("b")
      _ = try todo.run(["add", "c", "!h"])
      let other = Self.record(of: path)
      #expect(other != first)
      add("d")
      terminal.wait(for: "todo> ")
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      #expect(Self.record(of: path) == other)
      _ = try todo.run(["add", "e", "!h"])
      #expect(Self.record(of: path) != other)
    }

    private static func record(of path: String) -> String? {
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = getAttribute(path, "user.lmdb.sound", &bytes, bytes.count)
      return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func run(_ command: String) throws {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", command + " 2>/dev/null"]
      try process.run()
      process.waitUntilExit()
    }
  #endif

  /// A program that was stopped in a write made others wait for ever, without a word.
  @Test func aWriteSaysForWhomItWaitsAndGivesUp() throws {
    let todo = try TodoProcess()
    let path = try #require(todo.environment["TODO_DB"])
    _ = try todo.run(["add", "milk", "!h"])
    let store = try Store.open(at: URL(filePath: path), models: TodoItem.self)
    let waited = try store.write { _ in try todo.run(["--lang", "ko", "add", "bread", "!h"]) }
    let process = ProcessInfo.processInfo.processIdentifier
    #expect(waited.status == 1)
    #expect(
      waited.messages == """
        기다리는 중입니다: \(process)번 프로세스가 목록을 쓰고 있습니다.
        \(process)번 프로세스가 목록을 쓰고 있습니다. 끝난 뒤에 다시 하세요.

        """)
    #expect(try todo.run(["-o", "csv", "ls"]).output.split(separator: "\n").count == 2)
  }

  /// Every line after the removal was answered as stored, and was in no file that has a name.
  @Test(arguments: ["remove", "replace"])
  func nothingIsAcknowledgedOnceTheFileIsAnotherOne(what: String) throws {
    let todo = try TodoProcess()
    let path = try #require(todo.environment["TODO_DB"])
    let other = todo.folder.path + "/other.croft"
    _ = try todo.run(["--db", other, "add", "other", "!h"])
    let terminal = try PseudoTerminal(
      [], environment: todo.environment.merging(["TERM": "dumb", "NO_COLOR": "1"]) { $1 },
      columns: 200)
    terminal.wait(for: "todo> ")
    terminal.type("add one !h\n")
    terminal.wait(for: "Added 1: one")
    terminal.wait(for: "todo> ")
    try FileManager.default.removeItem(atPath: path)
    if what == "replace" { try FileManager.default.moveItem(atPath: other, toPath: path) }
    terminal.type("add two !h\n")
    let answer = terminal.wait(for: "todo> ")
    #expect(answer.contains("The list's file was replaced or removed (\(path))."), "\(answer)")
    #expect(!answer.contains("Added"), "\(answer)")
    terminal.type("\u{4}")
    #expect(terminal.waitForEnd() == 0)
    let left = try todo.run(["-o", "plain", "ls"]).output
    #expect(what == "replace" ? left.contains("other") : left == "", "\(left)")
    #expect(!left.contains("two"))
  }

  /// The lock table was written into the file that the link named.
  @Test func aLinkInTheLockTablesPlaceIsRefused() throws {
    let todo = try TodoProcess()
    let path = try #require(todo.environment["TODO_DB"])
    let victim = todo.folder.path + "/victim"
    try "secret".write(toFile: victim, atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(
      atPath: path + "-lock", withDestinationPath: victim)
    let refused = try todo.run(["add", "milk", "!h"])
    #expect(refused.status == 1 && refused.output == "")
    #expect(
      refused.messages.contains("the name of the list's lock file (\(path)-lock)."),
      "\(refused.messages)")
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "secret")
  }

  /// It was said that there is no such file, and to make the folder, which was there.
  @Test func aLinkToNoFileIsCalledSo() throws {
    let todo = try TodoProcess()
    let path = try #require(todo.environment["TODO_DB"])
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: todo.folder.path + "/nowhere.croft")
    let refused = try todo.run(["ls"])
    #expect(refused.status == 1)
    #expect(
      refused.messages.contains("This is a link to a file that does not exist (\(path))."),
      "\(refused.messages)")
  }

  /// The advice came twice with the engine's code between, and once it was a Swift value.
  @Test(arguments: ["cut", "changed"])
  func damageIsToldInOneLineWithOneAdvice(damage: String) throws {
    let todo = try TodoProcess()
    let path = try #require(todo.environment["TODO_DB"])
    _ = try todo.run(["add", "milk", "!h"])
    var data = try Data(contentsOf: URL(filePath: path))
    if damage == "cut" {
      data = data.prefix(9_000)
    } else {
      let known = try #require(data.range(of: Data("[{\"deleteItems\"".utf8)))
      data.replaceSubrange(known, with: Data("[{\"dexeteItems\"".utf8))
    }
    try data.write(to: URL(filePath: path))
    let refused = try todo.run(["undo"])
    #expect(refused.status == 1 && refused.output == "")
    let message = refused.messages
    #expect(message.components(separatedBy: "Restore").count == 2, "\(message)")
    #expect(message.filter { $0 == "\n" }.count == 1, "\(message)")
    #expect(!message.contains("Decoding") && !message.contains("[-"), "\(message)")
  }
}

#if os(Linux)
  @_silgen_name("getxattr") private func getAttribute(
    _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>,
    _ value: UnsafeMutablePointer<UInt8>, _ size: Int
  ) -> Int
#endif
