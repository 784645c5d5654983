import Croft
import Testing

@Suite(.keepsFailedStores) struct ReadableTransactionObjectsTests {
  /// Two clubs that 1 founded, and people who are at home in them.
  private func withPeople(_ body: (Store) throws -> Void) throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { tx in
        try tx.insert(Person(id: 1))
        try tx.insert(Club(name: "chess", founder: Ref(1)))
        try tx.insert(Club(name: "golf", founder: Ref(1)))
        for id in 2...9 {
          try tx.insert(
            Person(id: id, boss: Ref(1), home: id == 9 ? nil : Ref(id % 2 == 0 ? "chess" : "golf")))
        }
      }
      try body(store)
    }
  }

  @Test func aReferenceIsFollowedWithoutNamingItsModel() throws {
    try withPeople { store in
      let two = try #require(try store.get(Person.self, 2))
      #expect(try store.get(two.boss)?.id == 1)
      #expect(try store.get(two.friend) == nil, "nil leads nowhere")
      #expect(try store.get(Ref<Person>(77)) == nil)
      try store.write { tx throws in #expect(try tx.get(two.home)?.name == "chess") }
      #expect(try store.snapshot().get(two.home)?.name == "chess")
    }
  }

  @Test func keysAndReferencesAreAnsweredInTheirOrder() throws {
    try withPeople { store in
      #expect(try store.get(Person.self, keys: [5, 77, 3, 5]).map { $0?.id } == [5, nil, 3, 5])
      #expect(try store.get(Person.self, keys: []) == [])
      let references = [5, 77, 3, 5].map { Ref<Person>($0) }
      #expect(try store.fetch(references).map(\.id) == [5, 3, 5], "one that is gone is left out")
      #expect(try store.fetch(Set(references)).count == 2)
      try store.write { tx throws in
        #expect(try tx.fetch(references).map(\.id) == [5, 3, 5])
        try tx.delete(Person.self, 3)
        #expect(try tx.fetch(references).map(\.id) == [5, 5])
      }
    }
  }

  @Test func aConditionTakesAnObjectForAReference() throws {
    try withPeople { store in
      let one = try #require(try store.get(Person.self, 1))
      let clubs = try store.fetch(Club.all)
      #expect(try store.count(Person.where { $0.boss == one }) == 8)
      #expect(try store.count(Person.where { $0.boss != one }) == 1)
      #expect(try store.count(Person.where { $0.boss == nil }) == 1)
      #expect(try store.count(Club.where { $0.founder == one }) == 2)
      #expect(try store.count(Club.where { $0.founder != one }) == 0)
      #expect(try store.count(Club.where { $0.founder.in([one]) }) == 2)
      #expect(try store.count(Person.where { $0.home.in(clubs) }) == 7)
      #expect(try store.count(Person.where { $0.home.in(clubs.prefix(1)) }) == 4)
      _ = try store.write { try $0.update(Ref(clubs[0])) { $0.members = [Ref(2), Ref(3)] } }
      let three = try #require(try store.get(Person.self, 3))
      #expect(try store.fetch(Club.where { $0.members.contains(three) }).map(\.name) == ["chess"])
      #expect(try store.count(Club.where { $0.members.contains(one) }) == 0)
    }
  }

  @Test func everyObjectComesWithTheOneItRefersTo() throws {
    try withPeople { store in
      let query = Person.where { $0.id > 1 }.order(by: \.id.descending).limit(5)
      let pairs = try store.fetch(query.including(\.home))
      #expect(pairs.map(\.0) == (try store.fetch(query)))
      #expect(pairs.map { $0.1?.name } == [nil, "chess", "golf", "chess", "golf"])
      let clubs = try store.fetch(Club.all.including(\.founder))
      #expect(clubs.map { $0.1.id } == [1, 1])
      try store.write { tx throws in
        try tx.update(Person.self, 9) { $0.home = Ref("golf") }
        #expect(try tx.fetch(query.including(\.home)).first?.1?.name == "golf")
      }
      #expect(try store.fetch(Person.where { $0.id > 99 }.including(\.home)).isEmpty)
    }
  }

  @Test func objectsAreLentOneAfterTheOtherUntilItIsEnough() throws {
    try withPeople { store in
      var seen: [Int] = []
      try store.read { tx in
        try tx.forEach(Person.all.order(by: \.id.descending)) { person, stop in
          seen.append(person.id)
          stop = person.id == 6
        }
      }
      #expect(seen == [9, 8, 7, 6])
      seen = []
      try store.write { tx in try tx.forEach(Person.where { $0.id < 4 }) { seen.append($0.id) } }
      #expect(seen == [1, 2, 3])
      struct Enough: Error {}
      #expect(throws: Enough.self) {
        try store.read { try $0.forEach(Person.all) { _ in throw Enough() } }
      }
    }
  }
}
