import Croft
import LMDB
import Testing
import TestSupport

#if DEBUG
  /// Each call of the storage engine fails once, the first, the second, and so on.
  @Suite(.keepsFailedStores) struct StoreFaultTests {
    /// Opens a store, fills it and changes it; each transaction says when it is committed.
    private func workload(_ temporary: TemporaryStore, _ isCommitted: () -> Void) throws {
      let store = try temporary.open()
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<40)) }
      isCommitted()
      try store.write { tx in
        try tx.update(Song.where { $0.plays > 5 }) { $0.plays += 3 }
        try tx.upsert(Song(id: 5, title: "new", plays: 77))
        try tx.insert(Song(id: 100, title: String(repeating: "long", count: 3_000), plays: 77))
        try tx.delete(Song.where { $0.genre == .rock })
        try tx.delete(Song.self, 0)
      }
      isCommitted()
      _ = try store.fetch(Song.where { $0.plays == 77 })
      try store.write { _ = try $0.deleteAll(Song.self) }
      isCommitted()
    }

    /// What the store holds after each number of committed transactions.
    private func stages() throws -> [[Song]] {
      var stages: [[Song]] = [[]]
      try withTemporaryStore(of: Song.self) { temporary in
        try workload(temporary) {
          do {
            stages.append(try temporary.open().fetch(Song.all))
          } catch {
            Issue.record(error)
          }
        }
      }
      return stages
    }

    /// The fault loop goes through more errors, each for one way to write.
    private static let codes: [LMDBError.Code] =
      [.outOfSpace, .mapFull] + (Torture.isAskedFor ? [.inputOutput, .outOfMemory] : [])

    @Test(arguments: codes)
    func aFailedCallIsAStoreErrorAndLeavesAllOrNothing(code: LMDBError.Code) throws {
      let stages = try stages()
      #expect(stages.map(\.count) == [0, 40, 27, 0])
      var call = 1
      var isClean = false
      while !isClean {
        try withTemporaryStore(of: Song.self) { temporary in
          let plan = FaultPlan(failingCall: call, with: code)
          var committed = 0
          do {
            try FaultPlan.$current.withValue(plan) {
              try workload(temporary) { committed += 1 }
            }
            #expect(committed == 3)
          } catch {
            #expect(error is StoreError, "call \(call): \(error)")
            #expect(plan.hasFailedCall, "call \(call): \(error)")
          }
          isClean = !plan.hasFailedCall
          let left = try temporary.open().fetch(Song.all)
          #expect(left == stages[committed], "call \(call), \(committed) transactions committed")
        }
        call += 1
        guard call < 5_000 else { preconditionFailure("The workload never ends.") }
      }
      // Fewer calls than this would mean that the plan does not reach the engine.
      #expect(call > 100)
    }
  }
#endif

@Suite(.keepsFailedStores) struct StoreGrowthTests {
  @Test func aFullMapIsRetryableAndTheRetrySucceeds() throws {
    let options = Store.Options.forTests { $0.mapSizeBytes = 1 << 20 }
    try withTemporaryStore(of: Song.self, options: options) { temporary in
      let store = try temporary.open()
      try store.write { try $0.insert(Song(id: -1, title: "before", plays: 3)) }
      let text = String(repeating: "x", count: 1_000)
      let songs = (0..<8_000).map { Song(id: $0, title: text, plays: $0 % 10) }
      var failures = 0
      while true {
        do {
          try store.write { try $0.insert(contentsOf: songs) }
          break
        } catch let error as StoreError {
          guard case .mapFull = error else { throw error }
          #expect(error.isRetryable)
          #expect(try store.fetch(Song.all).map(\.title) == ["before"])
          failures += 1
          guard failures < 20 else { throw error }
        }
      }
      #expect(failures > 0)
      #expect(try store.count(Song.where { $0.plays == 3 }) == 801)
    }
  }

  /// A statement that did not fit broke its transaction, even where the closure caught it.
  @Test func aTransactionThatFilledTheMapCanOnlyBeLeft() throws {
    let options = Store.Options.forTests { $0.mapSizeBytes = 1 << 20 }
    try withTemporaryStore(of: Song.self, options: options) { temporary in
      let store = try temporary.open()
      let long = String(repeating: "x", count: 3 << 20)
      var refusals = 0
      #expect(throws: StoreError.self) {
        try store.write { tx in
          try tx.insert(Song(id: 1, title: "a"))
          do {
            try tx.insert(Song(id: 2, title: long))
            Issue.record("three megabytes fitted into one")
          } catch StoreError.mapFull {}
          let insert = StoreError.thrown { try tx.insert(Song(id: 3, title: "c")) }
          let count = StoreError.thrown { _ = try tx.count(Song.all) }
          for case .transactionFailed? in [insert, count] { refusals += 1 }
        }
      }
      #expect(refusals == 2)
      #expect(try store.count(Song.all) == 0)
      try store.write { try $0.insert(Song(id: 4, title: "d")) }
      #expect(try store.fetch(Song.all).map(\.id) == [4])
    }
  }
}
