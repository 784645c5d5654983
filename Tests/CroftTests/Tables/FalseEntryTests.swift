import Foundation
import LMDB
import Testing

@testable import Croft

/// Entries of indexes have no checksum, and one bit leads an entry to another object.
///
/// A query that went by the index then handed out, changed or deleted an object that did not meet
/// its condition, and only `verify()` said so. It is an error now, and nothing is changed.
@Suite(.keepsFailedStores) struct FalseEntryTests {
  /// The code of an integer.
  private static func code(_ number: Int) -> [UInt8] {
    let bits = UInt64(bitPattern: Int64(number)) ^ (1 << 63)
    return (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> UInt64($0 * 8)) }
  }

  /// A store of songs, number n played n times, whose index has the entry of one number replaced.
  private func withEntry(
    of number: Int, at plays: Int, leadingTo other: Int, _ body: (Store) throws -> Void
  ) throws {
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(contentsOf: (0..<300).map { Song(id: $0, title: "\($0)", plays: $0) })
      }
      try store.write { tx in
        let index = try #require(
          try tx.table(of: Song._schema.erased).entryIndexes.first {
            $0.columns.first?.places.first == 2
          })
        let old = Self.code(number) + Self.code(number)
        let new = Self.code(plays) + Self.code(other)
        try old.withUnsafeBytes { try tx.base.remove($0, from: index.entries) }
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        _ = try new.withUnsafeBytes { key in
          try tx.base.put(key, .nonUnique, of: nothing, into: index.entries)
        }
        tx.hasChanges = true
      }
      #expect(try !store.verify().isSound)
      try body(store)
      // The objects are unchanged, and the index can be rebuilt.
      #expect(try store.fetch(Song.all).map(\.plays) == Array(0..<300))
      try store.rebuildIndexes()
      #expect(try store.verify().isSound)
      #expect(try store.fetch(Song.where { $0.plays == 7 }).map(\.id) == [7])
      #expect(try store.fetch(Song.all.order(by: \.plays)).map(\.id) == Array(0..<300))
    }
  }

  private func expectRefusal<R>(of model: String = "Song", _ body: () throws -> R) {
    let error = StoreError.thrown { _ = try body() }
    guard case .corrupt(model, key: nil, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("rebuildIndexes"))
  }

  @Test func anEntryOfAnotherObjectIsAnErrorAndNothingIsChanged() throws {
    try withEntry(of: 7, at: 7, leadingTo: 8) { store throws in
      expectRefusal { try store.fetch(Song.where { $0.plays == 7 }) }
      expectRefusal { try store.first(Song.where { $0.plays == 7 }) }
      expectRefusal { try store.fetch(Song.where { $0.plays.between(6, 7) }) }
      expectRefusal { try store.fetch(Song.where { $0.plays == 7 || $0.plays == 200 }) }
      expectRefusal { try store.write { try $0.delete(Song.where { $0.plays == 7 }) } }
      expectRefusal {
        try store.write { try $0.update(Song.where { $0.plays == 7 }) { $0.title = "x" } }
      }
      expectRefusal {
        try store.write { try $0.update(Song.where { $0.plays == 7 }, set: \.title, to: "x") }
      }
      #expect(try store.fetch(Song.where { $0.plays == 9 }).map(\.id) == [9])
    }
  }

  @Test(arguments: [1, 3, 20])
  func anEntryInAnotherOnesPlaceIsAnErrorOfWhatGoesByItsOrder(limit: Int) throws {
    // The entry of 7 is where 290 belongs, and the entry of 290 follows it.
    try withEntry(of: 7, at: 290, leadingTo: 7) { store throws in
      func ids(_ query: Query<Song>) throws -> [Int] { try store.fetch(query).map(\.id) }
      // What comes before the entry lacks it, which only `verify()` can tell.
      let others = (0..<300).filter { $0 != 7 }
      #expect(try ids(Song.all.order(by: \.plays).limit(limit)) == Array(others.prefix(limit)))
      if limit > 10 {
        expectRefusal { try ids(Song.all.order(by: \.plays.descending).limit(limit)) }
      }
      expectRefusal { try ids(Song.where { $0.plays >= 290 }) }
    }
  }

  @Test func aUniqueValueThatLeadsToAnotherObjectIsAnError() throws {
    try withTemporaryStore(of: Account.self, checksAtEnd: false) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        // So many that the index is cheaper than all rows.
        try tx.insert(contentsOf: (2...300).map { Account(id: $0, email: "u\($0)", number: $0) })
        try tx.insert(Account(id: 1, email: "ab", number: 1))
        let index = try tx.table(of: Account._schema.erased).entryIndexes[0]
        _ = try ([1, 0x61, 0x62, 0, 0] as [UInt8]).withUnsafeBytes { key in
          try Self.code(2).withUnsafeBytes { owner in
            try tx.base.put(key, .unique, of: owner, into: index.entries)
          }
        }
      }
      for store in [store, try temporary.open()] {
        expectRefusal(of: "Account") { try store.first(Account.where { $0.email == "ab" }) }
        expectRefusal(of: "Account") {
          try store.write { try $0.delete(Account.where { $0.email == "ab" }) }
        }
      }
      try store.rebuildIndexes()
      #expect(try store.verify().isSound)
      #expect(try store.fetch(Account.where { $0.email == "ab" }).map(\.id) == [1])
      #expect(try store.fetch(Account.all).map(\.id) == Array(1...300))
    }
  }

  @Test func anElementsEntryThatLeadsToAnotherObjectIsAnError() throws {
    try withTemporaryStore(of: Account.self, checksAtEnd: false) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(contentsOf: (1...300).map { Account(id: $0, badges: [$0, 1_000 + $0]) })
        let index = try #require(
          try tx.table(of: Account._schema.erased).entryIndexes.first {
            $0.columns.first?.places.first == 4
          })
        try Self.code(3).withUnsafeBytes { key in
          try tx.base.remove(key, from: index.entries)
          _ = try Self.code(4).withUnsafeBytes { owner in
            try tx.base.put(key, .unique, of: owner, into: index.entries)
          }
        }
        tx.hasChanges = true
      }
      #expect(try !store.verify().isSound)
      for store in [store, try temporary.open()] {
        for query in [
          Account.where { $0.badges.contains(3) },
          Account.where { $0.badges.any { $0 == 3 } },
          Account.where { $0.badges.contains(3) || $0.badges.contains(200) },
        ] {
          expectRefusal(of: "Account") { try store.fetch(query) }
          expectRefusal(of: "Account") { try store.write { try $0.delete(query) } }
        }
      }
      try store.rebuildIndexes()
      #expect(try store.verify().isSound)
      #expect(try store.fetch(Account.where { $0.badges.contains(3) }).map(\.id) == [3])
      #expect(try store.count(Account.all) == 300)
    }
  }

  /// Delete rules and conditions on referrers go by the indexes of references.
  @Test(arguments: ["boss", "friend", "guarantor", "fans"])
  func aReferencesEntryThatLeadsToAnotherObjectIsAnError(field: String) throws {
    try withTemporaryStore(of: Person.self, Club.self, checksAtEnd: false) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(contentsOf: (1...300).map { Person(id: $0) })
        try tx.insert(
          contentsOf: (1...300).map {
            let leader = Ref<Person>($0)
            return switch field {
            case "boss": Person(id: 300 + $0, boss: leader)
            case "friend": Person(id: 300 + $0, friend: leader)
            case "guarantor": Person(id: 300 + $0, guarantor: leader)
            default: Person(id: 300 + $0, fans: [leader])
            }
          })
      }
      let people = try store.fetch(Person.all)
      try store.write { tx in
        let table = try tx.table(of: Person._schema.erased)
        let reference = try #require(
          table.references.first { table.layout.names[$0.column] == field })
        // The entry of person 307, who refers to 7, leads to 308, who refers to 8.
        let mark: [UInt8] = table.isMarked(reference) ? [1] : []
        let old = mark + Self.code(7) + Self.code(307)
        let new = mark + Self.code(7) + Self.code(308)
        try old.withUnsafeBytes { try tx.base.remove($0, from: reference.index.entries) }
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        _ = try new.withUnsafeBytes { key in
          try tx.base.put(key, .nonUnique, of: nothing, into: reference.index.entries)
        }
        tx.hasChanges = true
      }
      #expect(try !store.verify().isSound)
      for store in [store, try temporary.open()] {
        expectRefusal(of: "Person") { try store.write { try $0.delete(Person.self, 7) } }
        expectRefusal(of: "Person") {
          try store.write { try $0.delete(Person.where { $0.id == 7 }) }
        }
        let referring =
          switch field {
          case "boss": Person.where { $0.referrers(by: \Person.boss).any { $0.id > 300 } }
          case "friend": Person.where { $0.referrers(by: \Person.friend).any { $0.id > 300 } }
          case "guarantor": Person.where { $0.referrers(by: \Person.guarantor).any { $0.id > 300 } }
          default: Person.where { $0.referrers(by: \Person.fans).any { $0.id > 300 } }
          }
        expectRefusal(of: "Person") { try store.fetch(referring) }
        #expect(try store.fetch(Person.all) == people)
      }
      try store.rebuildIndexes()
      #expect(try store.verify().isSound)
      if field == "guarantor" {
        #expect(throws: StoreError.self) { try store.write { try $0.delete(Person.self, 7) } }
      } else {
        #expect(try store.write { try $0.delete(Person.self, 7) })
        #expect(try store.count(Person.all) == (field == "boss" ? 598 : 599))
      }
    }
  }

  @Test func anEntryOfNoObjectIsAnError() throws {
    try withEntry(of: 7, at: 7, leadingTo: 1_000) { store throws in
      expectRefusal { try store.fetch(Song.where { $0.plays == 7 }) }
      expectRefusal { try store.fetch(Song.where { $0.plays < 20 }.order(by: \.plays)) }
    }
  }
}
