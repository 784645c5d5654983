import Foundation
import Testing
import TodoKit
import TodoTestSupport

/// A patch changes only the fields that it names.
@Suite("ItemPatch")
struct ItemPatchTests {
  @Test(arguments: RepositoryKind.allCases)
  func onlyNamedFieldsChange(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let day = try #require(CalendarDay(year: 2026, month: 6, day: 1))
    let time = try #require(TimeOfDay(hour: 14, minute: 30))
    let group = TodoGroup.numbered(1)
    var item = TodoItem.numbered(1, isImportant: true)
    try repository.perform(.add(groups: [group], items: [item]))
    func check(_ patch: ItemPatch, _ change: (inout TodoItem) -> Void) throws {
      change(&item)
      #expect(try repository.perform(.edit([item.id], patch)).items == [item])
      #expect(try repository.item(item.id) == item)
    }
    try check(ItemPatch(title: "new")) { $0.title = "new" }
    try check(ItemPatch(note: "why")) { $0.note = "why" }
    try check(ItemPatch(due: day)) { $0.due = day }
    try check(ItemPatch(tags: ["집", "b"])) { $0.tags = ["집", "b"] }
    try check(ItemPatch(groupID: group.id)) { $0.groupID = group.id }
    try check(ItemPatch(isImportant: false)) { $0.isImportant = false }
    try check(ItemPatch(priority: .high)) { $0.priority = .high }
    try check(ItemPatch(isDone: true)) {
      $0.isDone = true
      $0.doneAt = .noted
    }
    try check(ItemPatch(isDone: true)) { _ in }
    try check(ItemPatch(dueTime: time)) { $0.dueTime = time }
    try check(ItemPatch(due: .some(nil))) { ($0.due, $0.dueTime) = (nil, nil) }
    try check(ItemPatch(groupID: .some(nil))) { $0.groupID = nil }
    try check(ItemPatch(isDone: false)) {
      $0.isDone = false
      $0.doneAt = nil
    }
    try check(ItemPatch()) { _ in }
  }

  @Test(arguments: RepositoryKind.allCases)
  func tagsAreAddedOnceAndTakenAwayAndTheOthersKeepTheirOrder(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(.numbered(1)))
    func tags(after patch: ItemPatch) throws -> [String] {
      try repository.perform(.edit([.numbered(1)], patch)).items[0].tags
    }
    #expect(try tags(after: ItemPatch(addedTags: ["b", "한", "b"])) == ["b", "한"])
    #expect(try tags(after: ItemPatch(addedTags: ["a", "b"])) == ["b", "한", "a"])
    let decomposed = "\u{1112}\u{1161}\u{11AB}"
    #expect(try tags(after: ItemPatch(removedTags: [decomposed, "c"])) == ["b", "a"])
    let both = ItemPatch(addedTags: ["b", "c"], removedTags: ["b"])
    #expect(try tags(after: both) == ["a", "b", "c"])
    #expect(try repository.perform(.undo).items[0].tags == ["b", "a"])
    #expect(try repository.perform(.undo).items[0].tags == ["b", "한", "a"])
  }

  @Test(arguments: RepositoryKind.allCases)
  func twoWindowsThatAddTagsBothHold(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add([.numbered(1), .numbered(2)]))
    try repository.perform(.edit([.numbered(1)], ItemPatch(addedTags: ["one"])))
    try repository.perform(.edit([.numbered(1), .numbered(2)], ItemPatch(addedTags: ["two"])))
    #expect(try repository.items(.all).map(\.tags) == [["one", "two"], ["two"]])
    // One command for both items, whatever tags they had.
    try repository.perform(.undo)
    #expect(try repository.items(.all).map(\.tags) == [["one"], []])
  }

  @Test(arguments: RepositoryKind.allCases)
  func aTagThatIsThereAlreadyIsNoCommand(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    try repository.perform(.add(.numbered(1)))
    try repository.perform(.edit([.numbered(1)], ItemPatch(addedTags: ["a"])))
    let history = try repository.history()
    try repository.perform(.edit([.numbered(1)], ItemPatch(addedTags: ["a"], removedTags: ["b"])))
    #expect(try repository.history() == history)
  }

  @Test(arguments: RepositoryKind.allCases)
  func twoEditsOfDifferentFieldsBothHold(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    // Two screens show the same item; each saves what was changed on it.
    try repository.perform(.add(.numbered(1)))
    try repository.perform(.edit([.numbered(1)], ItemPatch(title: "from one screen")))
    try repository.perform(.edit([.numbered(1)], ItemPatch(note: "from the other")))
    let item = try #require(try repository.item(.numbered(1)))
    #expect(item.title == "from one screen")
    #expect(item.note == "from the other")
  }

  @Test func nullIsAValueAndMissingIsNone() throws {
    let day = try #require(CalendarDay("2026-06-01"))
    let patches = [
      ItemPatch(), ItemPatch(due: day), ItemPatch(due: .some(nil)),
      ItemPatch(
        title: "t", note: "n", priority: .low, isDone: false, isImportant: true,
        groupID: .numbered(1), tags: [], addedTags: ["a"], removedTags: [], order: 7,
        doneAt: .some(nil)),
    ]
    for patch in patches {
      let data = try JSONEncoder().encode(patch)
      #expect(try JSONDecoder().decode(ItemPatch.self, from: data) == patch)
    }
    let decoded = try JSONDecoder().decode(ItemPatch.self, from: Data(#"{"due":null}"#.utf8))
    #expect(decoded == ItemPatch(due: .some(nil)))
  }

  @Test func intentsSurviveTheWire() throws {
    let group = TodoGroup.numbered(
      1, image: GroupImage(bytes: Data([0, 255]), mimeType: "image/png"))
    let intents: [TodoCommand] = [
      .add(groups: [group], items: [.numbered(1, group: group.id), .numbered(2, isDone: true)]),
      .editItems(ids: [.numbered(1)], patch: ItemPatch(groupID: .some(nil))),
      .editItems(
        ids: [.numbered(1)],
        patch: ItemPatch(
          dueTime: .some(TimeOfDay("14:30")), repeats: .some(RepeatRule(rawValue: "first mon")),
          hiddenUntil: .some(CalendarDay("2026-06-01")), foreignRecord: .some(nil)),
        ifStill: ItemPatch(title: "t"), inNewGroup: group),
      .importItems(groups: [group], items: [.numbered(3)], edits: []),
      .ifUnchanged(ExpectedState(groups: [group]), then: .deleteGroup(id: group.id, holding: nil)),
      .editGroup(id: group.id, patch: GroupPatch(name: "n", image: .some(nil))),
      .moveItems(ids: [.numbered(1)], to: .after(id: .numbered(2))),
      .moveGroup(id: group.id, to: .first), .deleteItems(ids: [.numbered(1), .numbered(2)]),
      .deleteAll(list: .important, filter: .done), .deleteGroup(id: group.id, holding: nil),
      .deleteGroup(id: group.id, holding: []), .undo, .redo,
    ]
    for intent in intents {
      let data = try JSONEncoder().encode(intent)
      #expect(try JSONDecoder().decode(TodoCommand.self, from: data) == intent)
    }
  }
}
