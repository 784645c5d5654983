import Croft
import Foundation
import Testing

enum Before {
  @Model struct Person: Hashable {
    @PrimaryKey var id: Int
    var first: String
    var last: String
    @Indexed var age: String
    var hidden: Int?
  }
}

/// The age is a number, and the names are one.
enum After {
  @Model struct Person: Hashable {
    @PrimaryKey var id: Int
    var name: String?
    @Indexed var age: Int
  }
}

/// A text is the key.
enum ByLastName {
  @Model struct Person: Hashable {
    @PrimaryKey var last: String
    var id: Int
    var first: String
    @Indexed var age: String
    var hidden: Int?
  }
}

@Suite(.keepsFailedStores) struct MigrationTests {
  static func people(_ count: Int) -> [Before.Person] {
    (0..<count).map { id in
      Before.Person(
        id: id, first: "F\(id % 5)", last: "L\(id)", age: "\(id % 90)",
        hidden: id % 2 == 0 ? nil : id)
    }
  }

  static let ages = Migration.convert(\After.Person.age) { old, new in
    new?.age = Int(try old["age", as: String.self]) ?? -1
  }
  static let names = Migration("one name", After.Person.self) { old, new in
    new?.name = try old["first", as: String.self] + " " + old["last", as: String.self]
  }

  private func migrated(
    _ temporary: TemporaryStore, _ migrations: [Migration],
    progress: (MigrationProgress) -> Void = { _ in }
  ) throws -> Store {
    try Store.open(
      at: temporary.url, models: After.Person.self, options: .forTests, migrations: migrations,
      progress: progress)
  }

  @Test func aTypeChangesThroughAClosureOverOldAndNewRows() throws {
    try withTemporaryStore(of: After.Person.self) { temporary in
      let people = Self.people(2_000)
      try Store.open(at: temporary.url, models: Before.Person.self, options: .forTests)
        .write { try $0.insert(contentsOf: people) }
      var steps: [MigrationProgress] = []
      let store = try migrated(temporary, [Self.ages, Self.names]) { steps.append($0) }
      let twin = people.map {
        After.Person(id: $0.id, name: "\($0.first) \($0.last)", age: Int($0.age) ?? 0)
      }
      #expect(try store.fetch(After.Person.all) == twin)
      #expect(
        try store.fetch(After.Person.where { $0.age > 40 && $0.age < 43 })
          == twin.filter { $0.age == 41 || $0.age == 42 })
      #expect(try store.verify().indexEntries == 2_000)
      #expect(steps.last?.model == "Person")
      #expect(steps.last?.done == 2_000 && steps.last?.total == 2_000)
      #expect(steps.last?.fraction == 1)
      #expect(steps.count > 4 && steps.map(\.done) == steps.map(\.done).sorted())
    }
  }

  @Test func aMigrationRunsOnceByNameAndByTypeOnlyWhileTypesDiffer() throws {
    try withTemporaryStore(of: After.Person.self) { temporary in
      try Store.open(at: temporary.url, models: Before.Person.self, options: .forTests)
        .write { try $0.insert(contentsOf: Self.people(10)) }
      _ = try migrated(temporary, [Self.ages, Self.names])
      let bytes = try Data(contentsOf: temporary.url)
      let refused = Migration("one name", After.Person.self) { _, _ in throw Refused() }
      let unasked = Migration.convert(\After.Person.age) { _, _ in throw Refused() }
      _ = try migrated(temporary, [unasked, refused])
      #expect(try Data(contentsOf: temporary.url) == bytes)
    }
  }

  @Test func whatAClosureThrowsLeavesTheStoreAsItWas() throws {
    try withTemporaryStore(of: Before.Person.self) { temporary in
      let people = Self.people(600)
      try temporary.open().write { try $0.insert(contentsOf: people) }
      let failing = Migration.convert(\After.Person.age) { old, new in
        if try old["id", as: Int.self] == 500 { throw Refused() }
        new?.age = 1
      }
      #expect(throws: Refused.self) { _ = try migrated(temporary, [failing]) }
      let store = try temporary.open()
      #expect(try store.fetch(Before.Person.all) == people)
      #expect(try store.verify().indexEntries == 600)
    }
  }

  @Test func settingTheNewObjectToNilDeletesIt() throws {
    try withTemporaryStore(of: After.Person.self) { temporary in
      try Store.open(at: temporary.url, models: Before.Person.self, options: .forTests)
        .write { try $0.insert(contentsOf: Self.people(100)) }
      let halving = Migration.convert(\After.Person.age) { old, new in
        if try old.value("hidden") == .none { new = nil }
        new?.age = try Int(old["hidden", as: Int?.self] ?? 0)
      }
      let store = try migrated(temporary, [halving])
      #expect(try store.fetch(After.Person.all).map(\.id) == (0..<100).filter { $0 % 2 == 1 })
      #expect(try store.fetch(After.Person.where { $0.age == 51 }).map(\.id) == [51])
    }
  }

  @Test func fieldsThatTheProgramDoesNotDeclareOutliveAMigration() throws {
    try withTemporaryStore(of: After.Person.self) { temporary in
      try Store.open(at: temporary.url, models: Before.Person.self, options: .forTests)
        .write { try $0.insert(contentsOf: Self.people(10)) }
      _ = try migrated(temporary, [Self.ages])
      // The names are hidden, and still there for one that is written later.
      let store = try migrated(temporary, [Self.names])
      #expect(try store.get(After.Person.self, 4)?.name == "F4 L4")
      #expect(try store.get(After.Person.self, 4)?.age == 4)
    }
  }

  @Test func thePrimaryKeyChangesThroughAMigration() throws {
    try withTemporaryStore(of: ByLastName.Person.self) { temporary in
      let people = Self.people(300)
      try Store.open(at: temporary.url, models: Before.Person.self, options: .forTests)
        .write { try $0.insert(contentsOf: people) }
      let refusal = StoreError.thrown { _ = try temporary.open() }
      guard case .schemaMismatch("Person", "last", _) = refusal else {
        Issue.record("another error: \(String(describing: refusal))")
        return
      }
      let store = try Store.open(
        at: temporary.url, models: ByLastName.Person.self, options: .forTests,
        migrations: [.convert(\ByLastName.Person.last) { _, _ in }])
      let twin = people.map {
        ByLastName.Person(last: $0.last, id: $0.id, first: $0.first, age: $0.age, hidden: $0.hidden)
      }.sorted { $0.last < $1.last }
      #expect(try store.fetch(ByLastName.Person.all) == twin)
      #expect(
        try store.fetch(ByLastName.Person.where { $0.age == "7" }) == twin.filter { $0.age == "7" })
    }
  }

  @Test func twoObjectsThatGetOneKeyAreRefused() throws {
    try withTemporaryStore(of: Before.Person.self) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: Self.people(10)) }
      let clash = Migration.convert(\ByLastName.Person.last) { _, new in
        new?.last = "same"
      }
      #expect(throws: StoreError.duplicateKey(model: "Person", fields: ["last"], key: "\"same\"")) {
        _ = try Store.open(
          at: temporary.url, models: ByLastName.Person.self, options: .forTests, migrations: [clash]
        )
      }
      #expect(try temporary.open().fetch(Before.Person.all) == Self.people(10))
    }
  }

  @Test func anOldRowNamesWhatItCannotGive() throws {
    try withTemporaryStore(of: After.Person.self) { temporary in
      try Store.open(at: temporary.url, models: Before.Person.self, options: .forTests)
        .write { try $0.insert(Before.Person(id: 1, first: "a", last: "b", age: "3")) }
      let reading = Migration.convert(\After.Person.age) { old, new in
        #expect(old.fields == ["id", "first", "last", "age", "hidden"])
        let hidden = try old["hidden", as: Int64?.self]
        let last = try old.value("last")
        #expect(hidden == nil && last == .string("b"))
        for body in [
          { _ = try old["hidden", as: Int.self] }, { _ = try old["age", as: Int.self] },
          { _ = try old["years", as: Int.self] },
        ] {
          guard case .schemaMismatch("Person", .some, _) = StoreError.thrown(by: body) else {
            Issue.record("it was read")
            return
          }
        }
        new?.age = 3
      }
      #expect(try migrated(temporary, [reading]).fetch(After.Person.all).map(\.age) == [3])
    }
  }

  @Test func aDropForgetsAHiddenFieldOnce() throws {
    try withTemporaryStore(of: After.Person.self) { temporary in
      func before() throws -> Store {
        try Store.open(at: temporary.url, models: Before.Person.self, options: .forTests)
      }
      try before().write { try $0.insert(contentsOf: Self.people(10)) }
      let dropping = Migration.drop("first", "last", of: After.Person.self)
      let store = try migrated(temporary, [Self.ages, dropping])
      #expect(try store.count(After.Person.all) == 10)
      // A program that needs them finds them gone.
      #expect(throws: StoreError.self) { _ = try before() }
      let late = Migration("late", After.Person.self) { old, _ in
        #expect(old.fields == ["id", "hidden", "name", "age"])
      }
      _ = try migrated(temporary, [late])
    }
  }
}
