import Croft
import Foundation
import LMDB
import Testing

/// Damage that is written through the storage engine is found.
@Suite(.keepsFailedStores) struct VerificationTests {
  /// The code of an integer key.
  private func key(_ id: Int) -> [UInt8] {
    let bits = UInt64(bitPattern: Int64(id)) ^ (1 << 63)
    return (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> UInt64($0 * 8)) }
  }

  /// The value of an index's entry.
  private let nothing: [UInt8] = []

  /// A store of songs after damage; `e1` holds the rows, `x1` the index over plays.
  private func withDamage(
    _ damage: (inout LMDB.WriteTransaction) throws -> Void, _ check: (Store) throws -> Void
  ) throws {
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      do {
        let store = try temporary.open()
        try store.write { try $0.insert(contentsOf: Song.numbered(0..<50)) }
        #expect(try store.verify().isSound)
      }
      do {
        let environment = try Environment.open(at: temporary.url.path)
        try environment.write { try damage(&$0) }
      }
      try check(try temporary.open())
    }
  }

  @Test func aMissingIndexEntryIsFound() throws {
    try withDamage { tx in
      let index = try #require(try tx.database(named: "x1"))
      let isDeleted = try tx.delete((key(7) + key(17)).span.bytes, in: index)
      #expect(isDeleted)
    } _: { store in
      let problems = try store.verify().problems
      #expect(problems == ["The index of Song over plays lacks the entry of 17"])
    }
  }

  @Test func aStaleIndexEntryIsFound() throws {
    try withDamage { tx in
      let index = try #require(try tx.database(named: "x1"))
      try tx.put(nothing.span.bytes, at: (key(99) + key(17)).span.bytes, in: index)
    } _: { store in
      let verification = try store.verify()
      #expect(verification.problems == ["The index of Song over plays has a stale entry of 17"])
      #expect(verification.indexEntries == 101)
    }
  }

  @Test func anEntryOfNoRowIsFound() throws {
    try withDamage { tx in
      let index = try #require(try tx.database(named: "x1"))
      try tx.put(nothing.span.bytes, at: (key(3) + key(1_000)).span.bytes, in: index)
    } _: { store throws in
      #expect(
        try store.verify().problems
          == ["The index of Song over plays has an entry of 1000, which does not exist"])
    }
  }

  @Test func aMissingRowLeavesEntriesThatAreFound() throws {
    try withDamage { tx in
      let rows = try #require(try tx.database(named: "e1"))
      try tx.delete(key(5).span.bytes, in: rows)
    } _: { store in
      let problems = try store.verify().problems
      #expect(problems.count == 2)
      #expect(problems.allSatisfy { $0.contains("has an entry of 5, which does not exist") })
    }
  }

  @Test func aRowOfBytesThatAreNoneIsFoundAndNamed() throws {
    let bad: [[UInt8]] = [
      [], [0x52], [0x52, 0, 1, 0], [UInt8](repeating: 0, count: 100),
      [0x52, 0, 9, 0] + [UInt8](repeating: 0, count: 100),
      [0x52, 4, 1, 0] + [UInt8](repeating: 0, count: 100),
      [0x52, 0, 1, 0] + [UInt8](repeating: 0xFF, count: 100),
    ]
    for bytes in bad {
      try withDamage { tx in
        let rows = try #require(try tx.database(named: "e1"))
        try tx.put(bytes.span.bytes, at: key(5).span.bytes, in: rows)
      } _: { store in
        let problems = try store.verify().problems
        #expect(problems.contains { $0.contains("Song 5") }, "\(bytes): \(problems)")
        #expect(throws: StoreError.self) { try store.get(Song.self, 5) }
        #expect(throws: StoreError.self) { try store.fetch(Song.where { $0.title != "x" }) }
        #expect(try store.get(Song.self, 6)?.id == 6)
      }
    }
  }

  @Test func aDamagedRowBreaksItsTransactionAndNoMore() throws {
    try withDamage { tx in
      let rows = try #require(try tx.database(named: "e1"))
      try tx.put([1, 2, 3].span.bytes, at: key(5).span.bytes, in: rows)
    } _: { store in
      let failure = StoreError.thrown {
        try store.write { tx in
          try tx.insert(Song(id: 500, title: "lost"))
          let error = StoreError.thrown { _ = try tx.update(Song.self, 5) { $0.plays = 1 } }
          guard case .corrupt("Song", "5", _) = error else { return }
        }
      }
      guard case .transactionFailed = failure else {
        Issue.record("another error: \(String(describing: failure))")
        return
      }
      #expect(try store.get(Song.self, 500) == nil)
      try store.write { try $0.insert(Song(id: 501, title: "kept")) }
      #expect(try store.get(Song.self, 501)?.title == "kept")
    }
  }

  @Test func aStatementAboutManyObjectsThatMeetsADamagedRowDoesNothing() throws {
    try withDamage { tx in
      let rows = try #require(try tx.database(named: "e1"))
      try tx.put([1, 2, 3].span.bytes, at: key(5).span.bytes, in: rows)
    } _: { store in
      let count = try store.count(Song.where { $0.plays == 4 })
      try store.write { tx in
        try tx.insert(Song(id: 500, title: "kept"))
        let error = StoreError.thrown { try tx.delete(Song.where { $0.title == "Song 4" }) }
        guard case .corrupt("Song", "5", _) = error else {
          Issue.record("another error: \(String(describing: error))")
          return
        }
      }
      #expect(try store.get(Song.self, 500)?.title == "kept")
      #expect(try store.get(Song.self, 4)?.title == "Song 4")
      #expect(try store.count(Song.where { $0.plays == 4 }) == count)
    }
  }

  @Test func allProblemsAreCountedAndTheFirstAreToldInWords() throws {
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: Song.numbered(0..<300)) }
      do {
        let environment = try Environment.open(at: temporary.url.path)
        try environment.write { tx in
          let index = try #require(try tx.database(named: "x2"))
          try tx.empty(index)
        }
      }
      let verification = try temporary.open().verify()
      #expect(verification.problems.count == 100)
      #expect(verification.problemCount == 300)
      #expect(!verification.isSound)
      let brief = try temporary.open().verify(keepingProblems: 3)
      #expect(brief.problems == Array(verification.problems.prefix(3)))
      #expect(brief.problemCount == 300)
      #expect(verification.rows == 300)
    }
  }
}
