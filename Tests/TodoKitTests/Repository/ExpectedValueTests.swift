import Foundation
import Testing
import TodoKit
import TodoTestSupport

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
    let shown = try repository.perform(.add(.numbered(1))).items[0]
    let edited = try repository.perform(
      .edit(
        shown.id, ItemPatch(title: "new", isDone: true, due: CalendarDay("2026-06-01")),
        ifStill: shown)
    ).items[0]
    #expect(edited.title == "new" && edited.isDone && edited.doneAt == .noted)
    #expect(try repository.item(shown.id) == edited)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aNamedPropertyThatHasChangedMeanwhileIsRefused(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.perform(.add(.numbered(1))).items[0]
    let other = try repository.perform(
      .edit(
        [shown.id],
        ItemPatch(
          title: "theirs", note: "n", priority: .high, isDone: true, isImportant: true,
          due: CalendarDay("2026-06-01"), tags: ["a"]))
    ).items
    let patches = [
      ItemPatch(title: "mine"), ItemPatch(note: "m"), ItemPatch(priority: .low),
      ItemPatch(isDone: false), ItemPatch(isImportant: false), ItemPatch(due: .some(nil)),
      ItemPatch(tags: []), ItemPatch(title: "theirs"),
    ]
    for patch in patches {
      let answer = code { try repository.perform(.edit(shown.id, patch, ifStill: shown)) }
      #expect(answer == "changed: \(shown.id)", "\(patch)")
    }
    #expect(try repository.items(.all) == other)
  }

  @Test(arguments: RepositoryKind.allCases)
  func propertiesThatThePatchDoesNotNameMayHaveChanged(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.perform(.add(.numbered(1))).items[0]
    try repository.perform(.edit([shown.id], ItemPatch(priority: .high, isDone: true)))
    let merged = try repository.perform(.edit(shown.id, ItemPatch(title: "mine"), ifStill: shown))
      .items[0]
    #expect(merged.title == "mine" && merged.priority == .high && merged.isDone)
    // Words that are added or taken away hold whatever there is, and expect nothing.
    try repository.perform(.edit([shown.id], ItemPatch(addedTags: ["theirs"])))
    let tagged = try repository.perform(
      .edit(shown.id, ItemPatch(addedTags: ["mine"]), ifStill: shown)
    ).items[0]
    #expect(tagged.tags == ["theirs", "mine"])
  }

  @Test(arguments: RepositoryKind.allCases)
  func groupsAreMergedAndRefusedInTheSameWay(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.perform(.addGroup(name: "Home", color: .gray)).groups[0]
    try repository.perform(.editGroup(shown.id, GroupPatch(name: "House")))
    let color = RGBA("#123456")
    let merged = try repository.perform(
      .editGroup(shown.id, GroupPatch(color: color), ifStill: shown)
    ).groups[0]
    #expect(merged.name == "House" && merged.color == color)
    let image = GroupImage(bytes: Data([1]), mimeType: "image/png")
    try repository.perform(.editGroup(shown.id, GroupPatch(image: image)))
    let before = try repository.group(shown.id)
    let patches = [
      GroupPatch(name: "Hut"), GroupPatch(color: .gray), GroupPatch(image: .some(nil)),
    ]
    for patch in patches {
      let answer = code { try repository.perform(.editGroup(shown.id, patch, ifStill: shown)) }
      #expect(answer == "changed: \(shown.id)", "\(patch)")
    }
    #expect(try repository.group(shown.id) == before)
  }

  @Test(arguments: RepositoryKind.allCases)
  func whatIsGoneIsNotFound(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.perform(.add(.numbered(1))).items[0]
    let group = try repository.perform(.addGroup(name: "Home")).groups[0]
    try repository.perform(.delete([shown.id]))
    try repository.perform(.deleteGroup(group.id))
    #expect(
      code { try repository.perform(.edit(shown.id, ItemPatch(title: "t"), ifStill: shown)) }
        == "\(TodoError.notFound(shown.id))")
    #expect(
      code { try repository.perform(.editGroup(group.id, GroupPatch(name: "n"), ifStill: group)) }
        == "\(TodoError.groupNotFound(group.id))")
  }

  @Test(arguments: RepositoryKind.allCases)
  func aNameInAnotherNormalFormIsAnotherValue(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.perform(.add(.numbered(1, title: "\u{D55C}"))).items[0]
    // Equal to Swift, and other bytes.
    try repository.perform(.edit([shown.id], ItemPatch(title: "\u{1112}\u{1161}\u{11AB}")))
    let answer = code {
      try repository.perform(.edit(shown.id, ItemPatch(title: "t"), ifStill: shown))
    }
    #expect(answer == "changed: \(shown.id)")
  }

  @Test(arguments: RepositoryKind.allCases)
  func asynchronousEditsExpectToo(kind: RepositoryKind) async throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let item = try await repository.perform(.add(.numbered(1))).items[0]
    let group = try await repository.perform(.addGroup(name: "Home")).groups[0]
    #expect(
      try await repository.perform(.edit(item.id, ItemPatch(title: "t"), ifStill: item)).items[0]
        .title == "t")
    #expect(
      try await repository.perform(.editGroup(group.id, GroupPatch(name: "n"), ifStill: group))
        .groups[0].name == "n")
    await #expect(throws: TodoError.self) {
      try await repository.perform(.edit(item.id, ItemPatch(title: "u"), ifStill: item))
    }
    await #expect(throws: TodoError.self) {
      try await repository.perform(.editGroup(group.id, GroupPatch(name: "o"), ifStill: group))
    }
  }

  @Test(arguments: RepositoryKind.allCases)
  func anEditThatExpectedIsTakenBackAndDoneAgainLikeAnyOther(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let shown = try repository.perform(.add(.numbered(1))).items[0]
    let edited = try repository.perform(.edit(shown.id, ItemPatch(title: "new"), ifStill: shown))
      .items[0]
    try repository.perform(.undo)
    #expect(try repository.items(.all) == [shown])
    try repository.perform(.redo)
    #expect(try repository.items(.all) == [edited])
  }
}

/// The wire form of intents, which is also the form of the history.
@Suite("TodoCommand, on the wire")
struct TodoIntentWireTests {
  private let id = "00000000-0000-0000-0000-000000000001"

  private func decode(_ json: String) throws -> TodoCommand {
    try JSONDecoder().decode(TodoCommand.self, from: Data(json.utf8))
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
    let intents: [TodoCommand] = [
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
    let intents: [TodoCommand] = [
      .editItems(
        ids: [.numbered(1)], patch: ItemPatch(due: CalendarDay("2026-06-01")),
        ifStill: ItemPatch(due: .some(nil))),
      .editGroup(
        id: .numbered(1), patch: GroupPatch(image: .some(nil)),
        ifStill: GroupPatch(image: GroupImage(bytes: Data([1]), mimeType: "image/png"))),
    ]
    for intent in intents {
      let data = try JSONEncoder().encode(intent)
      #expect(try JSONDecoder().decode(TodoCommand.self, from: data) == intent)
    }
  }
}
