import Testing

@testable import Croft

@Suite(.keepsFailedStores) struct WriteTransactionObjectsTests {
  @Test func aHeldObjectIsChangedByItsKeyAndOnlyWhereTheClosureSaysSo() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      var held = try #require(try store.get(Song.self, 4))
      try store.write { _ = try $0.update(Song.self, 4) { $0.plays = 40 } }
      held.title = "never written"
      let changed = try store.write { try $0.update(Ref(held)) { $0.note = "kept" } }
      #expect(changed.plays == 40 && changed.title == "Song 4" && changed.note == "kept")
      #expect(try store.get(Song.self, 4) == changed)
      #expect(try store.write { try $0.update(Ref(held)) { $0.plays += 1 } }.plays == 41)
    }
  }

  @Test func anObjectIsWrittenAsItIs() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      var held = try #require(try store.get(Song.self, 4))
      try store.write { _ = try $0.update(Song.self, 4) { $0.plays = 40 } }
      held.title = "written"
      try store.write { try $0.update(held) }
      #expect(try store.get(Song.self, 4) == held, "the plays are those of the copy")
      #expect(try store.fetch(Song.where { $0.title == "written" }) == [held])
      try store.write { tx throws in
        try tx.update(held)
        let hasChanges = tx.hasChanges
        #expect(!hasChanges, "an equal object is not written")
      }
    }
  }

  @Test func anObjectThatIsNotStoredIsNotUpdated() throws {
    try withStore(of: Account.self) { store in
      let (one, two) = (Account(id: 1, email: "a"), Account(id: 2, email: "b"))
      try store.write { tx throws in
        try tx.insert(one)
        #expect(throws: StoreError.staleObject(model: "Account", fields: [], key: "2")) {
          try tx.update(two)
        }
        try tx.insert(two)
        #expect(throws: StoreError.self) { try tx.update(Account(id: 2, email: "a")) }
        try tx.update(Account(id: 1, email: "c"))
        try tx.update(Account(id: 2, email: "a"))
      }
      #expect(try store.fetch(Account.all).map(\.email) == ["c", "a"])
    }
  }

  @Test func anObjectThatIsWrittenKeepsItsReferencesAndIsObserved() throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { try $0.insert(contentsOf: [Person(id: 1), Person(id: 2, boss: Ref(1))]) }
      let (viewer, token) = store.show(Person.where { $0.boss == Ref(1) })
      store.live.drain()
      try store.write { tx throws in
        let error = StoreError.thrown { try tx.update(Person(id: 2, boss: Ref(9))) }
        guard case .danglingReference("Person", "boss", "2", _) = error else { throw Refused() }
        try tx.savepoint { try $0.update(Person(id: 1, boss: Ref(1))) }
        #expect(throws: Refused.self) {
          try tx.savepoint { tx throws in
            try tx.update(Person(id: 2))
            throw Refused()
          }
        }
      }
      store.live.drain()
      #expect(viewer.list.map(\.id) == [1, 2] && token.error == nil)
      try store.write { try $0.update(Person(id: 2)) }
      store.live.drain()
      #expect(viewer.list.map(\.id) == [1])
    }
  }

  @Test func anObjectThatIsGoneIsToldAndTheTransactionGoesOn() throws {
    try withStore(of: Song.self, Album.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<3)) }
      let held = try #require(try store.get(Song.self, 1))
      try store.write { tx throws in
        #expect(try tx.delete(held))
        #expect(try !tx.delete(held), "a second time there is nothing to delete")
        #expect(throws: StoreError.staleObject(model: "Song", fields: [], key: "1")) {
          try tx.update(Ref(held)) { $0.plays = 1 }
        }
        #expect(throws: StoreError.staleObject(model: "Album", fields: [], key: "\"a\"")) {
          try tx.update(Ref<Album>("a")) { $0.year = 1 }
        }
        #expect(try tx.delete(Ref<Song>(2)))
      }
      #expect(try store.fetch(Song.all).map(\.id) == [0])
    }
  }

  @Test func deleteRulesAndUniqueValuesHoldForHeldObjectsToo() throws {
    try withStore(of: Person.self, Club.self, Account.self) { store in
      try store.write { tx throws in
        try tx.insert(contentsOf: [
          Person(id: 1), Person(id: 2, boss: Ref(1)), Person(id: 3, guarantor: Ref(2)),
        ])
        let people = try tx.fetch(Person.all)
        #expect(throws: StoreError.self) { try tx.delete(people[1]) }
        #expect(try tx.count(Person.all) == 3)
        try tx.delete(people[2])
        #expect(try tx.delete(people[0]), "and with it whom it was boss of")
        #expect(try tx.count(Person.all) == 0)
        try tx.insert(Account(id: 1, email: "a"))
        try tx.insert(Account(id: 2, email: "b"))
        let account = try #require(try tx.get(Account.self, 2))
        #expect(throws: StoreError.self) { try tx.update(Ref(account)) { $0.email = "a" } }
        #expect(throws: StoreError.primaryKeyChanged(model: "Account", key: "2")) {
          try tx.update(Ref(account)) { $0.id = 3 }
        }
        #expect(try tx.get(Account.self, 2) == account)
      }
    }
  }
}
