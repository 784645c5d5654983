import Croft
import Foundation
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

/// Stores that other programs wrote: older ones, and older ones that are still in use.
@Suite("CroftTodoRepository, older stores")
struct StoreUpgradeTests {
  /// A copy of a store that the program before groups wrote.
  private func olderStore(in folder: TemporaryFolder) throws -> String {
    let fixture = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/before-groups.croft")
    let path = folder.path(to: "todo.croft")
    try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
    return path
  }

  @Test func aStoreFromBeforeGroupsOpensWithItsItemsPlacedAndCounted() throws {
    let folder = TemporaryFolder()
    let path = try olderStore(in: folder)
    let repository = try CroftTodoRepository(path: path)
    #expect(try repository.history() == CommandHistory())
    let items = try repository.items(.all)
    #expect(items.map(\.title) == ["보고서 쓰기", "Call home", "Letter", "Milk"])
    #expect(items.map(\.priority) == [.high, .normal, .low, .low])
    #expect(items.map(\.isDone) == [false, false, false, true])
    #expect(items.allSatisfy { $0.order != 0 && $0.groupID == nil && $0.due == nil })
    #expect(items.allSatisfy { $0.hiddenUntil == nil && $0.estimate == nil })
    let today = try #require(CalendarDay("2026-06-01"))
    #expect(try repository.page(.init(.all, hidesWaitingOn: today)).items.count == 4)
    try repository.perform(.edit([items[0].id], ItemPatch(hiddenUntil: today.adding(days: 1))))
    #expect(try repository.page(.init(.all, hidesWaitingOn: today)).items.count == 3)
    try repository.perform(.undo)
    #expect(Set(items.map(\.order)).count == 4)
    #expect(try repository.tally(of: .all) == Tally(total: 4, done: 1))
    #expect(try repository.tally(of: .ungrouped) == Tally(total: 4, done: 1))
    for item in items {
      let ending = try #require(ShortID(String(item.id.uuidString.suffix(6))))
      #expect(try repository.items(endingIn: ending) == [item])
    }
  }

  @Test func anUpgradedStoreIsUsedLikeAnyOther() throws {
    let folder = TemporaryFolder()
    let path = try olderStore(in: folder)
    do {
      let repository = try CroftTodoRepository(path: path)
      let home = try repository.perform(.addGroup(name: "Home")).groups[0]
      let items = try repository.items(.all)
      try repository.perform(.edit([items[0].id], ItemPatch(groupID: home.id)))
      try repository.perform(.move([items[2].id], to: .before(id: items[0].id)))
      try repository.perform(.add(TodoItem(title: "new")))
    }
    let reopened = try CroftTodoRepository(path: path)
    let titles = try reopened.items(.all).map(\.title)
    #expect(titles == ["Letter", "보고서 쓰기", "Call home", "new", "Milk"])
    #expect(try reopened.groups().map(\.tally) == [Tally(total: 1)])
  }

  @Test func itemsThatAnOlderProgramAddsMeanwhileAreTakenInWhenTheStoreIsOpenedAgain() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    do {
      let repository = try CroftTodoRepository(path: path)
      try repository.perform(.add(.numbered(1)))
      // The program before groups knows no places and no tallies: it writes items alone.
      let store = try Store.open(at: URL(filePath: path), models: TodoItem.self, TodoGroup.self)
      var foreign = TodoItem.numbered(2, isDone: true)
      foreign.order = 0
      try store.write { tx in try tx.insert(foreign) }
    }
    let reopened = try CroftTodoRepository(path: path)
    #expect(try reopened.items(.all).map(\.id) == [.numbered(1), .numbered(2)])
    #expect(try reopened.tally(of: .all) == Tally(total: 2, done: 1))
    #expect(try reopened.item(.numbered(2))?.order ?? 0 > 1 << 32)
  }
}
