import Foundation
import LMDB
import Testing

@testable import Croft

/// Damage to references and unique entries, written through the storage engine, is found.
@Suite(.keepsFailedStores) struct VerificationReferenceTests {
  @Test func aReferenceToAMissingRowIsFound() throws {
    try withTemporaryStore(of: Person.self, Club.self, checksAtEnd: false) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(contentsOf: [Person(id: 1), Person(id: 2, fans: [Ref(1)])])
        try tx.insert(Club(name: "a", founder: Ref(1)))
      }
      #expect(try store.verify().problems == [])
      try store.write { tx in
        let people = try tx.table(of: Person._schema.erased)
        let key: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 1]
        try tx.base.delete(key.span.bytes, in: people.rows)
        tx.hasChanges = true
      }
      let problems = try store.verify().problems
      #expect(problems.contains("Person.fans of 2 refers to 1, which does not exist"))
      #expect(problems.contains("Club.founder of \"a\" refers to 1, which does not exist"))
    }
  }

  @Test func aUniqueValueGivenToAnotherObjectIsFound() throws {
    try withTemporaryStore(of: Account.self, checksAtEnd: false) { temporary in
      let store = try temporary.open()
      try store.write { tx in
        try tx.insert(contentsOf: [Account(id: 1, email: "ab"), Account(id: 2)])
        let index = try tx.table(of: Account._schema.erased).entryIndexes[0]
        let (key, owner): ([UInt8], [UInt8]) = (
          [1, 0x61, 0x62, 0, 0], [0x80, 0, 0, 0, 0, 0, 0, 2]
        )
        _ = try key.withUnsafeBytes { key in
          try owner.withUnsafeBytes { owner in
            try tx.base.put(key, .unique, of: owner, into: index.entries)
          }
        }
      }
      let problems = try store.verify().problems
      #expect(
        problems.contains("The index of Account over email gives the value of 1 to another object"))
      #expect(problems.contains("The index of Account over email has a stale entry of 2"))
    }
  }

  @Test func theArticlesTableOfEntriesIsTrue() throws {
    try withStore(of: Account.self) { store in
      try store.write { tx in
        try tx.insert(Account(id: 7, email: "ab"))
        try tx.insert(Account(id: 8))
        let model = try tx.table(of: Account._schema.erased)
        var entries: [[[UInt8]]] = []
        try tx.base.forEachBlock(of: model.entryIndexes[0].entries) { block in
          for place in 0..<block.count {
            entries.append([block.key(at: place).copied(), block.value(at: place).copied()])
          }
          return true
        }
        #expect(
          entries == [
            [[0, 0x80, 0, 0, 0, 0, 0, 0, 8], []],
            [[1, 0x61, 0x62, 0, 0], [0x80, 0, 0, 0, 0, 0, 0, 7]],
          ])
      }
    }
  }
}
