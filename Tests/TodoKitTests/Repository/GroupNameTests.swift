import Foundation
import Testing
import TodoKit
import TodoTestSupport

/// The rules for groups' names, as every repository applies them when it writes.
@Suite("GroupName")
struct GroupNameTests {
  @Test(arguments: RepositoryKind.allCases)
  func namesAreTrimmed(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    #expect(try repository.perform(.addGroup(name: " \t집안일\u{3000}\n")).groups[0].name == "집안일")
  }

  @Test(arguments: RepositoryKind.allCases)
  func anEmptyNameBecomesUntitled(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    #expect(try repository.perform(.addGroup(name: "")).groups[0].name == "Untitled Group")
    #expect(
      try repository.perform(.addGroup(name: " \u{3000} ")).groups[0].name == "Untitled Group (1)")
    let home = try repository.perform(.addGroup(name: "Home")).groups[0]
    #expect(
      try repository.perform(.editGroup(home.id, GroupPatch(name: ""))).groups[0].name
        == "Untitled Group (2)")
    #expect(
      try repository.perform(.addGroup(name: "\u{200B}")).groups[0].name == "Untitled Group (3)")
  }

  @Test(arguments: RepositoryKind.allCases)
  func aTakenNameIsNumbered(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let names = try (0..<4).map { _ in
      try repository.perform(.addGroup(name: "Home")).groups[0].name
    }
    #expect(names == ["Home", "Home (1)", "Home (2)", "Home (3)"])
    // A number that became free is given again.
    let second = try #require(try repository.groups().first { $0.group.name == "Home (1)" })
    try repository.perform(.deleteGroup(second.id))
    #expect(try repository.perform(.addGroup(name: "Home ")).groups[0].name == "Home (1)")
    #expect(try repository.perform(.addGroup(name: "Home (1)")).groups[0].name == "Home (1) (1)")
    let together = TodoCommand.add(
      groups: [.numbered(8, name: "x"), .numbered(9, name: "x")], items: [])
    #expect(try repository.perform(together).groups.map(\.name) == ["x", "x (1)"])
  }

  /// Trap T9: renaming a group to its own name gave "name (1)".
  @Test(arguments: RepositoryKind.allCases)
  func aGroupsOwnNameIsFreeForIt(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = try repository.perform(.addGroup(name: "Home")).groups[0]
    #expect(try repository.perform(.editGroup(home.id, GroupPatch(name: "Home"))).groups[0] == home)
    #expect(
      try repository.perform(.editGroup(home.id, GroupPatch(name: " Home "))).groups[0] == home)
    let other = try repository.perform(.addGroup(name: "Home")).groups[0]
    #expect(
      try repository.perform(.editGroup(other.id, GroupPatch(name: "Home"))).groups[0].name
        == "Home (1)")
    #expect(
      try repository.perform(.editGroup(home.id, GroupPatch(name: "Work"))).groups[0].name == "Work"
    )
    #expect(
      try repository.perform(.editGroup(other.id, GroupPatch(name: "Home"))).groups[0].name
        == "Home")
  }

  /// Trap T10: the same Hangul in another normal form has other bytes and is the same name.
  @Test(arguments: RepositoryKind.allCases)
  func t10NamesInAnotherNormalFormAreTheSameName(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let composed = "한글"
    let decomposed = "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"
    #expect(composed.utf8.count == 6 && decomposed.utf8.count == 18)
    let first = try repository.perform(.addGroup(name: composed)).groups[0]
    #expect(try repository.perform(.addGroup(name: decomposed)).groups[0].name == "\(composed) (1)")
    // The own name in another form is the own name, and is stored as it was typed last.
    let renamed = try repository.perform(.editGroup(first.id, GroupPatch(name: decomposed))).groups[
      0]
    #expect(renamed.name.utf8.count == 18)
    #expect(try repository.group(first.id)?.name.utf8.count == 18)
    try repository.perform(.undo)
    #expect(try repository.group(first.id)?.name.utf8.count == 6)
  }

  @Test(arguments: RepositoryKind.allCases, ["Important", "important", " IMPORTANT ", "중요"])
  func theNameOfTheImportantListIsReserved(kind: RepositoryKind, name: String) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = try repository.perform(.addGroup(name: "Home")).groups[0]
    for verb in [
      { try repository.perform(.addGroup(name: name)) },
      { try repository.perform(.editGroup(home.id, GroupPatch(name: name))) },
    ] {
      let error = #expect(throws: TodoError.self) { try verb() }
      #expect(error?.code == .reservedName)
    }
    #expect(try repository.groups().map(\.group) == [home])
    #expect(
      try repository.perform(.addGroup(name: "Important things")).groups[0].name
        == "Important things")
  }

  /// The name is looked up in the transaction that stores it.
  @Test(arguments: RepositoryKind.allCases)
  func writersAtTheSameTimeGetDifferentNames(kind: RepositoryKind) async throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { _ = try await repository.perform(.addGroup(name: "Home")) }
      }
      try await group.waitForAll()
    }
    let names = try repository.groups().map(\.group.name)
    #expect(Set(names) == Set(["Home"] + (1..<20).map { "Home (\($0))" }))
  }
}
