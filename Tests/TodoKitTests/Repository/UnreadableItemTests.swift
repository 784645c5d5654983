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
    private let all = Mutex<[RepositoryNotice]>([])

    var list: [RepositoryNotice] { all.withLock { $0 } }

    func add(_ notice: RepositoryNotice) { all.withLock { $0.append(notice) } }
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
    do {
      var options = Store.Options()
      options.usesStoredModels = true
      let store = try Store.open(at: URL(filePath: path), models: [], options: options)
      try store.write { tx in
        let statement = try DynamicStatement(
          "update TodoItem where id == $1 set due = 20261340", last.id)
        let count = try tx.perform(statement, allowingUnknownCases: true)
        #expect(count == 1)
      }
    }
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
      // A new item comes after the last one that can be read, and other commands work.
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
}
