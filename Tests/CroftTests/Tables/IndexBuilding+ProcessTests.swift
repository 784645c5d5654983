import Foundation
import Testing

@testable import Croft

/// An index that one process builds while others write, or die.
@Suite(.keepsFailedStores) struct IndexBuildingProcessTests {
  /// Passes a store of 300 marks in a folder of its own, open as the older program.
  private func withMarks(_ body: (Store, URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let url = folder.appending(path: "store.croft")
    let store = try Store.open(at: url, models: Unindexed.Mark.self, options: .forTests)
    try await store.write { tx in
      try tx.insert(
        contentsOf: (0..<300).map { Unindexed.Mark(id: $0, rank: $0 % 50, name: "") })
    }
    try await body(store, url)
    try FileManager.default.removeItem(at: folder)
  }

  /// Each child dies inside another step, when its changes are made and not committed.
  @Test(arguments: [0, 1, 3, 5]) func aProcessKilledInMidBuildLosesOneStep(steps: Int) async throws
  {
    try await withMarks { old, url async throws in
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [url = url as URL, steps = steps as Int] in
        let build = try StepwiseBuild(at: url, ByRank.Mark.self)
        for _ in 0..<steps { try build.step() }
        try build.step { kill(getpid(), SIGKILL) }
      }
      let left = try await old.verify()
      #expect(left.problems == [])
      #expect(steps < 2 ? left.indexEntries == 0 : left.indexEntries > 0)
      #expect(left.indexEntries < 300)
      try await old.write { tx in
        try tx.update(Unindexed.Mark.where { $0.rank == 7 }) { $0.rank = 70 }
        try tx.delete(Unindexed.Mark.where { $0.rank == 8 })
        try tx.insert(Unindexed.Mark(id: 5_000, rank: 70, name: ""))
      }
      #expect(try await old.verify().problems == [])
      await #expect(processExitsWith: .success) { [url = url as URL] in
        let new = try StepwiseBuild.open(at: url, ByRank.Mark.self)
        let verification = try await new.verify()
        try #require(verification.isSound && verification.indexEntries == 295)
        let query = ByRank.Mark.where { $0.rank == 70 }
        let found = try await new.explain(query)
        try #require(found.access == .indexEquality)
        try #require(try await new.count(query) == 7)
      }
      #expect(try await old.count(Unindexed.Mark.where { $0.rank == 70 }) == 7)
      #expect(try await old.verify().isSound)
    }
  }

  /// Both processes take the writer's place by turns, in whatever order the system gives it.
  @Test func anotherProcessWritesWhileThisOneBuilds() async throws {
    try await withMarks { old, url async throws in
      await withTaskGroup(of: Void.self) { group in
        for writer in 1...2 {
          group.addTask {
            await #expect(processExitsWith: .success) {
              [url = url as URL, writer = writer as Int] in
              let store = try Store.open(at: url, models: Unindexed.Mark.self, options: .forTests)
              for round in 0..<60 {
                try await store.write { tx in
                  let id = round * 4 + writer
                  try tx.upsert(Unindexed.Mark(id: id, rank: 60 + writer, name: "from there"))
                  try tx.insert(Unindexed.Mark(id: -1_000 * writer - round, rank: 99, name: ""))
                }
              }
            }
          }
        }
        group.addTask {
          do {
            let new = try StepwiseBuild.open(at: url, ByRank.Mark.self)
            #expect(try await new.verify().problems == [])
          } catch {
            Issue.record(error)
          }
        }
      }
      #expect(try await old.count(Unindexed.Mark.all) == 420)
      #expect(try await old.count(Unindexed.Mark.where { $0.rank == 61 }) == 60)
      #expect(try await old.count(Unindexed.Mark.where { $0.rank == 99 }) == 120)
      #expect(try old.statistics.models[0].indexes.map(\.isBuilding) == [false])
      #expect(try await old.verify().indexEntries == 420)
    }
  }

  @Test func twoProcessesBuildOneIndexTogether() async throws {
    try await withMarks { old, url async throws in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask {
            await #expect(processExitsWith: .success) { [url = url as URL] in
              let store = try StepwiseBuild.open(at: url, ByRank.Mark.self)
              try #require(try await store.count(ByRank.Mark.where { $0.rank == 7 }) == 6)
            }
          }
        }
      }
      #expect(try await old.verify().indexEntries == 300)
    }
  }
}
