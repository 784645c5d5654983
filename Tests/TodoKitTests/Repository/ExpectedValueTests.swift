import Foundation
import Testing
import TodoKit

/// Edits that hold only if what they name is still what the user was shown.
@Suite("TodoRepository, expected values")
struct ExpectedValueTests {
  private func code(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch let error as TodoError {
      guard case .changedSince(let id) = error else { return "\(error)" }
      return "changed: \(id)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatIsStillAsItWasShownIsChanged(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.add(.numbered(1))
    let edited = try repository.edit(
      shown.id, ItemPatch(title: "new", isDone: true, due: CalendarDay("2026-06-01")),
      ifStill: shown)
    #expect(edited.title == "new" && edited.isDone && edited.doneAt == .noted)
    #expect(try repository.item(shown.id) == edited)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aNamedPropertyThatHasChangedMeanwhileIsRefused(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.add(.numbered(1))
    let other = try repository.edit(
      [shown.id],
      ItemPatch(
        title: "theirs", note: "n", priority: .high, isDone: true, isImportant: true,
        due: CalendarDay("2026-06-01"), tags: ["a"]))
    let patches = [
      ItemPatch(title: "mine"), ItemPatch(note: "m"), ItemPatch(priority: .low),
      ItemPatch(isDone: false), ItemPatch(isImportant: false), ItemPatch(due: .some(nil)),
      ItemPatch(tags: []), ItemPatch(title: "theirs"),
    ]
    for patch in patches {
      let answer = code { try repository.edit(shown.id, patch, ifStill: shown) }
      #expect(answer == "changed: \(shown.id)", "\(patch)")
    }
    #expect(try repository.items(.all) == other)
  }

  @Test(arguments: RepositoryKind.allCases)
  func propertiesThatThePatchDoesNotNameMayHaveChanged(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.add(.numbered(1))
    try repository.edit([shown.id], ItemPatch(priority: .high, isDone: true))
    let merged = try repository.edit(shown.id, ItemPatch(title: "mine"), ifStill: shown)
    #expect(merged.title == "mine" && merged.priority == .high && merged.isDone)
    // Words that are added or taken away hold whatever there is, and expect nothing.
    try repository.edit([shown.id], ItemPatch(addedTags: ["theirs"]))
    let tagged = try repository.edit(shown.id, ItemPatch(addedTags: ["mine"]), ifStill: shown)
    #expect(tagged.tags == ["theirs", "mine"])
  }

  @Test(arguments: RepositoryKind.allCases)
  func groupsAreMergedAndRefusedInTheSameWay(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.createGroup(name: "Home", color: .gray)
    try repository.updateGroup(shown.id, GroupPatch(name: "House"))
    let color = RGBA("#123456")
    let merged = try repository.updateGroup(shown.id, GroupPatch(color: color), ifStill: shown)
    #expect(merged.name == "House" && merged.color == color)
    let image = GroupImage(bytes: Data([1]), mimeType: "image/png")
    try repository.updateGroup(shown.id, GroupPatch(image: image))
    let before = try repository.group(shown.id)
    let patches = [
      GroupPatch(name: "Hut"), GroupPatch(color: .gray), GroupPatch(image: .some(nil)),
    ]
    for patch in patches {
      let answer = code { try repository.updateGroup(shown.id, patch, ifStill: shown) }
      #expect(answer == "changed: \(shown.id)", "\(patch)")
    }
    #expect(try repository.group(shown.id) == before)
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatIsGoneIsNotFound(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.add(.numbered(1))
    let group = try repository.createGroup(name: "Home")
    _ = try repository.delete([shown.id])
    try repository.deleteGroup(group.id)
    #expect(
      code { try repository.edit(shown.id, ItemPatch(title: "t"), ifStill: shown) }
        == "\(TodoError.notFound(shown.id))")
    #expect(
      code { try repository.updateGroup(group.id, GroupPatch(name: "n"), ifStill: group) }
        == "\(TodoError.groupNotFound(group.id))")
  }

  @Test(arguments: RepositoryKind.allCases)
  func aNameInAnotherNormalFormIsAnotherValue(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.add(.numbered(1, title: "\u{D55C}"))
    // Equal to Swift, and other bytes.
    try repository.edit([shown.id], ItemPatch(title: "\u{1112}\u{1161}\u{11AB}"))
    let answer = code { try repository.edit(shown.id, ItemPatch(title: "t"), ifStill: shown) }
    #expect(answer == "changed: \(shown.id)")
  }

  @Test(arguments: RepositoryKind.allCases)
  func asynchronousEditsExpectToo(kind: RepositoryKind) async throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let item = try await repository.add(.numbered(1))
    let group = try await repository.createGroup(name: "Home")
    #expect(
      try await repository.edit(item.id, ItemPatch(title: "t"), ifStill: item).title == "t")
    #expect(
      try await repository.updateGroup(group.id, GroupPatch(name: "n"), ifStill: group).name == "n")
    await #expect(throws: TodoError.self) {
      try await repository.edit(item.id, ItemPatch(title: "u"), ifStill: item)
    }
    await #expect(throws: TodoError.self) {
      try await repository.updateGroup(group.id, GroupPatch(name: "o"), ifStill: group)
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func anEditThatExpectedIsTakenBackAndDoneAgainLikeAnyOther(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.add(.numbered(1))
    let edited = try repository.edit(shown.id, ItemPatch(title: "new"), ifStill: shown)
    try repository.undo()
    #expect(try repository.items(.all) == [shown])
    try repository.redo()
    #expect(try repository.items(.all) == [edited])
  }
}

/// The wire form of intents, which is also the form of the history.
@Suite("TodoIntent, on the wire")
struct TodoIntentWireTests {
  private let id = "00000000-0000-0000-0000-000000000001"

  private func decode(_ json: String) throws -> TodoIntent {
    try JSONDecoder().decode(TodoIntent.self, from: Data(json.utf8))
  }

  @Test func intentsWrittenBeforeThereWereExpectedValuesAreRead() throws {
    #expect(
      try decode(#"{"editItems":{"ids":["\#(id)"],"patch":{"title":"t","due":null}}}"#)
        == .editItems(ids: [.numbered(1)], patch: ItemPatch(title: "t", due: .some(nil))))
    #expect(
      try decode(#"{"editGroup":{"id":"\#(id)","patch":{"name":"n"}}}"#)
        == .editGroup(id: .numbered(1), patch: GroupPatch(name: "n")))
  }

  @Test func intentsThatExpectNothingAreWrittenAsBefore() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let intents: [TodoIntent] = [
      .editItems(ids: [.numbered(1)], patch: ItemPatch(title: "t")),
      .editGroup(id: .numbered(1), patch: GroupPatch(name: "n")),
    ]
    #expect(
      try intents.map { String(decoding: try encoder.encode($0), as: UTF8.self) } == [
        #"{"editItems":{"ids":["\#(id)"],"patch":{"title":"t"}}}"#,
        #"{"editGroup":{"id":"\#(id)","patch":{"name":"n"}}}"#,
      ])
  }

  @Test func expectedValuesSurviveTheWire() throws {
    let intents: [TodoIntent] = [
      .editItems(
        ids: [.numbered(1)], patch: ItemPatch(due: CalendarDay("2026-06-01")),
        ifStill: ItemPatch(due: .some(nil))),
      .editGroup(
        id: .numbered(1), patch: GroupPatch(image: .some(nil)),
        ifStill: GroupPatch(image: GroupImage(bytes: Data([1]), mimeType: "image/png"))),
    ]
    for intent in intents {
      let data = try JSONEncoder().encode(intent)
      #expect(try JSONDecoder().decode(TodoIntent.self, from: data) == intent)
    }
  }
}
