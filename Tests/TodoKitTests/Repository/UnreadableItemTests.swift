import Croft
import Foundation
import Synchronization
import TestSupport
import Testing
import TodoKit
import TodoTestSupport

/// Items with values that this version does not know, as a newer one or another program may write them.
@Suite struct UnreadableItemTests {
  private final class Notices: Sendable {
    private let all = Synchronization.Mutex<[RepositoryNotice]>([])

    var list: [RepositoryNotice] { all.withLock { $0 } }

    func add(_ notice: RepositoryNotice) { all.withLock { $0.append(notice) } }
  }

  /// The store of a program that declares no model.
  private func otherProgram(at path: String) throws -> Store {
    var options = Store.Options()
    options.usesStoredModels = true
    return try Store.open(at: URL(filePath: path), models: [], options: options)
  }

  /// Gives an item a day that this version does not know.
  private func makeUnreadable(_ id: UUID, in store: Store) throws {
    try store.write { tx in
      let statement = try DynamicStatement("update TodoItem where id == $1 set due = 20261340", id)
      let count = try tx.perform(statement, allowingUnknownCases: true)
      #expect(count == 1)
    }
  }

  /// One of them made all lists throw, so that nothing of the file could be shown.
  @Test func oneOfThemIsLeftOutAndTold() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "list.croft")
    do {
      let repository = try CroftTodoRepository(path: path, now: { .noted })
      for number in 1...3 { try repository.perform(.add(.numbered(number))) }
    }
    let last = TodoItem.numbered(3)
    try makeUnreadable(last.id, in: otherProgram(at: path))
    let notices = Notices()
    let told = RepositoryNotice.unreadableItem(key: last.id.uuidString, property: "due")
    do {
      let repository = try CroftTodoRepository(
        path: path, now: { .noted }, onNotice: { notices.add($0) })
      let others = [TodoItem.numbered(1), .numbered(2)]
      #expect(try repository.items(.all) == others)
      #expect(notices.list == [told])
      for sort in [ItemSort.manual, .due, .title, .priority, .created] {
        let items = try repository.items(in: .all, meeting: [], sortedBy: sort, limit: nil)
        #expect(Set(items) == Set(others))
        #expect(
          try Set(repository.page(ListPage.Request(.all, sortedBy: sort)).items) == Set(others))
      }
      #expect(try repository.overview(ListPage.Request(.all)).page.items == others)
      var portions: [TodoItem] = []
      try repository.forEachPortion(in: .all, meeting: [], sortedBy: .manual) { items, _ in
        portions += items
      }
      #expect(portions == others)
      // A new item comes after the last one, which cannot be read, and other commands work.
      var new = TodoItem.numbered(4)
      new.order = 0
      try repository.perform(.add(new))
      try repository.perform(.setDone([.numbered(1)], true))
      #expect(try repository.items(.all).map(\.id) == [2, 4, 1].map { .numbered($0) })
      #expect(throws: TodoError.self) { try repository.item(last.id) }
      // Each is told once.
      #expect(notices.list == [told])
    }
    // Where nobody is told, nothing is left out.
    #expect(throws: TodoError.self) { try CroftTodoRepository(path: path).items(.all) }
  }

  /// A new item got the order key of one, and moves beside the new item threw.
  @Test func itemsAreAddedAndMovedBesideOne() throws {
    var random = SeededGenerator.forTest("itemsAreAddedAndMovedBesideOne")
    let folder = TemporaryFolder()
    let path = folder.path(to: "list.croft")
    let repository = try CroftTodoRepository(path: path, now: { .noted }, onNotice: { _ in })
    var order = (1...5).map { UUID.numbered($0) }
    for number in 1...5 { try repository.perform(.add(.numbered(number))) }
    let other = try otherProgram(at: path)
    let unreadable = UUID.numbered(5)
    try makeUnreadable(unreadable, in: other)
    func keys() throws -> [(id: UUID, order: Int64)] {
      try other.fetch(DynamicQuery("TodoItem sort by order")).map {
        (try $0["id", as: UUID.self], try $0["order", as: Int64.self])
      }
    }
    func expectOrder(_ step: String) throws {
      let keys = try keys()
      #expect(keys.map(\.id) == order, "\(step), \(random.seed)")
      #expect(Set(keys.map(\.order)).count == keys.count, "\(step), \(random.seed)")
      #expect(try repository.items(.all).map(\.id) == order.filter { $0 != unreadable }, "\(step)")
    }
    // It asks for a key that is taken, and for none.
    for (number, wanted) in [(6, try keys().last?.order ?? 0), (7, 0)] {
      var item = TodoItem.numbered(number)
      item.order = wanted
      try repository.perform(.add(item))
      order.append(item.id)
      try expectOrder("add \(number)")
    }
    // Often at one place, so that rows around it get new keys.
    let place = UUID.numbered(6)
    for step in 0..<120 {
      let moved = random.pick(order.filter { $0 != unreadable && $0 != place })
      let anchor =
        random.oneIn(8) ? random.pick(order.filter { $0 != unreadable && $0 != moved }) : place
      order.removeAll { $0 == moved }
      let index = try #require(order.firstIndex(of: anchor))
      let position: Position
      switch random.below(12) {
      case 0:
        position = .first
        order.insert(moved, at: 0)
      case 1:
        position = .last
        order.append(moved)
      case 2:
        position = .after(id: anchor)
        order.insert(moved, at: index + 1)
      default:
        position = .before(id: anchor)
        order.insert(moved, at: index)
      }
      try repository.perform(.move([moved], to: position))
      try expectOrder("move \(step)")
    }
  }
}
