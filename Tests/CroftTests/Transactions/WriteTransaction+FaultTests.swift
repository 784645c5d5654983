import TestSupport

#if DEBUG
  import LMDB
  import Testing

  @testable import Croft

  /// Each call of the engine fails once, inside statements and savepoints that are caught.
  ///
  /// What a statement about many objects or a savepoint did before it failed must be gone, and
  /// what came before and after it must be there.
  @Suite(.keepsFailedStores) struct WriteTransactionFaultTests {
    private typealias Twin = [Int: Song]
    private typealias Part = (inout Croft.WriteTransaction, inout Twin) throws -> Void

    /// Parts that are each done whole or not at all.
    private let parts: [Part] = [
      { tx, twin in
        let songs = (100..<130).map { Song(id: $0, title: "bulk", plays: $0 % 10) }
        try tx.insert(contentsOf: songs)
        for song in songs { twin[song.id] = song }
      },
      { tx, twin in
        try tx.update(Song.where { $0.plays == 3 }) { $0.plays = 4 }
        for (id, song) in twin where song.plays == 3 { twin[id]?.plays = 4 }
      },
      { tx, twin in
        try tx.savepoint { tx in
          try tx.insert(Song(id: 200, title: String(repeating: "long", count: 3_000), plays: 5))
          try tx.savepoint { _ = try $0.delete(Song.self, 7) }
          try tx.upsert(Song(id: 8, title: "new", plays: 5))
          _ = try tx.count(Song.where { $0.plays == 5 })
        }
        twin[200] = Song(id: 200, title: String(repeating: "long", count: 3_000), plays: 5)
        twin[7] = nil
        twin[8] = Song(id: 8, title: "new", plays: 5)
      },
      { tx, twin in
        try tx.delete(Song.where { $0.plays == 4 })
        twin = twin.filter { $0.value.plays != 4 }
      },
    ]

    /// The fault loop goes through more errors, and through statements outside savepoints.
    private static let codes: [LMDBError.Code] =
      [.outOfSpace, .mapFull] + (Torture.isAskedFor ? [.outOfMemory, .transactionFull] : [])

    @Test(arguments: codes)
    func aFailedPartIsUndoneAloneAndTheRestIsCommitted(_ code: LMDBError.Code) throws {
      let start = Dictionary(uniqueKeysWithValues: Song.numbered(0..<40).map { ($0.id, $0) })
      var (failedParts, lost) = (0, 0)
      for call in 1... {
        let plan = FaultPlan(failingCall: call, with: code)
        try withTemporaryStore(of: Song.self) { temporary in
          try temporary.open().write { try $0.insert(contentsOf: Song.numbered(0..<40)) }
          let store = try temporary.open()
          var twin = start
          do {
            try FaultPlan.$current.withValue(plan) {
              try store.write { tx in
                for part in parts {
                  var copy = twin
                  do {
                    try part(&tx, &copy)
                    twin = copy
                  } catch is StoreError {
                    failedParts += 1
                  }
                }
              }
            }
          } catch is StoreError {
            lost += 1
            twin = start
          }
          let found = try temporary.open().fetch(Song.all)
          #expect(found == twin.values.sorted { $0.id < $1.id }, "call \(call), \(code)")
        }
        guard plan.hasFailedCall else { break }
        guard call < 5_000 else { preconditionFailure("The workload never ends.") }
      }
      // Calls in the parts fail one of them; calls of the begin and the commit lose all.
      #expect(failedParts > 100)
      #expect(lost > 3)
    }
  }
#endif
