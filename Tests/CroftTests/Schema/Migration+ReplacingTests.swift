import Croft
import Foundation
import Testing

// A model with a value of many types, and versions that change one of them each.

enum Staff {
  enum Grade: Int, StoredEnum { case low, high }
  enum TextGrade: String, StoredEnum { case low, high }
  @Embedded struct Desk: Hashable { var floor: Int }
  @Embedded struct TextDesk: Hashable { var floor = "" }

  @Model struct Worker: Hashable {
    @PrimaryKey var id: Int
    var name: String
    @Indexed var age: Int
    var tags: [Int]
    var desk: Desk
    var rank: Int?
    var grade: Grade
  }
}
enum StaffAge {
  @Model struct Worker: Hashable {
    @PrimaryKey var id: Int
    var name: String
    @Indexed var age = ""
    var tags: [Int]
  }
}
enum StaffTags {
  @Model struct Worker {
    @PrimaryKey var id: Int
    var name: String
    var tags: [String] = []
  }
}
enum StaffDesk {
  @Model struct Worker {
    @PrimaryKey var id: Int
    var name: String
    var desk = Staff.TextDesk()
  }
}
enum StaffRank {
  @Model struct Worker {
    @PrimaryKey var id: Int
    var name: String
    var rank: Int
  }
}
enum StaffGrade {
  @Model struct Worker {
    @PrimaryKey var id: Int
    var name: String
    var grade = Staff.TextGrade.low
  }
}
enum StaffKeyType {
  @Model struct Worker {
    @PrimaryKey var id: String
    var name: String
  }
}
enum StaffKey {
  @Model struct Worker {
    var id: Int
    @PrimaryKey var name: String
  }
}
enum StaffCoded {
  @Model struct Worker {
    @PrimaryKey var id: Int
    var name: String
    @Coded var age = [1]
  }
}
enum StaffNarrow {
  @Model struct Worker {
    @PrimaryKey var id: Int
    var name: String
    var age: Int32 = 0
  }
}
enum StaffNew {
  @Model struct Worker {
    @PrimaryKey var id: Int
    var name: String
    var town: String
  }
}
enum StaffTwo {
  @Model struct Worker {
    @PrimaryKey var id: Int
    var name: String
    var age = ""
    var tags: [String] = []
  }
}

/// A change that is not automatic is made only where a migration names the property.
@Suite(.keepsFailedStores) struct MigrationReplacingTests {
  /// A version of the model, and a migration that says nothing of what the version changes.
  struct Change: Sendable, CustomTestStringConvertible {
    let model: any Model.Type
    let field: String
    let unrelated: [Migration]
    var testDescription: String { String(reflecting: model) }

    init<M: Model>(_ model: M.Type, _ field: String, _ other: PartialKeyPath<M>) {
      self.model = model
      self.field = field
      unrelated = [
        Migration("trim names", model) { _, _ in },
        Migration("others", model, replacing: other) { _, _ in },
        .convert(other) { _, _ in }, .drop("nothing", of: model),
      ]
    }
  }

  static let changes = [
    Change(StaffAge.Worker.self, "age", \.tags), Change(StaffTags.Worker.self, "tags", \.name),
    Change(StaffDesk.Worker.self, "desk.floor", \.name),
    Change(StaffRank.Worker.self, "rank", \.name),
    Change(StaffGrade.Worker.self, "grade", \.name),
    Change(StaffKeyType.Worker.self, "id", \.name), Change(StaffKey.Worker.self, "name", \.id),
    Change(StaffCoded.Worker.self, "age", \.name), Change(StaffNarrow.Worker.self, "age", \.name),
    Change(StaffNew.Worker.self, "town", \.name),
  ]
  private static let workers = (1...10).map { id in
    Staff.Worker(
      id: id, name: "w\(id)", age: 20 + id, tags: [id, -id], desk: .init(floor: id),
      rank: id % 2 == 0 ? nil : id, grade: .high)
  }

  private func withWorkers(_ body: (TemporaryStore) throws -> Void) throws {
    try withTemporaryStore(of: Staff.Worker.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: Self.workers) }
      try body(temporary)
    }
  }

  /// One named migration that was due made any other change of a type legal: `age: Int` became
  /// `age: String = ""` with "trim names" in the list, and all ages were gone without a word.
  @Test(arguments: changes)
  func aMigrationOfSomethingElseMakesNoChangeOfATypeLegal(change: Change) throws {
    try withWorkers { temporary in
      let before = try Data(contentsOf: temporary.url)
      for count in 0...change.unrelated.count {
        let error = StoreError.thrown {
          _ = try Store.open(
            at: temporary.url, models: change.model, options: .forTests,
            migrations: Array(change.unrelated.prefix(count)))
        }
        guard case .schemaMismatch("Worker", change.field, let reason) = error else {
          Issue.record("\(count): another error: \(String(describing: error))")
          return
        }
        #expect(reason.contains("[.convert(\\Worker.\(change.field))"), "\(reason)")
      }
      #expect(try Data(contentsOf: temporary.url) == before)
      #expect(try temporary.open().fetch(Staff.Worker.all) == Self.workers)
    }
  }

  @Test func whatIsNamedIsReplacedAndTheRestIsCarried() throws {
    try withWorkers { temporary in
      let store = try Store.open(
        at: temporary.url, models: StaffAge.Worker.self, options: .forTests,
        migrations: [
          Migration("ages", StaffAge.Worker.self, replacing: \.age) { old, new in
            new?.age = "\(try old["age", as: Int.self])"
          }
        ])
      #expect(
        try store.fetch(StaffAge.Worker.all)
          == Self.workers.map {
            StaffAge.Worker(id: $0.id, name: $0.name, age: "\($0.age)", tags: $0.tags)
          })
      #expect(try store.fetch(StaffAge.Worker.where { $0.age == "27" }).map(\.id) == [7])
      #expect(try store.verify().problems == [])
    }
  }

  @Test func twoMigrationsNameAPropertyEachAndNeitherSpeaksForTheOther() throws {
    try withWorkers { temporary in
      let ages = Migration.convert(\StaffTwo.Worker.age) { old, new in
        new?.age = "\(try old["age", as: Int.self])"
      }
      let tags = Migration("tags", StaffTwo.Worker.self, replacing: \.tags) { old, new in
        new?.tags = try old["tags", as: [Int].self].map { "\($0)" }
      }
      func open(_ migrations: [Migration]) throws -> Store {
        try Store.open(
          at: temporary.url, models: StaffTwo.Worker.self, options: .forTests,
          migrations: migrations)
      }
      for alone in [ages, tags] {
        guard
          case .schemaMismatch("Worker", .some, _) = StoreError.thrown(by: { _ = try open([alone]) }
          )
        else {
          Issue.record("it was opened")
          return
        }
      }
      let store = try open([ages, tags])
      #expect(try store.fetch(StaffTwo.Worker.all).map(\.age) == Self.workers.map { "\($0.age)" })
      #expect(
        try store.fetch(StaffTwo.Worker.all).map(\.tags)
          == Self.workers.map { $0.tags.map { "\($0)" } })
      // What it names fits by now, so that it does not run again.
      _ = try open([.convert(\StaffTwo.Worker.age) { _, _ in throw Refused() }])
    }
  }

  @Test func aMigrationForTypesRunsOnlyWhereAPropertyThatItNamesDoesNotFit() throws {
    try withWorkers { temporary in
      _ = try Store.open(
        at: temporary.url, models: StaffAge.Worker.self, options: .forTests,
        migrations: [
          .convert(\StaffAge.Worker.tags) { _, _ in throw Refused() },
          .convert(\StaffAge.Worker.age) { _, _ in },
        ])
    }
  }

  @Test func aStructStandsForAllInsideIt() throws {
    try withWorkers { temporary in
      let store = try Store.open(
        at: temporary.url, models: StaffDesk.Worker.self, options: .forTests,
        migrations: [
          .convert(\StaffDesk.Worker.desk) { old, new in
            new?.desk.floor = "\(try old["desk.floor", as: Int.self])"
          }
        ])
      #expect(
        try store.fetch(StaffDesk.Worker.all).map(\.desk.floor)
          == Self.workers.map { "\($0.desk.floor)" })
    }
  }

  @Test func aDropThatIsAllButTheNameOfAFieldIsRefused() throws {
    try withWorkers { temporary throws in
      func open(_ name: String) throws -> Store {
        try Store.open(
          at: temporary.url, models: StaffTags.Worker.self, options: .forTests,
          migrations: [
            .convert(\StaffTags.Worker.tags) { _, _ in },
            .drop(name, of: StaffTags.Worker.self),
          ])
      }
      for (wrong, meant) in [("grad", "grade"), ("Rank", "rank"), ("rink", "rank")] {
        guard
          case .schemaMismatch("Worker", wrong, let reason) = StoreError.thrown(by: {
            _ = try open(wrong)
          })
        else {
          Issue.record("\(wrong) was dropped")
          return
        }
        #expect(reason.contains("did you mean \(meant)?"))
      }
      // A store that was made later never had what an older one is to drop.
      #expect(try open("nickname").count(StaffTags.Worker.all) == 10)
    }
  }

  @Test func aPropertyThatIsNoneIsRefusedWhereTheMigrationIsMade() async {
    await #expect(processExitsWith: .failure) {
      _ = Migration("computed", Tally.self, replacing: \.double) { _, _ in }
    }
  }
}

@Model struct Tally {
  @PrimaryKey var id: Int
  var double: Int { id * 2 }
}
