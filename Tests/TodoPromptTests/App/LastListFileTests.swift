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
    memory().save(ListedItems([KnownRepository.id(1), KnownRepository.id(2)]))
    memory().save(ListedItems([KnownRepository.id(3), KnownRepository.id(1)]))
    #expect(memory().load() == ListedItems([KnownRepository.id(3), KnownRepository.id(1)]))
  }

  @Test func anEmptyListIsForgotten() {
    memory().save(ListedItems([KnownRepository.id(1)]))
    memory().save(ListedItems())
    #expect(memory().load()?.count ?? 0 == 0)
  }

  @Test func otherTerminalsLaterWindowsAndOtherStoresHaveTheirOwn() {
    memory().save(ListedItems([KnownRepository.id(1)]))
    #expect(memory(name: "/dev/pts/4").load() == nil)
    #expect(memory(session: 8).load() == nil)
    #expect(memory(store: "/home/a/other.croft").load() == nil)
    #expect(memory().load() != nil)
  }

  @Test func isReadableByTheUserAlone() throws {
    memory().save(ListedItems([KnownRepository.id(1)]))
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
    memory().save(ListedItems([KnownRepository.id(1)]))
    try text.write(
      toFile: folder.path + "/state/todo/list-pts-3", atomically: true, encoding: .utf8)
    #expect(memory().load() == nil)
  }

  @Test func aFolderThatCannotBeMadeIsPutUpWith() {
    let memory = LastListFile(
      folder: "/dev/null/todo", terminalName: "/dev/tty1", terminalSession: 1, storePath: "/x")
    memory.save(ListedItems([KnownRepository.id(1)]))
    #expect(memory.load() == nil)
  }
}
