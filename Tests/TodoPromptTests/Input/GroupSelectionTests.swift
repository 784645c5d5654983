import Croft
import Foundation
import TestSupport
import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct GroupSelectionTests {
  private func selection(_ names: [String]) throws -> GroupSelection {
    let repository = try CroftTodoRepository.inMemory()
    for name in names { try repository.perform(.addGroup(name: name)) }
    return selection(of: repository)
  }

  private func selection(of repository: CroftTodoRepository) -> GroupSelection {
    GroupSelection { repository }
  }

  @Test(arguments: [
    ("집안일", "집안일"), (" 집안일\t", "집안일"), ("@집안일", "집안일"), ("home", "Home"), ("HOME", "Home"),
    ("@3", "3"), ("3", "3"), ("@@", "@@"), ("@x", "@x"), ("집안 일", "집안 일"),
  ])
  func namesAreFound(typed: String, name: String) throws {
    let selection = try selection(["집안일", "집안 일", "Home", "3", "@@", "@x", "x"])
    #expect(try selection.group(typed).name == name)
    let decomposed = typed.decomposedStringWithCanonicalMapping
    #expect(try selection.group(decomposed).name == name)
  }

  @Test func capitalsDecideBetweenNamesThatDifferInNothingElse() throws {
    let selection = try selection(["home", "Home", "일"])
    #expect(try selection.group("home").name == "home")
    #expect(try selection.group("Home").name == "Home")
    let problem = #expect(throws: CommandError.self) { try selection.group("HOME") }
    #expect(problem?.text(in: .english).hasSuffix("\n  home\n  Home") == true)
  }

  @Test(arguments: ["", "@", "집", "집안일2", "Hom", "hоme"])
  func anUnknownNameIsRefusedWithWhatThereIs(name: String) throws {
    let selection = try selection(["집안일", "Home"])
    let problem = #expect(throws: CommandError.self) { try selection.group(name) }
    #expect(problem?.text(in: .english).hasSuffix("\nThere is: \"집안일\", \"Home\"") == true)
    #expect(problem?.text(in: .korean).hasSuffix("\n있는 그룹: \"집안일\", \"Home\"") == true)
    #expect(problem?.status == .failed)
  }

  @Test func importantAndNoneAreListsAndNoGroups() throws {
    let selection = try selection(["일"])
    for name in ["important", " Important ", "중요"] {
      #expect(try selection.list(name).list == .important)
      #expect(throws: CommandError.self) { try selection.group(name) }
      #expect(throws: CommandError.self) { try selection.list(name).destination() }
    }
    for name in ["none", "없음"] {
      #expect(try selection.list(name).list == .ungrouped)
      #expect(try selection.list(name).destination() == nil)
      #expect(throws: CommandError.self) { try selection.group(name) }
    }
    #expect(try selection.list("일").destination()?.name == "일")
  }

  /// No new group gets the name, and lists of older versions may have one.
  @Test func aGroupThatIsCalledNoneIsNamedWithTheSign() throws {
    #expect(throws: (any Error).self) { try self.selection(["none"]) }
    #expect(throws: (any Error).self) { try self.selection(["없음"]) }
    let folder = TemporaryFolder()
    let path = folder.path + "/x.croft"
    do {
      let store = try Store.open(at: URL(filePath: path), models: TodoGroup.self, TodoItem.self)
      try store.write { tx in try tx.insert(TodoGroup(name: "none")) }
    }
    let repository = try CroftTodoRepository(path: path)
    let selection = GroupSelection { repository }
    #expect(try selection.list("none").list == .ungrouped)
    #expect(try selection.group("@none").name == "none")
  }
}
