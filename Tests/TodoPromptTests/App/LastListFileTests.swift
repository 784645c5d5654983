import Foundation
import Testing
import TestSupport

@testable import TodoPrompt

@Suite struct LastListFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = TemporaryFolder()
  }

  private func memory(
    name: String = "/dev/pts/3", session: Int = 7, store: String = "/home/a/todo.croft"
  ) -> LastListFile {
    LastListFile(
      folder: folder.path + "/state/todo", terminalName: name, terminalSession: session,
      storePath: store)
  }

  @Test func givesBackWhatTheTerminalShowedLast() {
    #expect(memory().load() == nil)
    _ = memory().save(ListedItems([KnownRepository.id(1), KnownRepository.id(2)]))
    _ = memory().save(ListedItems([KnownRepository.id(3), KnownRepository.id(1)]))
    #expect(memory().load()?.ids == [KnownRepository.id(3), KnownRepository.id(1)])
  }

  /// Each addition wrote the whole list again.
  @Test func whatIsAddedIsAppended() throws {
    let file = folder.path + "/state/todo/list-pts-3"
    func inode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
    }
    let ids = (1...2_345).map(KnownRepository.id)
    _ = memory().save(ListedItems(Array(ids.prefix(2_000))))
    let first = try inode()
    var listed = try #require(memory().load())
    for id in ids.dropFirst(2_000) {
      #expect(listed.append(id) == listed.count)
      if listed.count % 7 == 0 { listed = memory().save(listed) }
    }
    _ = memory().save(listed)
    #expect(try inode() == first)
    let loaded = try #require(memory().load())
    #expect(loaded.ids == ids && loaded.count == ids.count)
    for number in [1, 999, 1_000, 1_001, 2_000, 2_001, 2_345] {
      #expect(loaded.id(at: number) == ids[number - 1])
      #expect(loaded.number(of: ids[number - 1]) == number)
    }
    #expect(loaded.id(at: 0) == nil && loaded.id(at: 2_346) == nil && loaded.id(at: -1) == nil)
    #expect(loaded.number(of: KnownRepository.id(3_000)) == nil)
  }

  /// A prompt and a command on one terminal: each has the list that it printed.
  @Test func anotherProcessChangesNoListThatWasRead() throws {
    let ids = (1...4).map(KnownRepository.id)
    _ = memory().save(ListedItems([ids[0], ids[1]]))
    var mine = try #require(memory().load())
    var other = try #require(memory().load())
    _ = other.append(ids[2])
    _ = memory().save(other)
    #expect(mine.ids == [ids[0], ids[1]])
    #expect(mine.append(ids[3]) == 3)
    mine = memory().save(mine)
    #expect(mine.ids == [ids[0], ids[1], ids[3]])
    #expect(memory().load()?.ids == mine.ids)
    _ = memory().save(ListedItems([ids[2]]))
    #expect(mine.ids == [ids[0], ids[1], ids[3]] && memory().load()?.ids == [ids[2]])
  }

  @Test func anEmptyListIsForgotten() {
    _ = memory().save(ListedItems([KnownRepository.id(1)]))
    _ = memory().save(ListedItems())
    #expect(memory().load()?.count ?? 0 == 0)
  }

  @Test func otherTerminalsLaterWindowsAndOtherStoresHaveTheirOwn() {
    _ = memory().save(ListedItems([KnownRepository.id(1)]))
    #expect(memory(name: "/dev/pts/4").load() == nil)
    #expect(memory(session: 8).load() == nil)
    #expect(memory(store: "/home/a/other.croft").load() == nil)
    #expect(memory().load() != nil)
  }

  @Test func isReadableByTheUserAlone() throws {
    _ = memory().save(ListedItems([KnownRepository.id(1)]))
    let file = folder.path + "/state/todo/list-pts-3"
    let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(permissions as? Int == 0o600)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state/todo")
    #expect(names == ["list-pts-3"])
  }

  @Test(arguments: [
    "", "todo-list 1\n", "something else\n7\n/home/a/todo.croft\n",
    "todo-list 1\n7\n/home/a/todo.croft\nno id\n", "todo-list 1\n7\n/home/a/todo.croft\n019b7c3e",
  ])
  func aFileThatIsDamagedIsNoList(text: String) throws {
    _ = memory().save(ListedItems([KnownRepository.id(1)]))
    try text.write(
      toFile: folder.path + "/state/todo/list-pts-3", atomically: true, encoding: .utf8)
    #expect(memory().load() == nil)
  }

  @Test func aFolderThatCannotBeMadeIsPutUpWith() {
    let memory = LastListFile(
      folder: "/dev/null/todo", terminalName: "/dev/tty1", terminalSession: 1, storePath: "/x")
    _ = memory.save(ListedItems([KnownRepository.id(1)]))
    #expect(memory.load() == nil)
  }
}
