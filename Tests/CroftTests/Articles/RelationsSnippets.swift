import Croft
import Foundation
import Testing

/// The code of the article about relations.
@Suite struct RelationsSnippets {
  @Model struct Person { @PrimaryKey var id: Int }

  @Model struct TodoGroup {
    @PrimaryKey var id: UUID = .timeOrdered()
    var name: String
  }

  @Model struct TodoItem {
    @PrimaryKey var id: UUID = .timeOrdered()
    var title: String
    var isDone = false
    @Relation(onDelete: .cascade) var group: Ref<TodoGroup>?
    var watchers: Set<Ref<Person>> = []
    var steps: [Ref<TodoItem>] = []  // ordered; the same one may stand there twice
  }

  @Test func objectsReferToEachOtherAndAreFoundFromBothEnds() throws {
    let store = try Store.inMemory(models: Person.self, TodoGroup.self, TodoItem.self)

    let home = TodoGroup(name: "Home")
    try store.write { tx in
      try tx.insert(home)
      try tx.insert(TodoItem(title: "Sweep", group: Ref(home)))
    }

    try store.write { tx in
      try tx.insert(TodoItem(title: "Cook", isDone: true, group: Ref(home)))
      try tx.insert(TodoItem(title: "Elsewhere"))
    }

    let items = try store.fetch(TodoItem.referring(to: home, by: \.group))
    let open = try store.count(TodoItem.referring(to: home, by: \.group).where { !$0.isDone })

    #expect(items.map(\.title) == ["Sweep", "Cook"])
    #expect(open == 1)
    try store.write { _ = try $0.delete(TodoGroup.self, home.id) }
    #expect(try store.fetch(TodoItem.all).map(\.title) == ["Elsewhere"])
  }
}
