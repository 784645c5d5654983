import Foundation
import LMDB
import Testing

@testable import Croft

/// Observers of one file in several processes; an exit test is a process of its own.
@Suite(.keepsFailedStores) struct OtherProcessTests {
  /// Writes at random among songs that all processes share, and observes all the while.
  ///
  /// Each process ends with a mark of its own; who sees all marks sees what all have done.
  private static func writeAndObserve(
    _ store: Store, process: Int, of count: Int
  ) async throws -> Bool {
    let query = Song.where { $0.plays >= 50 }.order(by: \.plays)
    let follower = Follower(query, in: store)
    var random = SeededGenerator(seed: UInt64(process))
    for round in 0..<40 {
      let (id, plays) = (random.below(60), random.below(100))
      let own = 1_000 * process + round
      try await store.write { tx in
        _ = try tx.upsert(Song(id: id, title: "\(process)", plays: plays))
        try tx.insert(Song(id: own, title: "own", plays: 50 + plays))
      }
    }
    try await store.write { try $0.insert(Song(id: -process, title: "mark", plays: 1_000)) }
    let marks = Set((1...count).map { -$0 })
    guard await follower.shows({ marks.isSubset(of: $0.map(\.id)) }) else { return false }
    let expected = try await store.fetch(query)
    follower.cancel()
    return follower.viewer.list == expected && expected.count > count
  }

  @Test(arguments: [2, 4]) func processesThatWriteAndObserveConverge(count: Int) async throws {
    try await withStore(of: Song.self) { store in
      let url = store.url
      await withTaskGroup(of: Void.self) { group in
        for process in 2...count {
          group.addTask {
            await #expect(processExitsWith: .success) {
              [url = url as URL, process = process as Int, count = count as Int] in
              let store = try Store.open(at: url, models: Song.self, options: .forTests)
              try #require(
                try await Self.writeAndObserve(store, process: process, of: count))
            }
          }
        }
        group.addTask {
          do {
            #expect(try await Self.writeAndObserve(store, process: 1, of: count))
          } catch {
            Issue.record(error)
          }
        }
      }
      let own = try await store.count(Song.where { $0.title == "own" })
      #expect(own == 40 * count)
    }
  }

  @Test func aWriterThatIsKilledInMidTransactionIsNeverHeardOf() async throws {
    try await withStore(of: Song.self) { store in
      let follower = Follower(Song.all, in: store)
      #expect(await follower.shows { $0.isEmpty })
      await #expect(processExitsWith: .signal(SIGKILL)) { [url = store.url as URL] in
        let store = try Store.open(at: url, models: Song.self, options: .forTests)
        try await store.write { try $0.insert(Song(id: 1, title: "committed")) }
        try await store.write { tx in
          for id in 2..<2_000 {
            try tx.insert(Song(id: id, title: String(repeating: "x", count: 300)))
          }
          _ = try tx.delete(Song.self, 1)
          kill(getpid(), SIGKILL)
        }
      }
      #expect(await follower.shows { $0.map(\.id) == [1] })
      // Whatever the dead one left behind would come before this.
      try await store.write { try $0.insert(Song(id: 3_000, title: "after")) }
      #expect(await follower.shows { $0.map(\.id) == [1, 3_000] })
      #expect(follower.viewer.changes.map(\.sequence) == [0, 1, 2])
      follower.cancel()
    }
  }

  @Test func aProcessThatDoesNotLogIsNoticedAllTheSame() async throws {
    try await withStore(of: Song.self) { store in
      let follower = Follower(Song.all, in: store)
      #expect(await follower.shows { $0.isEmpty })
      await #expect(processExitsWith: .success) { [url = store.url as URL] in
        let options = Store.Options.forTests { $0.logsCommits = false }
        let store = try Store.open(at: url, models: Song.self, options: options)
        for id in 1...3 { try await store.write { try $0.insert(Song(id: id, title: "a")) } }
      }
      #expect(await follower.shows { $0.map(\.id) == [1, 2, 3] })
      follower.cancel()
    }
  }
}
