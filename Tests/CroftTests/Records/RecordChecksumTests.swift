import Foundation
import LMDB
import Testing

@testable import Croft

/// A byte of a title was flipped in the file: the store fetched another title, and said nothing.
@Suite(.keepsFailedStores) struct RecordChecksumTests {
  /// A store of songs in which the title of number 5 has become another.
  private func withDamage(_ body: (Store) throws -> Void) throws {
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: Song.numbered(0..<300)) }
      try Environment.open(at: temporary.url.path).write { tx in
        let rows = try #require(try tx.database(named: "e1"))
        let key: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 5]
        var row = try #require(try tx.get(key.span.bytes, in: rows)?.copied())
        let place = try #require(row.firstIndex(of: UInt8(ascii: "S")))
        row[place] ^= 0x20
        try tx.put(row.span.bytes, at: key.span.bytes, in: rows)
      }
      try body(try temporary.open())
    }
  }

  private func isDamage(_ error: (any Error)?) -> Bool {
    guard case .corrupt("Song", "5", _) = error as? StoreError else { return false }
    return true
  }

  @Test func noObjectIsMadeOfAChangedRow() throws {
    try withDamage { store throws in
      let errors = [
        StoreError.thrown { _ = try store.get(Song.self, 5) },
        StoreError.thrown { _ = try store.fetch(Song.all) },
        StoreError.thrown { _ = try store.fetch(Song.all.order(by: \.title)) },
        StoreError.thrown { _ = try store.fetch(Song.where { $0.plays == 5 }) },
      ]
      #expect(errors.allSatisfy(isDamage))
      #expect(try store.get(Song.self, 6)?.title == "Song 6")
      #expect(try store.count(Song.all) == 300)
    }
  }

  @Test func verifyNamesTheRow() throws {
    try withDamage { store throws in
      let problems = try store.verify().problems
      #expect(problems.count == 1)
      #expect(problems.first?.contains("Song 5: the row's checksum does not fit") == true)
    }
  }

  /// Written again with a checksum that fits, the damage would never be found.
  @Test func whatIsDamagedIsNotWrittenAnew() throws {
    try withDamage { store throws in
      let errors = [
        StoreError.thrown {
          try store.write { _ = try $0.update(Song.self, 5) { $0.plays = 0 } }
        },
        StoreError.thrown {
          try store.write { _ = try $0.update(Song.where { $0.id < 9 }, set: \.plays, to: 77) }
        },
      ]
      #expect(errors.allSatisfy { $0 != nil })
      #expect(try store.verify().problemCount == 1)
      #expect(try store.get(Song.self, 6)?.plays == 6)
    }
  }

  @Test func aDamagedObjectCanBeDeletedAndPutAgain() throws {
    try withDamage { store throws in
      try store.write { _ = try $0.delete(Song.self, 5) }
      try store.write { try $0.insert(Song.numbered(5..<6)[0]) }
      #expect(try store.fetch(Song.all) == Song.numbered(0..<300))
      #expect(try store.verify().isSound)
    }
  }
}
