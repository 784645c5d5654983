import Foundation
import Testing

@testable import Croft

/// Bulk deletes from models with unique indexes, at sizes on both sides of every threshold.
///
/// A delete of 1,024 objects or more, and of three quarters of all, once copied what stayed of an
/// index without the values, which in a unique index are the owners' keys. It committed an index
/// that gave no object any more: a fetch by the unique property threw, and an insert clashed with
/// nobody.
@Suite(.keepsFailedStores) struct UniqueIndexBulkDeleteTests {
  /// How many objects there are, and how many of them go.
  static let sizes = [
    (255, 250), (300, 255), (300, 256), (512, 256), (513, 256),
    (1_023, 1_022), (1_023, 1_023), (1_024, 1_023), (1_025, 1_024), (1_364, 1_023),
    (1_365, 1_023), (1_365, 1_024), (1_365, 1_365), (1_370, 1_024), (1_370, 1_027),
    (5_000, 3_700), (5_000, 3_800), (5_000, 4_999),
  ]

  private static func account(_ id: Int) -> Account {
    Account(
      id: id, email: id % 7 == 0 ? nil : "user \(id)" + longTail(id), team: "team \(id % 3)",
      number: id, badges: [id * 2, id * 2 + 1])
  }

  /// Some values are too long for a key.
  private static func longTail(_ id: Int) -> String {
    id % 11 == 0 ? String(repeating: "x", count: 400) + "\(id)" : ""
  }

  private func insert(_ count: Int, into store: Store) throws {
    try store.write { try $0.insert(contentsOf: (0..<count).map(Self.account)) }
  }

  /// Checks a store of the objects whose ids are in a range.
  static func check(_ store: Store, holds ids: Range<Int>) throws {
    #expect(try store.verify().problems == [])
    #expect(try store.count(Account.all) == ids.count)
    for id in [ids.lowerBound, ids.lowerBound + 1, ids.upperBound - 1] where ids.contains(id) {
      let account = account(id)
      #expect(try store.fetch(Account.where { $0.badges.contains(id * 2) }) == [account])
      #expect(
        try store.fetch(Account.where { $0.team == account.team && $0.number == id }) == [account])
      guard let email = account.email else { continue }
      #expect(try store.fetch(Account.where { $0.email == email }) == [account])
      #expect(
        throws: StoreError.uniqueViolation(
          model: "Account", fields: ["email"], key: "-1", existing: "\(id)")
      ) { try store.write { try $0.insert(Account(id: -1, email: email)) } }
    }
    // What went is free.
    try store.write { tx in
      guard ids.lowerBound > 0 else { return }
      try tx.insert(account(0))
      try tx.delete(Account.self, 0)
    }
  }

  @Test(arguments: sizes)
  func aDeleteByAQueryKeepsTheOwnersOfWhatStays(count: Int, deleted: Int) throws {
    try withTemporaryStore(of: Account.self) { temporary in
      let reader = try temporary.open()
      do {
        let store = try temporary.open()
        try insert(count, into: store)
        let gone = try store.write { try $0.delete(Account.where { $0.id < deleted }) }
        #expect(gone == deleted)
        try Self.check(store, holds: deleted..<count)
      }
      try Self.check(reader, holds: deleted..<count)
      try Self.check(try temporary.open(), holds: deleted..<count)
    }
  }

  @Test(arguments: sizes)
  func aDeleteInsideASavepointThatIsUndoneLeavesAll(count: Int, deleted: Int) throws {
    try withStore(of: Account.self) { store in
      try insert(count, into: store)
      try store.write { tx in
        #expect(throws: Refused.self) {
          try tx.savepoint { tx in
            try tx.delete(Account.where { $0.id < deleted })
            throw Refused()
          }
        }
        try tx.insert(contentsOf: (count..<count + 2_000).map(Self.account))
        try tx.savepoint { tx in
          try tx.delete(Account.where { $0.id >= count })
        }
      }
      try Self.check(store, holds: 0..<count)
    }
  }

  @Test(arguments: sizes)
  func singleDeletesAndThoseOfAllDoTheSame(count: Int, deleted: Int) throws {
    try withStore(of: Account.self) { store in
      try insert(count, into: store)
      try store.write { tx in
        for id in 0..<deleted { try tx.delete(Account.self, id) }
      }
      try Self.check(store, holds: deleted..<count)
      try store.write { tx in
        try tx.deleteAll(Account.self)
        try tx.insert(contentsOf: (0..<count).map(Self.account))
        try tx.delete(Account.where { $0.id < deleted })
      }
      try Self.check(store, holds: deleted..<count)
    }
  }

  @Test(arguments: sizes)
  func aCascadeKeepsTheOwnersOfWhatStays(count: Int, deleted: Int) throws {
    try withStore(of: Holder.self, Ticket.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: [Holder(id: 1), Holder(id: 2)])
        try tx.insert(
          contentsOf: (0..<count).map { id in
            Ticket(id: id, code: "t\(id)", seat: id, holder: Ref(id < deleted ? 1 : 2))
          })
      }
      try store.write { _ = try $0.delete(Holder.self, 1) }
      #expect(try store.verify().problems == [])
      #expect(try store.count(Ticket.all) == count - deleted)
      for id in deleted..<min(count, deleted + 3) {
        #expect(try store.fetch(Ticket.where { $0.code == "t\(id)" }).map(\.id) == [id])
        #expect(try store.fetch(Ticket.where { $0.seat == id }).map(\.id) == [id])
      }
      try store.write { try $0.insert(Ticket(id: 0, code: "t0", seat: 0, holder: Ref(2))) }
    }
  }

  @Test func whatAnotherProcessDeletesKeepsTheOwnersOfWhatStays() async throws {
    try await withStore(of: Account.self) { store in
      try insert(1_365, into: store)
      let url = store.url
      await #expect(processExitsWith: .success) { [url = url as URL] in
        let store = try Store.open(at: url, models: Account.self, options: .forTests)
        _ = try await store.write { try $0.delete(Account.where { $0.id < 1_024 }) }
      }
      try Self.check(store, holds: 1_024..<1_365)
    }
  }

  @Test func aMigrationThatDeletesKeepsTheOwnersOfWhatStays() throws {
    try withTemporaryStore(of: Account.self) { temporary in
      try insert(1_365, into: try temporary.open())
      let store = try Store.open(
        at: temporary.url, models: Account.self, options: .forTests,
        migrations: [
          Migration("keep the last", Account.self) { _, new in
            if let id = new?.id, id < 1_024 { new = nil }
          }
        ])
      try Self.check(store, holds: 1_024..<1_365)
    }
  }
}

@Model struct Holder {
  @PrimaryKey var id: Int
}

@Model struct Ticket {
  @PrimaryKey var id: Int
  @Indexed(.unique) var code: String
  @Indexed(.unique) var seat: Int
  @Relation(onDelete: .cascade) var holder: Ref<Holder>
}
