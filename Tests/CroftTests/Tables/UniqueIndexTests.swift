import Croft
import Foundation
import Testing

@Suite(.keepsFailedStores) struct UniqueIndexTests {
  @Test func aValueThatAnotherObjectHasIsRefusedAtTheStatement() throws {
    try withStore(of: Account.self) { store in
      try store.write { tx in
        try tx.insert(Account(id: 1, email: "a@b.c"))
        #expect(
          throws: StoreError.uniqueViolation(
            model: "Account", fields: ["email"], key: "2", existing: "1")
        ) { try tx.insert(Account(id: 2, email: "a@b.c")) }
        try tx.insert(Account(id: 2, email: "b@b.c"))
        #expect(throws: StoreError.self) {
          try tx.update(Account.self, 2) { $0.email = "a@b.c" }
        }
        #expect(throws: StoreError.self) { try tx.upsert(Account(id: 2, email: "a@b.c")) }
      }
      #expect(try store.fetch(Account.all).map(\.email) == ["a@b.c", "b@b.c"])
    }
  }

  @Test func aClashWithAStoredObjectIsFoundInALaterTransaction() throws {
    try withTemporaryStore(of: Account.self) { temporary in
      do {
        let store = try temporary.open()
        try store.write { try $0.insert(Account(id: 1, email: "a")) }
      }
      let store = try temporary.open()
      #expect(throws: StoreError.self) {
        try store.write { try $0.insert(Account(id: 2, email: "a")) }
      }
      try store.write { _ = try $0.delete(Account.self, 1) }
      try store.write { try $0.insert(Account(id: 2, email: "a")) }
      #expect(try store.count(Account.all) == 1)
    }
  }

  @Test func theErrorNamesModelFieldsAndKeysAndSaysWhatToDo() throws {
    let error = StoreError.uniqueViolation(
      model: "Account", fields: ["team", "number"], key: "2", existing: "1")
    for word in ["Account 2", "team, number", "Account 1", "Choose another"] {
      #expect("\(error)".contains(word))
    }
    #expect(!error.isRetryable)
  }

  @Test func nilClashesWithNothing() throws {
    try withStore(of: Account.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: (0..<10).map { Account(id: $0, team: "red") })
        try tx.insert(Account(id: 10, team: "red", number: 1))
        #expect(throws: StoreError.self) {
          try tx.insert(Account(id: 11, team: "red", number: 1))
        }
        try tx.insert(Account(id: 11, team: "blue", number: 1))
      }
      #expect(try store.count(Account.all) == 12)
    }
  }

  @Test func anObjectKeepsItsOwnValue() throws {
    try withStore(of: Account.self) { store in
      try store.write { tx in
        try tx.insert(Account(id: 1, email: "a", team: "red", number: 1, badges: [1, 2]))
        try tx.update(Account.self, 1) { $0.team = "red" }
        try tx.upsert(Account(id: 1, email: "a", team: "red", number: 1, badges: [2, 1, 1, 3]))
        #expect(throws: StoreError.duplicateKey(model: "Account", fields: ["id"], key: "1")) {
          try tx.insert(Account(id: 1, email: "a"))
        }
      }
    }
  }

  @Test func bothNormalFormsOfATextClash() throws {
    try withStore(of: Account.self) { store in
      try store.write { tx in
        try tx.insert(Account(id: 1, email: "\u{D55C}"))
        #expect(throws: StoreError.self) {
          try tx.insert(Account(id: 2, email: "\u{1112}\u{1161}\u{11AB}"))
        }
      }
    }
  }

  @Test(arguments: [280, 291, 292, 293, 511, 5_000])
  func longTextsClashOnlyWhereTheyAreEqual(length: Int) throws {
    try withStore(of: Account.self) { store in
      let start = String(repeating: "x", count: length - 1)
      try store.write { tx in
        try tx.insert(Account(id: 1, email: start + "a"))
        try tx.insert(Account(id: 2, email: start + "b"))
        #expect(
          throws: StoreError.uniqueViolation(
            model: "Account", fields: ["email"], key: "3", existing: "2")
        ) { try tx.insert(Account(id: 3, email: start + "b")) }
        try tx.delete(Account.self, 2)
        try tx.insert(Account(id: 3, email: start + "b"))
      }
    }
  }

  @Test func noTwoObjectsShareAnElementOfAUniqueList() throws {
    try withStore(of: Account.self) { store in
      try store.write { tx in
        try tx.insert(Account(id: 1, badges: [1, 2, 2]))
        try tx.insert(Account(id: 2, badges: []))
        #expect(throws: StoreError.self) { try tx.update(Account.self, 2) { $0.badges = [3, 2] } }
        try tx.update(Account.self, 1) { $0.badges = [1] }
        try tx.update(Account.self, 2) { $0.badges = [3, 2] }
      }
    }
  }

  @Test func aFailedStatementAboutManyWritesNothing() throws {
    try withStore(of: Account.self) { store in
      try store.write { tx in
        try tx.insert(Account(id: 100, email: "x"))
        #expect(throws: StoreError.self) {
          try tx.insert(
            contentsOf: ["a", "b", "a"].enumerated().map {
              Account(id: $0.offset, email: $0.element)
            })
        }
        #expect(try tx.count(Account.all) == 1)
        try tx.insert(contentsOf: [Account(id: 1, email: "a"), Account(id: 2, email: "b")])
        // Every object after the first clashes with the one before it.
        #expect(throws: StoreError.self) { try tx.update(Account.all) { $0.email = "same" } }
        #expect(try tx.fetch(Account.all).map(\.email) == ["a", "b", "x"])
      }
    }
  }

  @Test func aSwapGoesThroughAThirdValue() throws {
    try withStore(of: Account.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: [Account(id: 1, email: "a"), Account(id: 2, email: "b")])
        #expect(throws: StoreError.self) { try tx.update(Account.self, 1) { $0.email = "b" } }
        try tx.update(Account.self, 1) { $0.email = nil }
        try tx.update(Account.self, 2) { $0.email = "a" }
        try tx.update(Account.self, 1) { $0.email = "b" }
      }
      #expect(try store.fetch(Account.all).map(\.email) == ["b", "a"])
    }
  }

  @Test func deletesFreeTheirValues() throws {
    try withStore(of: Account.self) { store in
      let accounts = (0..<50).map { Account(id: $0, email: "\($0)", badges: [$0]) }
      try store.write { tx in
        try tx.insert(contentsOf: accounts)
        try tx.delete(Account.where { $0.id < 25 })
        try tx.insert(contentsOf: accounts.prefix(25))
        try tx.deleteAll(Account.self)
        try tx.insert(contentsOf: accounts)
        try tx.delete(Account.self, 3)
        try tx.insert(accounts[3])
      }
      #expect(try store.count(Account.all) == 50)
    }
  }

  @Test func whatASavepointTookIsFreeAgain() throws {
    struct Undo: Error {}
    try withStore(of: Account.self) { store in
      try store.write { tx in
        try tx.insert(Account(id: 1, email: "a"))
        #expect(throws: Undo.self) {
          try tx.savepoint { tx in
            try tx.delete(Account.self, 1)
            try tx.insert(Account(id: 2, email: "a"))
            throw Undo()
          }
        }
        #expect(throws: StoreError.self) { try tx.insert(Account(id: 3, email: "a")) }
        try tx.insert(Account(id: 2, email: "b"))
      }
    }
  }
}
