import Croft
import Foundation
import Testing

// One store through the versions of a program, as its models are written.

enum Original {
  @Embedded struct Place: Hashable {
    var town: String
    var street = ""
  }
  @Model struct Worker: Hashable {
    @PrimaryKey var number: Int
    @Indexed var name: String
    var mood: String?
    var home: Place
    var work: Place?
    @Relation(onDelete: .cascade) var chief: Ref<Worker>?
    #Index<Original.Worker>([\.home.town, \.name])
  }
  @Model struct Order: Hashable {
    @PrimaryKey var id: Int
    @Relation(onDelete: .cascade) var worker: Ref<Worker>?
  }
}

/// Everything has another name, and the model too.
enum Later {
  @Embedded struct Place: Hashable {
    @Renamed(from: "town") var city: String
    var street = ""
  }
  @Renamed(from: "Worker") @Removed("mood")
  @Model struct Employee: Hashable {
    @Renamed(from: "number") @PrimaryKey var id: Int
    @Renamed(from: "name") @Indexed var fullName: String
    @Renamed(from: "home") var address: Place
    var work: Place?
    @Renamed(from: "chief") @Relation(onDelete: .cascade) var boss: Ref<Employee>?
    #Index<Later.Employee>([\.address.city, \.fullName])
  }
  @Model struct Order: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "worker") @Relation(onDelete: .cascade) var employee: Ref<Employee>?
  }
}

/// The names changed once more; those before the last are still known.
enum Latest {
  @Renamed(from: "Employee", "Worker")
  @Model struct Person: Hashable {
    @Renamed(from: "number") @PrimaryKey var id: Int
    @Renamed(from: "fullName", "name") @Indexed var title: String
    var mood: String? = "new"
  }
  @Model struct Order: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "employee", "worker") @Relation(onDelete: .cascade) var person: Ref<Person>?
  }
}

@Suite(.keepsFailedStores) struct RenamingTests {
  private let workers = (0..<200).map { id in
    Original.Worker(
      number: id, name: "name \(id % 17)", mood: id % 3 == 0 ? nil : "mood \(id)",
      home: Original.Place(town: "town \(id % 5)", street: "street"),
      work: id % 2 == 0 ? nil : Original.Place(town: "work"),
      chief: id == 0 ? nil : Ref(id / 2))
  }

  private func employee(_ worker: Original.Worker) -> Later.Employee {
    Later.Employee(
      id: worker.number, fullName: worker.name,
      address: Later.Place(city: worker.home.town, street: worker.home.street),
      work: worker.work.map { Later.Place(city: $0.town, street: $0.street) },
      boss: worker.chief.map { Ref($0.key) })
  }

  private func fill(_ temporary: TemporaryStore) throws {
    let store = try Store.open(
      at: temporary.url, models: Original.Worker.self, Original.Order.self, options: .forTests)
    try store.write { tx throws in
      try tx.insert(contentsOf: workers)
      try tx.insert(contentsOf: (0..<9).map { Original.Order(id: $0, worker: Ref($0 * 20)) })
    }
  }

  @Test func modelsPropertiesAndStructsKeepTheirValuesUnderNewNames() throws {
    try withTemporaryStore(of: Later.Employee.self, Later.Order.self) { temporary in
      try fill(temporary)
      let store = try temporary.open()
      #expect(try store.fetch(Later.Employee.all) == workers.map(employee))
      #expect(
        try store.fetch(Later.Order.all)
          == (0..<9).map { Later.Order(id: $0, employee: Ref($0 * 20)) })
    }
  }

  @Test func indexesAndRulesGoOnUnderNewNames() throws {
    try withTemporaryStore(of: Later.Employee.self, Later.Order.self) { temporary in
      try fill(temporary)
      let store = try temporary.open()
      let query = Later.Employee.where { $0.address.city == "town 3" && $0.fullName > "name 4" }
      let expected = workers.map(employee).filter {
        $0.address.city == "town 3" && $0.fullName > "name 4"
      }
      #expect(try store.fetch(query) == expected)
      let plan = try store.explain(query).description
      #expect(plan.contains("address.city"))
      // Everybody has the first one above them.
      let isDeleted = try store.write { try $0.delete(Later.Employee.self, 0) }
      #expect(isDeleted)
      #expect(try store.count(Later.Employee.all) == 0)
      #expect(try store.count(Later.Order.all) == 0)
      #expect(try store.verify().problems == [])
    }
  }

  @Test func aRemovedFieldIsGoneForOlderAndLaterPrograms() throws {
    try withTemporaryStore(of: Latest.Person.self, Latest.Order.self) { temporary in
      try fill(temporary)
      _ = try Store.open(
        at: temporary.url, models: Later.Employee.self, Later.Order.self, options: .forTests)
      let store = try temporary.open()
      #expect(
        try store.fetch(Latest.Person.all)
          == workers.map { Latest.Person(id: $0.number, title: $0.name, mood: "new") })
    }
  }

  @Test func aProgramThatKnowsOnlyTheFirstNamesMeetsTheSameObjects() throws {
    try withTemporaryStore(of: Latest.Person.self, Latest.Order.self) { temporary in
      try fill(temporary)
      _ = try temporary.open()
      let old = try Store.open(
        at: temporary.url, models: Original.Worker.self, Original.Order.self, options: .forTests)
      // Nothing was removed on the way that skipped the program with @Removed.
      #expect(try old.fetch(Original.Worker.all) == workers)
      try old.write { _ = try $0.update(Original.Worker.self, 3) { $0.name = "renamed" } }
      let store = try temporary.open()
      #expect(try store.fetch(Latest.Person.where { $0.title == "renamed" }).map(\.id) == [3])
      #expect(try store.get(Latest.Person.self, 5)?.mood == "mood 5")
    }
  }
}
