import Croft
import Foundation
import Testing

@Model struct Match {
  @PrimaryKey var league: String
  @PrimaryKey var number: Int
  var place = ""
}

@Model struct Goal {
  @PrimaryKey var match: Ref<Match>
  @PrimaryKey var minute: Int
  var scorer = ""
}

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
    var steps: [Ref<TodoItem>] = []  // ordered; the same one may be there twice
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

    let anna = Person(id: 1)
    try store.write { tx in
      try tx.insert(anna)
      try tx.update(TodoItem.all) { $0.watchers = [Ref(anna)] }
    }
    let watched = try store.fetch(TodoItem.referring(to: anna, by: \.watchers))
    let busy = try store.fetch(Person.where { $0.referrers(by: \TodoItem.watchers).count > 2 })
    #expect(watched.count == 3 && busy.map(\.id) == [1])

    #expect(items.map(\.title) == ["Sweep", "Cook"])
    #expect(open == 1)
    try store.write { _ = try $0.delete(TodoGroup.self, home.id) }
    #expect(try store.fetch(TodoItem.all).map(\.title) == ["Elsewhere"])
  }

  @Test func referencesAreFollowed() throws {
    let store = try Store.inMemory(models: Person.self, TodoGroup.self, TodoItem.self)
    let home = TodoGroup(name: "Home")
    let (sweep, dust) = (TodoItem(title: "Sweep"), TodoItem(title: "Dust"))
    let item = TodoItem(
      title: "Clean", group: Ref(home), steps: [Ref(dust), Ref(sweep), Ref(dust)])
    try store.write { tx in
      try tx.insert(home)
      try tx.insert(contentsOf: [sweep, dust, item])
    }
    var printed: [String] = []
    func print(_ items: String...) { printed.append(items.joined(separator: " ")) }

    let group = try store.get(item.group)
    let steps = try store.fetch(item.steps)
    for (item, group) in try store.fetch(TodoItem.all.including(\.group)) {
      print(item.title, group?.name ?? "no group")
    }

    #expect(group?.name == "Home")
    #expect(steps.map(\.title) == ["Dust", "Sweep", "Dust"])
    #expect(printed == ["Sweep no group", "Dust no group", "Clean Home"])
    try store.write { try $0.delete(dust) }
    #expect(try store.fetch(item.steps).map(\.title) == ["Sweep"])
    #expect(try store.read { tx in try tx.get(item.steps.first) } == nil)
    let ordered = TodoItem.all.order { [$0.group.name.descending] }
    #expect(try store.fetch(ordered).first?.title == "Clean")
  }

  @Test func aCompoundKeyIsReferredToAndHoldsReferences() throws {
    let store = try Store.inMemory(models: Match.self, Goal.self)
    let final = Ref<Match>(Match.PrimaryKey(league: "Cup", number: 63))
    try store.write { tx in
      try tx.insert(Match(league: "Cup", number: 63))
      try tx.insert(Goal(match: final, minute: 90))
    }
    #expect(try store.fetch(Goal.where { $0.match.number == 63 }).map(\.minute) == [90])
  }
}
