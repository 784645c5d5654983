import Foundation
import LMDB
import Testing
import TestSupport

@testable import Croft

/// An index over many objects is built step by step, each in a transaction of its own.
@Suite(.keepsFailedStores) struct IndexBuildingTests {
  private func marks(_ ids: Range<Int>) -> [Unindexed.Mark] {
    ids.map { Unindexed.Mark(id: $0, rank: $0 * 7 % 100, name: "mark \($0)") }
  }

  /// Passes a store of 240 marks, open as the older program that declares no index.
  private func withMarks(_ body: (Store, URL) throws -> Void) throws {
    try withTemporaryStore(of: ByRank.Mark.self) { temporary in
      let old = try Store.open(
        at: temporary.url, models: Unindexed.Mark.self, options: .forTests)
      try old.write { try $0.insert(contentsOf: marks(0..<240)) }
      try body(old, temporary.url)
    }
  }

  @Test func aStepIsATransactionAndTheStoreIsSoundAfterEach() throws {
    try withMarks { old, url in
      let build = try StepwiseBuild(at: url, ByRank.Mark.self)
      var steps = 0
      var entries = 0
      while try build.step() != nil {
        let found = try old.verify()
        #expect(found.problems == [])
        #expect(found.rows == 240)
        #expect(steps == 0 ? found.indexEntries == 0 : found.indexEntries > entries)
        #expect(try old.statistics.models[0].indexes.map(\.isBuilding) == [true])
        entries = found.indexEntries
        steps += 1
      }
      #expect(steps >= 5)
      #expect(try old.verify().indexEntries == 240)
      #expect(try old.statistics.models[0].indexes.map(\.isBuilding) == [false])
    }
  }

  @Test func thePlannerIgnoresAnIndexThatIsBeingBuilt() throws {
    try withMarks { old, url in
      let build = try StepwiseBuild(at: url, ByRank.Mark.self)
      let query = Unindexed.Mark.where { $0.rank == 7 }
      let ids = try old.fetch(query).map(\.id)
      let ordered = Unindexed.Mark.all.order(by: \.rank).limit(3)
      while try build.step() != nil {
        #expect(try old.explain(query).access == .scan)
        #expect(try old.explain(ordered).access == .scan)
        #expect(try old.fetch(query).map(\.id) == ids)
        #expect(try old.count(query) == ids.count)
        #expect(try old.write { tx in try tx.fetch(query).map(\.id) } == ids)
      }
      #expect(try old.explain(query).access == .indexEquality)
      #expect(try old.fetch(query).map(\.id) == ids)
    }
  }

  @Test func anInterruptedBuildGoesOnWhereItStopped() throws {
    try withMarks { old, url in
      var last: [UInt8] = []
      for _ in 0..<4 {
        // Each is a program that is interrupted after its step.
        let build = try StepwiseBuild(at: url, ByRank.Mark.self)
        let reached = try #require(try build.step()?.status.lastBuilt)
        #expect(last.lexicographicallyPrecedes(reached) || last.isEmpty)
        last = reached
      }
      let entries = try old.verify().indexEntries
      #expect(entries > 0 && entries < 240)
      let new = try StepwiseBuild.open(at: url, ByRank.Mark.self)
      #expect(try new.verify().indexEntries == 240)
      #expect(try new.explain(ByRank.Mark.where { $0.rank == 7 }).access == .indexEquality)
    }
  }

  @Test func aProgramThatDoesNotDeclareTheIndexBuildsItOnToo() throws {
    try withMarks { old, url in
      let build = try StepwiseBuild(at: url, ByRank.Mark.self)
      for _ in 0..<3 { try build.step() }
      let again = try StepwiseBuild.open(at: url, Unindexed.Mark.self)
      #expect(try again.verify().indexEntries == 240)
      #expect(try old.explain(Unindexed.Mark.where { $0.rank == 7 }).access == .indexEquality)
    }
  }

  @Test func readersOfAStoreWhoseBuildWasInterruptedNeedNoIndex() throws {
    try withMarks { old, url in
      let ids = try old.fetch(Unindexed.Mark.where { $0.rank == 7 }).map(\.id)
      let build = try StepwiseBuild(at: url, ByRank.Mark.self)
      for _ in 0..<3 { try build.step() }
      let snapshot = try old.snapshot()
      while try build.step() != nil {}
      #expect(try snapshot.fetch(Unindexed.Mark.where { $0.rank == 7 }).map(\.id) == ids)
      #expect(try old.explain(Unindexed.Mark.where { $0.rank == 7 }).access == .indexEquality)
    }
  }

  /// Writers update the built part, and leave the rows after it to the build.
  @Test func whateverIsWrittenMeanwhileTheIndexIsWhatTheRowsAskFor() throws {
    var random = SeededGenerator.forTest("IndexBuildingTests")
    for _ in 0..<4 {
      try withMarks { old, url in
        let build = try StepwiseBuild(at: url, ByRank.Mark.self)
        repeat {
          for _ in 0..<1 + random.below(3) { try change(old, &random) }
          #expect(try old.verify().problems == [], "seed \(random.seed)")
        } while try build.step() != nil
        let marks = try old.fetch(Unindexed.Mark.all)
        #expect(try old.verify().indexEntries == marks.count)
        for rank in stride(from: 0, to: 100, by: 3) {
          let query = Unindexed.Mark.where { $0.rank == rank }
          #expect(try old.fetch(query) == marks.filter { $0.rank == rank }, "seed \(random.seed)")
        }
      }
    }
  }

  /// One transaction of an older program, over the whole range of keys.
  private func change(_ store: Store, _ random: inout SeededGenerator) throws {
    try store.write { tx in
      for _ in 0..<1 + random.below(20) {
        let id = random.below(300) - 30
        let rank = random.below(100)
        switch random.below(8) {
        case 0: try tx.delete(Unindexed.Mark.self, id)
        case 1: try tx.update(Unindexed.Mark.self, id) { $0.rank = rank }
        case 2: try tx.update(Unindexed.Mark.where { $0.rank == rank }, set: \.rank, to: rank / 2)
        case 3: try tx.delete(Unindexed.Mark.where { $0.rank == rank && $0.id > id })
        case 4:
          try? tx.savepoint { tx in
            try tx.update(Unindexed.Mark.where { $0.id.in(id..<id + 50) }) { $0.rank += 1 }
            throw Refused()
          }
        default: try tx.upsert(Unindexed.Mark(id: id, rank: rank, name: "new"))
        }
      }
    }
  }

  @Test func deletingAllMeanwhileLeavesNothingBehind() throws {
    try withMarks { old, url in
      let build = try StepwiseBuild(at: url, ByRank.Mark.self)
      for _ in 0..<3 { try build.step() }
      try old.write { _ = try $0.deleteAll(Unindexed.Mark.self) }
      try old.write { try $0.insert(contentsOf: marks(0..<10)) }
      #expect(try old.verify().problems == [])
      while try build.step() != nil {}
      #expect(try old.verify().indexEntries == 10)
    }
  }

  @Test func aSmallModelsIndexIsBuiltInTheTransactionThatAddsIt() throws {
    try withMarks { old, url in
      let new = try Store.open(at: url, models: ByRank.Mark.self, options: .forTests)
      #expect(try old.statistics.models[0].rows.entries == 240)
      #expect(try new.statistics.models[0].indexes.map(\.isBuilding) == [false])
      #expect(try new.verify().indexEntries == 240)
    }
  }

  @Test func anIndexThatARuleNeedsIsNeverLeftUnfinished() throws {
    try withTemporaryStore(of: Bound.Pet.self, Bound.Keeper.self) { temporary in
      let url = temporary.url
      let loose = try Store.open(
        at: url, models: Bound.Keeper.self, Free.Pet.self, options: .forTests)
      try loose.write { tx in
        for id in 0..<3 { try tx.insert(Bound.Keeper(id: id)) }
        try tx.insert(contentsOf: (0..<90).map { Free.Pet(id: $0, keeper: $0 % 2) })
      }
      // The index is declared first, and its build interrupted; then a rule comes to need it.
      let first = try StepwiseBuild(at: url, Bound.Keeper.self, Noted.Pet.self)
      #expect(try first.step() != nil)
      #expect(try first.step() != nil)
      let second = try StepwiseBuild(at: url, Bound.Keeper.self, Bound.Pet.self)
      #expect(try second.step() == nil)
      let store = try temporary.open()
      #expect(try store.verify().indexEntries == 90)
      #expect(
        throws: StoreError.deniedByRelation(
          model: "Pet", field: "keeper", key: "1", target: "Keeper 1", count: 45)
      ) { try store.write { try $0.delete(Bound.Keeper.self, 1) } }
      _ = try store.write { try $0.delete(Bound.Keeper.self, 2) }
    }
  }
}

#if DEBUG
  /// Each call of the storage engine fails once while an index is built, the first, and so on.
  @Suite(.keepsFailedStores) struct IndexBuildingFaultTests {
    @Test func aBuildThatFailsAnywhereGoesOnAtTheNextOpening() throws {
      var call = 1
      var isClean = false
      var resumed = 0
      while !isClean {
        try withTemporaryStore(of: ByRank.Mark.self) { temporary in
          let old = try Store.open(
            at: temporary.url, models: Unindexed.Mark.self, options: .forTests)
          let marks = (0..<90).map { Unindexed.Mark(id: $0, rank: $0 % 9, name: "") }
          try old.write { try $0.insert(contentsOf: marks) }
          let plan = FaultPlan(failingCall: call, with: .outOfSpace)
          do {
            try FaultPlan.$current.withValue(plan) {
              _ = try StepwiseBuild.open(at: temporary.url, ByRank.Mark.self)
            }
          } catch {
            #expect(error is StoreError, "call \(call): \(error)")
            #expect(plan.hasFailedCall, "call \(call): \(error)")
          }
          isClean = !plan.hasFailedCall
          let left = try old.verify()
          #expect(left.problems == [], "call \(call)")
          if left.indexEntries > 0, left.indexEntries < 90 { resumed += 1 }
          _ = try old.write { try $0.update(Unindexed.Mark.self, 3) { $0.rank = 50 } }
          let new = try StepwiseBuild.open(at: temporary.url, ByRank.Mark.self)
          #expect(try new.verify().indexEntries == 90, "call \(call)")
          #expect(try new.fetch(ByRank.Mark.where { $0.rank == 50 }).map(\.id) == [3])
        }
        call += 1
        guard call < 2_000 else { preconditionFailure("The build never ends.") }
      }
      #expect(resumed > 10)
    }
  }
#endif

// A reference that was a number at first, then one with an index.

enum Free {
  @Model struct Pet {
    @PrimaryKey var id: Int
    var keeper: Int
  }
}
enum Noted {
  @Model struct Pet {
    @PrimaryKey var id: Int
    @Indexed var keeper: Int
  }
}
enum Bound {
  @Model struct Pet {
    @PrimaryKey var id: Int
    @Relation(onDelete: .deny) var keeper: Ref<Keeper>
  }
  @Model struct Keeper {
    @PrimaryKey var id: Int
  }
}
