import Croft
import Foundation
import Testing

/// The code of the article for those who come from Realm, SwiftData and GRDB.
@Suite struct ComingFromOthersSnippets {
  enum Priority: Int, StoredEnum { case none, low, normal, high }

  @Model struct TodoItem {
    @PrimaryKey var id: UUID = .timeOrdered()
    var title: String
    @Indexed var priority: Priority = .none
    var isDone = false
    @Relation(onDelete: .cascade) var group: Ref<TodoGroup>?
    var tags: [String] = []
    var minutes = 0
  }

  @Model struct TodoGroup {
    @PrimaryKey var id: UUID = .timeOrdered()
    var name: String
    #Unique<TodoGroup>([\.name])
  }

  @Test func theExamplesRun() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let url = folder.appending(path: "todo.croft")
    let store = try Store.open(at: url, models: TodoItem.self, TodoGroup.self)

    let home = TodoGroup(name: "Home")
    let item = TodoItem(title: "Read", priority: .high, group: Ref(home), minutes: 5)
    try store.write { tx in try tx.insert(home) }
    try store.write { tx in
      try tx.insert(item)
      try tx.upsert(item)
      try tx.update(TodoItem.self, item.id) { $0.isDone = true }
      try tx.update(TodoItem.where { $0.isDone }, set: \.priority, to: .none)
      try tx.delete(TodoItem.where { $0.isDone })
    }
    #expect(try store.count(TodoItem.all) == 0)

    try store.write { tx in try tx.insert(item) }
    let other = TodoItem(title: "Other")
    var changed = TodoItem(title: "Changed")
    try store.write { tx in
      try tx.insert(other)
      try tx.insert(changed)
    }
    changed.priority = .low
    let added = TodoItem(title: "Added")
    try store.write { tx in
      try tx.update(Ref(item)) { $0.title = "Write" }
      try tx.delete(other)
      try tx.update(changed)
      try tx.upsert(added)
    }
    #expect(try store.fetch(TodoItem.all).map(\.title) == ["Write", "Changed", "Added"])
    #expect(try store.fetch(TodoItem.all).map(\.priority) == [.high, .low, .none])
    try store.write { tx in
      try tx.delete(added)
      try tx.delete(changed)
      try tx.upsert(item)
    }

    let open = TodoItem.where { !$0.isDone && $0.group.name == "Home" }
      .order(by: \.priority.descending, \.title)
      .limit(20)
    let items = try store.fetch(open)
    #expect(items.map(\.title) == ["Read"])
    let count = try store.count(open)
    let total = try store.fetch(open.sum(\.minutes))
    let longest = try store.fetch(TodoItem.all.max(\.minutes))
    let titles = try store.fetch(
      TodoItem.all.grouped(by: { ($0.group, $0.title.lowercased()) }, .count))
    #expect(count == 1 && total == 5 && longest == 5)
    #expect(titles.map(\.key.1) == ["read"])

    @Sendable func show(_ shown: some Sendable) {}

    let list = store.observe(open, on: .main) { change in show(change.after) }
    let badge = store.observe(TodoItem.where { !$0.isDone }.count, on: .main) { count in
      show(count)
    }
    let board = store.observe(
      ReadRequest { tx in [try tx.count(TodoItem.all), try tx.count(TodoGroup.all)] }, on: .main
    ) { counts in show(counts) }

    for token in [list, badge, board] { token.cancel() }

    try store.write { tx in _ = try tx.delete(TodoGroup.self, home.id) }
    #expect(try store.count(TodoItem.all) == 0)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func anObjectThatIsHeldIsChangedAndDeletedInTheStore() throws {
    let store = try Store.inMemory(models: TodoItem.self, TodoGroup.self)
    let (item, other) = (TodoItem(title: "Read"), TodoItem(title: "Rest"))
    try store.write { try $0.insert(contentsOf: [item, other]) }
    try store.write { _ = try $0.update(Ref(item)) { $0.minutes = 9 } }
    let written = try store.write { tx in
      try tx.delete(other)
      return try tx.update(Ref(item)) { $0.title = "Write" }
    }
    #expect(written.title == "Write" && written.minutes == 9 && item.title == "Read")
    #expect(try store.fetch(TodoItem.all).map(\.title) == ["Write"])
    #expect(try store.write { tx in try tx.delete(other) } == false)
    #expect(throws: StoreError.self) {
      try store.write { tx in try tx.update(Ref(other)) { $0.title = "Write" } }
    }
  }

  @MainActor @Test func whatAViewReadsFollowsTheStore() async throws {
    let store = try Store.inMemory(models: TodoItem.self, TodoGroup.self)

    let shown = ObservedValue(of: TodoItem.where { !$0.isDone }, in: store)
    let number = ObservedValue(0, of: TodoItem.all.count, in: store)

    let tracking = Tracking { _ = (shown.value, number.value) }
    try await store.write { try $0.insert(TodoItem(title: "Read")) }
    await tracking.drain(store)
    #expect(shown.value.map(\.title) == ["Read"] && number.value == 1)
    #expect(tracking.count == 1)
  }
}
