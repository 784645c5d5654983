import Foundation
import LMDB
import Testing
import TestSupport

@testable import Croft

/// A rebuilt index has the entries that the statements had written.
@Suite(.keepsFailedStores) struct IndexBuildTests {
  private func accounts(_ random: inout SeededGenerator) -> [Account] {
    let long = String(repeating: "z", count: 300)
    return (0..<700).map { id in
      Account(
        id: id, email: id % 5 == 0 ? nil : (id % 3 == 0 ? long : "") + "\(random.next())",
        team: random.pick(["", "red"]), number: id % 4 == 0 ? nil : id,
        badges: (0..<random.below(3)).map { id * 4 + $0 } + (id % 7 == 0 ? [-id, -id] : []))
    }
  }

  /// All keys and values of a tree.
  private func entries(
    of index: EntryIndex, _ transaction: borrowing LMDB.WriteTransaction
  ) throws -> [[[UInt8]]] {
    var entries: [[[UInt8]]] = []
    try transaction.forEachBlock(of: index.entries) { block in
      for place in 0..<block.count {
        entries.append([block.key(at: place).copied(), block.value(at: place).copied()])
      }
      return true
    }
    return entries
  }

  @Test(arguments: [1, 1_000, 64 << 20])
  func aBuiltIndexIsTheOneThatStatementsWrote(runBytes: Int) throws {
    var random = SeededGenerator.forTest("IndexBuildTests")
    let accounts = accounts(&random)
    try withStore(of: Account.self) { store in
      try store.write { try $0.insert(contentsOf: accounts) }
      try store.write { tx in
        let model = try tx.table(of: Account._schema.erased)
        #expect(model.entryIndexes.count == 3)
        for index in model.entryIndexes {
          let written = try entries(of: index, tx.base)
          #expect(written.count >= 500)
          try tx.base.empty(index.entries)
          try model.build(index, in: &tx.base, runBytes: runBytes)
          let built = try entries(of: index, tx.base)
          #expect(built == written)
        }
      }
    }
  }

  @Test func songsIndexesAreBuiltInRunsToo() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<3_000)) }
      try store.write { tx in
        let model = try tx.table(of: Song._schema.erased)
        for index in model.entryIndexes {
          let written = try entries(of: index, tx.base)
          try tx.base.empty(index.entries)
          try model.build(index, in: &tx.base, runBytes: 5_000)
          let built = try entries(of: index, tx.base)
          #expect(built == written)
        }
      }
    }
  }

  @Test(arguments: ["", String(repeating: "x", count: 400)])
  func duplicatesAreNamed(start: String) throws {
    struct Undo: Error {}
    try withStore(of: Account.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: (0..<10).map { Account(id: $0, email: start + "\($0)") })
      }
      #expect(throws: Undo.self) {
        try store.write { tx in
          let model = try tx.table(of: Account._schema.erased)
          let index = model.entryIndexes[0]
          try tx.base.empty(index.entries)
          try tx.insert(Account(id: 10, email: start + "3"))
          try tx.base.empty(index.entries)
          #expect(
            throws: StoreError.uniqueViolation(
              model: "Account", fields: ["email"], key: "10", existing: "3")
          ) { try model.build(index, in: &tx.base) }
          throw Undo()
        }
      }
    }
  }
}
