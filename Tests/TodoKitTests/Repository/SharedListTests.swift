import Croft
import CroftFoundation
import TestSupport
import Testing

@testable import TodoKit

/// A list that other machines change too, as the program that synchronizes it does.
@Suite struct SharedListTests {
  private let folder = TemporaryFolder()
  private let repository: CroftTodoRepository
  private let list: SharedList

  init() throws {
    let path = folder.path(to: "list.croft")
    repository = try CroftTodoRepository(path: path)
    list = try SharedList(path: path)
    try list.store.replicate(SharedList.models, as: 1)
  }

  /// A transaction with what another machine did to items.
  private func receive(
    _ ids: [UUID], _ body: (inout WriteTransaction) throws -> Void
  ) throws {
    try list.store.writeRemote { tx in
      try body(&tx)
      try list.count(ids, in: &tx)
    }
  }

  private func add(_ title: String, group: UUID? = nil) throws -> TodoItem {
    try #require(
      try repository.perform(.add(TodoItem(title: title, in: group))).items.first)
  }

  /// Tallies and short ids are those of the items, after each change of the other machine.
  @Test func itemsOfOthersAreCounted() throws {
    var random = SeededGenerator.forTest("itemsOfOthersAreCounted")
    let groups = try (0..<2).map {
      try #require(try repository.perform(.addGroup(name: "\($0)")).groups.first).id
    }
    var ids: [UUID] = []
    for _ in 0..<200 {
      if ids.isEmpty || random.oneIn(3) { ids.append(UUID()) }
      let some = (0..<1 + random.below(3)).map { _ in random.pick(ids) }
      let (group, choice) = (random.pick(groups), random.below(4))
      try receive(Array(Set(some))) { tx in
        for id in Set(some) {
          var item = TodoItem(title: "\(id)", in: choice == 0 ? nil : group)
          (item.id, item.order) = (id, 5)
          (item.isDone, item.isImportant) = (choice == 1, choice == 2)
          if choice == 3 { try tx.delete(TodoItem.self, id) } else { try tx.upsert(item) }
        }
      }
      let items = try repository.items(in: .all, .all)
      let lists: [ItemList] = [.all, .important, .ungrouped] + groups.map { .group(id: $0) }
      for list in lists {
        let there = items.filter { list.includes($0) }
        let tally = Tally(total: there.count, done: there.filter(\.isDone).count)
        #expect(try repository.tally(of: list) == tally)
      }
    }
    let isWrong = try list.store.read { tx in try tx.needsUpgrade() }
    #expect(!isWrong)
  }

  @Test func whatIsNotSentIsCounted() throws {
    let alone = try CroftTodoRepository.inMemory()
    #expect(try alone.unsentChanges() == nil)
    #expect(try alone.overview(ListPage.Request(.all)).unsent == nil)
    func unsent() throws -> Int? {
      let count = try repository.unsentChanges()
      #expect(try repository.overview(ListPage.Request(.all)).unsent == count)
      return count
    }
    #expect(try unsent() == 0)
    let item = try add("Milk")
    _ = try add("Bread")
    #expect(try unsent() == 2)
    try repository.perform(.retitle(item.id, to: "Rice"))
    #expect(try unsent() == 2)
    let key = try #require(try list.store.outbox().keys.first)
    try list.store.writeRemote { tx in try tx.setEntry(nil, of: key) }
    #expect(try unsent() == 1)
    try list.store.leaveReplication(erases: false)
    #expect(try unsent() == nil)
  }

  @Test func undoLeavesWhatAnotherMachineChanged() throws {
    let (milk, bread) = (try add("Milk"), try add("Bread"))
    try repository.perform(.setDone([milk.id, bread.id], true))
    try receive([bread.id]) { tx in _ = try tx.update(TodoItem.self, bread.id) { $0.isDone = false }
    }
    let undone = try repository.perform(.undo)
    #expect(undone.items.map(\.id) == [milk.id])
    #expect(undone.leftAlone.items.map(\.title) == ["Bread"] && undone.leftAlone.missing == 0)
    #expect(try repository.item(milk.id)?.isDone == false)
  }

  /// An undo that cannot be done is done with, so that earlier commands can be undone.
  @Test func undoOfWhatIsGoneGoesToTheNext() throws {
    let milk = try add("Milk")
    let bread = try add("Bread")
    try repository.perform(.retitle(bread.id, to: "Rye bread"))
    try receive([bread.id]) { tx in _ = try tx.delete(TodoItem.self, bread.id) }
    let first = try repository.perform(.undo)
    #expect(first.items.isEmpty && first.leftAlone.missing == 1)
    // It was added, and is gone: nothing is left to do.
    #expect(try repository.perform(.undo).leftAlone.isEmpty)
    #expect(try repository.perform(.undo).items.map(\.id) == [milk.id])
    #expect(try repository.items(in: .all, .all).isEmpty)
  }

  @Test func undoOfAnAdditionKeepsWhatAnotherMachineEdited() throws {
    let milk = try add("Milk")
    try receive([milk.id]) { tx in _ = try tx.update(TodoItem.self, milk.id) { $0.note = "two" } }
    #expect(try repository.perform(.undo).leftAlone.items.map(\.note) == ["two"])
    #expect(try repository.item(milk.id) != nil)
  }

  /// The group comes back under a free name, and its items without what is no longer there.
  @Test func undoOfADeletedGroupFindsItsNameTaken() throws {
    let group = try #require(try repository.perform(.addGroup(name: "Home")).groups.first)
    let item = try add("Milk", group: group.id)
    try repository.perform(.deleteGroup(group.id))
    try receive([]) { tx in try tx.insert(TodoGroup(name: "Home", order: 7)) }
    try repository.perform(.undo)
    #expect(try repository.group(group.id)?.name != "Home")
    #expect(try repository.item(item.id)?.groupID == group.id)
  }

  @Test func undoKeepsAGroupThatAnotherMachineFilled() throws {
    let group = try #require(try repository.perform(.addGroup(name: "Home")).groups.first)
    let other = TodoItem(title: "Tea", in: group.id)
    try receive([other.id]) { tx in try tx.insert(other) }
    #expect(try repository.perform(.undo).leftAlone.groups.map(\.name) == ["Home"])
    #expect(try repository.item(other.id) != nil)
  }

  /// Two machines that add at the same time give one order key twice.
  @Test func rowsOfOneOrderKeyCanBeMovedBetween() throws {
    let items = try (0..<4).map { try add("\($0)") }
    let ids = items.map(\.id).sorted()
    try receive(ids) { tx in
      for id in ids { _ = try tx.update(TodoItem.self, id) { $0.order = 9 } }
    }
    func order() throws -> [UUID] { try repository.items(in: .all, .all).map(\.id) }
    #expect(try order() == ids)
    try repository.perform(.move([ids[3]], to: .after(id: ids[0])))
    #expect(try order() == [ids[0], ids[3], ids[1], ids[2]])
    try repository.perform(.move([ids[2]], to: .before(id: ids[0])))
    #expect(try order() == [ids[2], ids[0], ids[3], ids[1]])
  }

  @Test func namesOfDeletedRowsAreKnown() throws {
    let group = try #require(try repository.perform(.addGroup(name: "Home")).groups.first)
    let item = try add("Milk", group: group.id)
    try repository.perform(.deleteGroup(group.id))
    #expect(try list.name(of: item.id) == "Milk")
    #expect(try list.name(of: group.id) == "Home")
    #expect(try list.name(of: UUID()) == nil)
  }
}
