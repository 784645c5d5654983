import Croft
import Foundation
import Testing

@Suite(.keepsFailedStores) struct DeleteRuleTests {
  private func withPeople(
    _ people: [Person], _ body: (inout WriteTransaction) throws -> Void
  ) throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: people)
        try body(&tx)
      }
      #expect(try store.verify().problems == [])
    }
  }

  @Test func cascadeTakesTheObjectWithIt() throws {
    let people = [Person(id: 1), Person(id: 2, boss: Ref(1)), Person(id: 3, boss: Ref(2))]
    try withPeople(people + [Person(id: 4)]) { tx throws in
      #expect(try tx.delete(Person.self, 1))
      #expect(try tx.fetch(Person.all).map(\.id) == [4])
    }
  }

  @Test func cascadesGoRoundCyclesAndSelfReferences() throws {
    let people = [
      Person(id: 1, boss: Ref(3)), Person(id: 2, boss: Ref(1)), Person(id: 3, boss: Ref(2)),
      Person(id: 4, boss: Ref(4)), Person(id: 5),
    ]
    try withPeople(people) { tx throws in
      #expect(try tx.delete(Person.where { $0.id == 2 }) == 3)
      #expect(try tx.delete(Person.self, 4))
      #expect(try tx.fetch(Person.all).map(\.id) == [5])
    }
  }

  /// A root and a tree, whose objects refer to their own model: the set of keys that the cascade has
  /// reached grew, and moved, while the key of the object above was still read from it.
  @Test(arguments: [2, 64, 65, 128, 129, 200, 2_000])
  func aCascadeReachesManyObjectsOfItsOwnModel(count: Int) throws {
    let children = (1...count).map { Person(id: $0, boss: Ref(0)) }
    let grandchildren = (1...count).map {
      Person(id: count + $0, boss: Ref(1 + $0 % min(count, 20)))
    }
    for people in [children, children + grandchildren] {
      try withPeople([Person(id: 0), Person(id: -1)] + people) { tx throws in
        #expect(try tx.delete(Person.self, 0))
        #expect(try tx.fetch(Person.all).map(\.id) == [-1])
      }
    }
    try withStore(of: Branch.self) { store in
      try store.write { tx in
        let root = Branch()
        try tx.insert(root)
        try tx.insert(contentsOf: (0..<count).map { _ in Branch(parent: Ref(root.id)) })
        #expect(try tx.delete(Branch.where { $0.id == root.id }) == count + 1)
      }
      #expect(try store.count(Branch.all) == 0)
      #expect(try store.verify().problems == [])
    }
  }

  @Test func nullifyTakesTheReferenceAway() throws {
    let people = [
      Person(id: 1), Person(id: 2, friend: Ref(1), fans: [Ref(1), Ref(3), Ref(1)]),
      Person(id: 3, friend: Ref(2)),
    ]
    try withPeople(people) { tx throws in
      #expect(try tx.delete(Person.self, 1))
      #expect(
        try tx.fetch(Person.all) == [Person(id: 2, fans: [Ref(3)]), Person(id: 3, friend: Ref(2))])
    }
  }

  @Test func nullifyEmptiesSetsAndLists() throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { tx in
        try tx.insert(Person(id: 1))
        try tx.insert(Club(name: "a", founder: Ref(1), members: [Ref(1), Ref(1)]))
        try tx.insert(Person(id: 2))
        try tx.insert(Club(name: "b", founder: Ref(2), members: [Ref(1), Ref(2), Ref(1)]))
        try tx.update(Person.self, 2) { $0.clubs = [Ref("a"), Ref("b")] }
        #expect(try tx.delete(Person.self, 1))
        #expect(try tx.get(Club.self, "b")?.members == [Ref(2)])
        #expect(try tx.get(Person.self, 2)?.clubs == [Ref("b")])
        #expect(try tx.get(Club.self, "a") == nil)
        try tx.update(Person.self, 2) { $0.clubs = [] }
      }
    }
  }

  @Test func denyLeavesEverythingAsItIs() throws {
    let people = [
      Person(id: 1), Person(id: 2, guarantor: Ref(1)), Person(id: 3, boss: Ref(1)),
      Person(id: 4, guarantor: Ref(1)),
    ]
    try withPeople(people) { tx throws in
      let denial = StoreError.deniedByRelation(
        model: "Person", field: "guarantor", key: "2", target: "Person 1", count: 2)
      #expect(throws: denial) { try tx.delete(Person.self, 1) }
      #expect(throws: denial) { try tx.delete(Person.where { $0.id <= 1 }) }
      #expect(try tx.fetch(Person.all) == people)
      try tx.update(Person.self, 2) { $0.guarantor = nil }
      try tx.update(Person.self, 4) { $0.guarantor = nil }
      #expect(try tx.delete(Person.self, 1))
    }
  }

  @Test func whatGoesByTheSameStatementDeniesNothing() throws {
    let people = [
      Person(id: 1, guarantor: Ref(1)), Person(id: 2, boss: Ref(1), guarantor: Ref(1)),
      Person(id: 3, guarantor: Ref(4)), Person(id: 4, guarantor: Ref(3)),
    ]
    try withPeople(people) { tx throws in
      #expect(try tx.delete(Person.self, 1))
      #expect(throws: StoreError.self) { try tx.delete(Person.self, 3) }
      #expect(try tx.delete(Person.where { $0.id >= 3 }) == 2)
      #expect(try tx.count(Person.all) == 0)
    }
  }

  @Test func denyHoldsBehindACascade() throws {
    let people = [Person(id: 1), Person(id: 2, boss: Ref(1)), Person(id: 3, guarantor: Ref(2))]
    try withPeople(people) { tx throws in
      #expect(
        throws: StoreError.deniedByRelation(
          model: "Person", field: "guarantor", key: "3", target: "Person 2", count: 1)
      ) { try tx.delete(Person.self, 1) }
      #expect(try tx.fetch(Person.all) == people)
    }
  }

  @Test func deleteAllFollowsTheRulesOfOtherModels() throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: [Person(id: 1, guarantor: Ref(2)), Person(id: 2)])
        #expect(try tx.deleteAll(Person.self) == 2)
        try tx.insert(contentsOf: [Person(id: 1), Person(id: 2)])
        try tx.insert(Club(name: "a", chair: Ref(1), founder: Ref(2)))
        // The chair would deny, but the club goes with its founder.
        #expect(try tx.deleteAll(Person.self) == 2)
        #expect(try tx.count(Club.all) == 0)
      }
    }
  }

  @Test func countsAreOfTheModelAskedFor() throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: [Person(id: 1), Person(id: 2, boss: Ref(1))])
        try tx.insert(contentsOf: ["a", "b", "c"].map { Club(name: $0, founder: Ref(1)) })
        #expect(try tx.delete(Person.where { $0.id == 1 }) == 2)
        #expect(try tx.count(Club.all) == 0)
      }
    }
  }

  @Test func rulesHoldForAProgramThatDoesNotKnowTheModel() throws {
    try withTemporaryStore(of: Person.self, Club.self) { temporary in
      do {
        let store = try temporary.open()
        try store.write { tx in
          try tx.insert(contentsOf: (1...5).map { Person(id: $0) })
          try tx.insert(Club(name: "a", founder: Ref(1)))
          try tx.insert(Club(name: "b", chair: Ref(2), founder: Ref(3), members: [Ref(4), Ref(5)]))
        }
      }
      do {
        let store = try Store.open(at: temporary.url, models: Person.self, options: .forTests)
        try store.write { tx in
          try tx.delete(Person.self, 1)
          #expect(throws: StoreError.self) { try tx.delete(Person.self, 2) }
          try tx.delete(Person.self, 4)
        }
        #expect(try store.verify().problems == [])
      }
      let store = try temporary.open()
      #expect(
        try store.fetch(Club.all)
          == [Club(name: "b", chair: Ref(2), founder: Ref(3), members: [Ref(5)])])
    }
  }
}

@Model private struct Branch {
  @PrimaryKey var id: UUID = UUID()
  @Relation(onDelete: .cascade) var parent: Ref<Branch>?
}
