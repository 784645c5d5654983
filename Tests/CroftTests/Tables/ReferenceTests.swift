import Croft
import Foundation
import Testing

@Suite(.keepsFailedStores) struct ReferenceTests {
  @Test func aReferenceToNoObjectIsRefused() throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { tx in
        #expect(
          throws: StoreError.danglingReference(
            model: "Person", field: "boss", key: "1", target: "Person 7")
        ) { try tx.insert(Person(id: 1, boss: Ref(7))) }
        try tx.insert(Person(id: 1))
        #expect(throws: StoreError.self) {
          try tx.update(Person.self, 1) { $0.fans = [Ref(1), Ref(2)] }
        }
        #expect(throws: StoreError.self) { try tx.upsert(Person(id: 1, clubs: [Ref("no")])) }
        #expect(throws: StoreError.self) { try tx.update(Person.all) { $0.friend = Ref(9) } }
        let long = String(repeating: "x", count: 1_000)
        #expect(throws: StoreError.self) { try tx.insert(Person(id: 2, home: Ref(long))) }
        #expect(try tx.fetch(Person.all) == [Person(id: 1)])
      }
    }
  }

  @Test func anObjectMayReferToItself() throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { try $0.insert(Person(id: 1, boss: Ref(1), fans: [Ref(1), Ref(1)])) }
      #expect(try store.get(Person.self, 1)?.fans.count == 2)
    }
  }

  @Test func objectsOfOneStatementMayReferToEachOther() throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: [Person(id: 1, boss: Ref(2)), Person(id: 2, boss: Ref(1))])
        #expect(
          throws: StoreError.danglingReference(
            model: "Person", field: "boss", key: "4", target: "Person 5")
        ) {
          try tx.insert(contentsOf: [Person(id: 3, boss: Ref(4)), Person(id: 4, boss: Ref(5))])
        }
        #expect(try tx.count(Person.all) == 2)
      }
    }
  }

  @Test func textsReferByCanonicalEquivalence() throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { tx in
        try tx.insert(Person(id: 1))
        try tx.insert(Club(name: "\u{E9}", founder: Ref(1)))
        try tx.insert(Person(id: 2, home: Ref("e\u{301}")))
        try tx.delete(Club.self, "e\u{301}")
        #expect(try tx.fetch(Person.all).map(\.id) == [1])
      }
    }
  }

  @Test func whatRefersToAnObjectIsFetchedAndCounted() throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (1...9).map { Person(id: $0, boss: $0 > 3 ? Ref($0 % 3 + 1) : nil) })
        try tx.insert(contentsOf: ["a", "b", "c"].map { Club(name: $0, founder: Ref(2)) })
        #expect(try tx.fetch(Person.referring(to: Person(id: 1), by: \.boss)).map(\.id) == [6, 9])
        try tx.delete(Person.self, 9)
        #expect(try tx.count(Person.referring(to: Person(id: 1), by: \.boss)) == 1)
        #expect(try tx.count(Club.referring(to: Person(id: 2), by: \.founder)) == 3)
        #expect(try tx.count(Club.where { $0.founder == Ref(1) }) == 0)
      }
    }
  }

  @Test func whatRefersByACollectionIsFetchedCountedAndUsedInConditions() throws {
    try withStore(of: Person.self, Club.self) { store in
      let one = Person(id: 1)
      let club = Club(name: "a", founder: Ref(1), members: [Ref(2), Ref(1), Ref(2)])
      try store.write { tx in
        try tx.insert(contentsOf: [
          one, Person(id: 2), Person(id: 3, fans: [Ref(1), Ref(2), Ref(1)]),
          Person(id: 4, fans: [Ref(1)]),
        ])
        try tx.insert(contentsOf: [club, Club(name: "b", founder: Ref(1), members: [Ref(2)])])
        try tx.update(Person.where { $0.id > 2 }) { $0.clubs = [Ref(club), Ref("b")] }
        #expect(try tx.fetch(Person.referring(to: one, by: \.fans)).map(\.id) == [3, 4])
        try tx.update(Person.self, 4) { $0.fans = [] }
        #expect(try tx.count(Person.referring(to: one, by: \.fans)) == 1)
        #expect(try tx.count(Person.referring(to: club, by: \.clubs)) == 2)
      }
      let members = Club.referring(to: Person(id: 2), by: \.members)
      #expect(try store.fetch(members).map(\.name) == ["a", "b"])
      #expect(try store.count(members.where { $0.name > "a" }) == 1)
      #expect(try store.count(members.order(by: \.name.descending).limit(1)) == 1)
      #expect(try store.explain(members).description.contains("members"))
      func people(
        _ condition: (QueryColumn<Person, Person>) -> QueryCondition<Person>
      ) throws -> [Int] { try store.fetch(Person.where(condition)).map(\.id) }
      #expect(try people { $0.referrers(by: \Club.members).count == 2 } == [2])
      #expect(try people { $0.referrers(by: \Club.members).any { $0.name == "a" } } == [1, 2])
      #expect(try people { $0.referrers(by: \Person.fans).isEmpty } == [3, 4])
      let clubs = try store.fetch(Club.where { $0.referrers(by: \Person.clubs).min(\.id) == 3 })
      #expect(clubs.map(\.name) == ["a", "b"])
    }
  }

  @Test func aReferenceIsItsKeyInJSON() throws {
    let json = try JSONEncoder().encode([Ref<Person>(7)])
    #expect(String(decoding: json, as: UTF8.self) == "[7]")
    #expect(try JSONDecoder().decode([Ref<Person>].self, from: json) == [Ref(Person(id: 7))])
    #expect("\(Ref<Person>(7))" == "Person 7")
  }

  @Test func theErrorsNameModelFieldAndKeyAndSayWhatToDo() {
    let dangling = StoreError.danglingReference(
      model: "Person", field: "boss", key: "1", target: "Person 7")
    for word in ["Person.boss", "of 1", "Person 7", "Insert"] {
      #expect("\(dangling)".contains(word))
    }
    let denied = StoreError.deniedByRelation(
      model: "Person", field: "guarantor", key: "2", target: "Person 1", count: 3)
    for word in ["Person.guarantor", "Person 2", "Person 1", "3 objects", "first"] {
      #expect("\(denied)".contains(word))
    }
  }

  @Test func aModelThatTheStoreLacksCannotBeReferredTo() throws {
    let error = #expect(throws: StoreError.self) { try Store.inMemory(models: Person.self) }
    #expect("\(try #require(error))".contains("name Club in Store.open"))
  }
}
