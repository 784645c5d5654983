import Croft
import Foundation
import Testing

/// The code of the article about changes of models.
@Suite struct SchemaEvolutionSnippets {
  enum Before {
    @Model struct Person {
      @PrimaryKey var id: Int
      var age: String
      var first: String
      var last: String
      var nickname: String?
    }
  }

  @Model struct Person {
    @PrimaryKey var id: Int
    var age: Int
    var name = ""
  }

  @Test func theMigrationsRunOnceAndTellHowFarTheyAre() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let url = folder.appending(path: "people.croft")
    do {
      let store = try Store.open(at: url, models: Before.Person.self)
      try store.write { tx in
        try tx.insert(Before.Person(id: 1, age: "36", first: "Ada", last: "Lovelace"))
        try tx.insert(Before.Person(id: 2, age: "old", first: "Kurt", last: "Gödel"))
      }
    }
    let printed = Recorder<String>()
    func print(_ text: String) { printed.add(text) }

    let store = try Store.open(
      at: url, models: Person.self,
      migrations: [
        .convert(\Person.age) { old, new in
          new?.age = Int(try old["age", as: String.self]) ?? 0
        },
        Migration("full-name", Person.self) { old, new in
          let (first, last) = try (old["first", as: String.self], old["last", as: String.self])
          new?.name = first + " " + last
        },
        .drop("nickname", of: Person.self),
      ],
      progress: { print("\($0.model): \(Int($0.fraction * 100)) %") })

    #expect(printed.all == ["Person: 100 %"])
    let people = try store.fetch(Person.all)
    #expect(people.map(\.age) == [36, 0])
    #expect(people.map(\.name) == ["Ada Lovelace", "Kurt Gödel"])
    try FileManager.default.removeItem(at: folder)
  }

  enum Earlier {
    enum Urgency: Int, StoredEnum { case low, someday, high }

    @Model struct Job {
      @PrimaryKey var id: Int
      var urgency: Urgency
    }
  }

  enum Urgency: Int, StoredEnum { case low, high = 2 }  // 1 was `someday`

  @Model struct Job {
    @PrimaryKey var id: Int
    var urgency: Urgency
  }

  @Test func rowsOfARemovedCaseArePatched() throws {
    try withTemporaryStore(of: Job.self) { temporary in
      let url = temporary.url
      try Store.open(at: url, models: Earlier.Job.self).write { tx in
        try tx.insert(Earlier.Job(id: 1, urgency: .someday))
        try tx.insert(Earlier.Job(id: 2, urgency: .high))
      }
      let store = try Store.open(at: url, models: Job.self)
      #expect(throws: StoreError.self) { try store.fetch(Job.all) }
      #expect(try store.count(Job.all) == 2)
      #expect(try store.get(Job.self, 2)?.urgency == .high)

      let unknown = Job.where { !$0.urgency.in([.low, .high]) }
      try store.write { tx in try tx.update(unknown, set: \.urgency, to: .low) }

      #expect(try store.fetch(Job.all).map(\.urgency) == [.low, .high])
    }
  }
}
