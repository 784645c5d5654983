import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TodoKit
import TodoTestSupport

/// Groups, in every repository.
@Suite("TodoRepository, groups")
struct TodoRepositoryGroupTests {
  @Test(arguments: RepositoryKind.allCases)
  func withoutGroupsTheHomeListIsEmptyAndNeverNil(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    #expect(try repository.groups() == [])
    #expect(try repository.group(.numbered(1)) == nil)
    #expect(try repository.items(in: .group(id: .numbered(1)), .all) == [])
  }

  @Test(arguments: RepositoryKind.allCases)
  func aGroupIsMadeWithNameColourAndImage(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let image = GroupImage(bytes: Data((0..<5000).map { UInt8($0 % 251) }), mimeType: "image/png")
    let group = TodoGroup.numbered(1, name: "집안일", color: RGBA(rawValue: 0xFF88_00FF), image: image)
    #expect(try repository.perform(.add(groups: [group], items: [])).groups == [group])
    #expect(try repository.group(group.id) == group)
    let made = try repository.perform(.addGroup(name: "Work", color: .gray)).groups[0]
    #expect(made.name == "Work")
    #expect(try repository.groups().map(\.group) == [group, made])
    #expect(made.order > group.order)
  }

  @Test(arguments: RepositoryKind.allCases)
  func aPatchOfAGroupChangesOnlyWhatItNames(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let image = GroupImage(bytes: Data([1, 2, 3]), mimeType: "image/gif")
    var group = TodoGroup.numbered(1, image: image)
    try repository.perform(.add(groups: [group], items: []))
    group.color = RGBA(rawValue: 0x0000_FFFF)
    #expect(
      try repository.perform(.editGroup(group.id, GroupPatch(color: group.color))).groups[0]
        == group)
    group.image = nil
    #expect(
      try repository.perform(.editGroup(group.id, GroupPatch(image: .some(nil)))).groups[0] == group
    )
    group.image = image
    group.name = "other"
    let both = GroupPatch(name: " other ", image: image)
    #expect(try repository.perform(.editGroup(group.id, both)).groups[0] == group)
    #expect(try repository.group(group.id) == group)
  }

  @Test(arguments: RepositoryKind.allCases)
  func anUnknownGroupIsRefused(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let id = UUID.numbered(77)
    try repository.perform(.add(.numbered(1)))
    let verbs: [() throws -> Void] = [
      { try repository.perform(.editGroup(id, GroupPatch(color: .gray))) },
      { try repository.perform(.moveGroup(id, to: .first)) },
      { try repository.perform(.deleteGroup(id)) },
      { try repository.perform(.add(.numbered(2, group: id))) },
      { try repository.perform(.edit([.numbered(1)], ItemPatch(groupID: id))) },
    ]
    for verb in verbs {
      let error = #expect(throws: TodoError.self) { try verb() }
      guard case .groupNotFound(id) = error else {
        Issue.record("unexpected error: \(String(describing: error))")
        continue
      }
    }
    #expect(try repository.items(.all) == [.numbered(1)])
  }

  @Test(arguments: RepositoryKind.allCases)
  func anItemKnowsItsGroupAndEachListShowsItsOwn(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1)
    let work = TodoGroup.numbered(2)
    let items: [TodoItem] = [
      .numbered(1, group: home.id), .numbered(2, isImportant: true, group: work.id),
      .numbered(3, isDone: true, isImportant: true, group: home.id), .numbered(4),
    ]
    try repository.perform(.add(groups: [home, work], items: items))
    func titles(_ list: ItemList, _ filter: ItemFilter = .all) throws -> [String] {
      try repository.items(in: list, filter).map(\.title)
    }
    #expect(try titles(.all) == ["item 1", "item 2", "item 4", "item 3"])
    #expect(try titles(.group(id: home.id)) == ["item 1", "item 3"])
    #expect(try titles(.group(id: home.id), .undone) == ["item 1"])
    #expect(try titles(.group(id: work.id)) == ["item 2"])
    #expect(try titles(.ungrouped) == ["item 4"])
    #expect(try titles(.important) == ["item 2", "item 3"])
    #expect(try titles(.important, .done) == ["item 3"])
    #expect(try repository.item(.numbered(1))?.groupID == home.id)
    try repository.perform(.edit([.numbered(4)], ItemPatch(groupID: work.id)))
    try repository.perform(.edit([.numbered(1)], ItemPatch(groupID: .some(nil))))
    #expect(try titles(.group(id: work.id)) == ["item 2", "item 4"])
    #expect(try titles(.ungrouped) == ["item 1"])
  }

  @Test(arguments: RepositoryKind.allCases)
  func deletingAGroupTakesItsItemsAndReportsThem(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = TodoGroup.numbered(1)
    let work = TodoGroup.numbered(2)
    let inHome: [TodoItem] = [
      .numbered(1, group: home.id), .numbered(2, isDone: true, group: home.id),
    ]
    let others: [TodoItem] = [.numbered(3, group: work.id), .numbered(4)]
    try repository.perform(.add(groups: [home, work], items: inHome + others))
    let report = try repository.perform(.deleteGroup(home.id))
    #expect(report.groups == [home])
    #expect(report.items == inHome)
    #expect(report.items.count == 2)
    #expect(try repository.items(.all) == others)
    #expect(try repository.groups().map(\.id) == [work.id])
    #expect(try repository.tally(of: .group(id: home.id)) == Tally())
  }

  @Test(arguments: RepositoryKind.allCases)
  func asynchronousVerbsOfGroupsDoWhatTheirTwinsDo(kind: RepositoryKind) async throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let home = try await repository.perform(.addGroup(name: "Home")).groups[0]
    let work = try await repository.perform(.addGroup(name: "Work", color: .gray)).groups[0]
    try await repository.perform(.add([.numbered(1, group: home.id), .numbered(2)]))
    #expect(
      try await repository.perform(.editGroup(work.id, GroupPatch(name: "home"))).groups[0].name
        == "home")
    #expect(
      try await repository.perform(.moveGroup(work.id, to: .first)).groups[0].order < home.order)
    #expect(try repository.groups().map(\.id) == [work.id, home.id])
    #expect(try repository.group(home.id)?.name == "Home")
    #expect(try repository.tally(of: .all) == Tally(total: 2))
    #expect(
      try await repository.perform(.move([.numbered(2)], to: .first)).items.map(\.id) == [
        .numbered(2)
      ])
    #expect(try repository.items(in: .group(id: home.id), .all).map(\.id) == [.numbered(1)])
    #expect(
      try await repository.perform(.setImportant([.numbered(1)], true)).items.map(\.isImportant)
        == [true])
    #expect(try await repository.perform(.deleteGroup(home.id)).items.count == 1)
    try await repository.perform(.undo)
    #expect(try repository.history().redo == .deleteGroup(id: home.id, holding: nil))
    try await repository.perform(.redo)
    #expect(try repository.items(.all).map(\.id) == [.numbered(2)])
    #expect(try await repository.perform(.deleteAll(in: .all)).items.count == 1)
  }

  /// Several programs that named a group at once made one each: `G`, `G (1)`, `G (2)`.
  @Test(arguments: RepositoryKind.allCases)
  func aNamedGroupIsThatOfAnotherProgram(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    func draft(_ title: String) -> TaskDraft { TaskDraft(title: title, priority: .low) }
    func perform(_ action: TodoAction) throws -> CommandResult {
      try repository.perform(action.command.get())
    }
    let first = try perform(.addTask(draft("one"), inNewGroup: " G "))
    let home = try #require(first.groups.first)
    let second = try perform(.addTask(draft("two"), inNewGroup: "G"))
    #expect(second.groups.map(\.id) == [home.id] && second.items[0].groupID == home.id)
    let loose = try repository.perform(.add(.numbered(7))).items[0]
    let moved = try perform(.setNewGroup([loose.id], "G"))
    #expect(moved.groups.map(\.id) == [home.id] && moved.items[0].groupID == home.id)
    let other = try repository.perform(.add(.numbered(8))).items[0]
    let form = TaskDraft(title: other.title, priority: .high)
    let edited = try perform(.editTask(other, form, inNewGroup: "G"))
    #expect(edited.items[0].groupID == home.id && edited.items[0].priority == .high)
    // A name that is typed may differ in case; the condition before a command changes nothing of this.
    let asked = try perform(
      .ifUnchanged(ExpectedState(), then: .addTask(draft("5"), inNewGroup: "g")))
    #expect(asked.groups.map(\.id) == [home.id])
    try repository.perform(.undo)
    #expect(try repository.groups().map(\.group.name) == ["G"])
    #expect(try repository.groups().map(\.tally.total) == [4])
    // Undone, they leave the group, which the first command made.
    for _ in 0..<5 { try repository.perform(.undo) }
    #expect(try repository.groups().map(\.tally.total) == [1])
    #expect(try repository.perform(.undo).command.withoutRows == first.command.withoutRows)
    #expect(try repository.groups().isEmpty)
    for _ in 0..<6 { try repository.perform(.redo) }
    #expect(try repository.groups().map(\.tally.total) == [4])
    // The groups of a file that differ in case are different.
    let files = ["G", "g"].map { TodoGroup(name: $0, color: .gray) }
    let items = files.map { TodoItem(title: $0.name, in: $0.id) }
    let file = try perform(.importItems(groups: files, items: items, edits: []))
    #expect(try repository.groups().map(\.group.name) == ["G", "g"])
    #expect(file.items.map(\.groupID) == [home.id, files[1].id])
    try repository.perform(.undo)
    #expect(try repository.groups().map(\.group.id) == [home.id])
    // A group that is asked for as such has a name of its own.
    let named = try perform(.addGroup(GroupDraft(name: "G")))
    #expect(named.groups.map(\.name) == ["G (1)"])
  }

  @Test(arguments: RepositoryKind.allCases)
  func groupsTalliesAndHistoryAreObserved(kind: RepositoryKind) throws {
    let (repository, folder) = try kind.make()
    defer { withExtendedLifetime(folder) {} }
    let groups = Recorder(repository.observeGroups())
    let important = Recorder(repository.observeTally(of: .important))
    let history = Recorder(repository.observeHistory())
    let home = TodoGroup.numbered(1)
    try repository.perform(.add(groups: [home], items: []))
    groups.wait { $0.count == 2 }
    history.wait { $0.count == 2 }
    try repository.perform(.add(.numbered(1, group: home.id)))
    groups.wait { $0.count == 3 }
    history.wait { $0.count == 3 }
    try repository.perform(.setDone([.numbered(1)], true))
    history.wait { $0.count == 4 }
    try repository.perform(.setImportant([.numbered(1)], true))
    important.wait { $0.count == 2 }
    history.wait { $0.count == 5 }
    try repository.perform(.undo)
    important.wait { $0.count == 3 }
    history.wait { $0.count == 6 }
    let tallies = groups.wait { $0.count == 4 }.map { $0.map(\.tally) }
    #expect(tallies == [[], [Tally()], [Tally(total: 1)], [Tally(total: 1, done: 1)]])
    #expect(important.elements == [Tally(), Tally(total: 1, done: 1), Tally()])
    #expect(
      history.elements.last?.redo
        == .editItems(ids: [.numbered(1)], patch: ItemPatch(isImportant: true)))
  }
}
