import Foundation
import LMDB
import Testing
import TestSupport

@testable import Croft

/// Observers of one file in several processes; an exit test is a process of its own.
@Suite(.keepsFailedStores) struct OtherProcessTests {
  /// Writes at random among songs that all processes share, and observes all the while.
  ///
  /// Each process ends with a mark of its own, and waits for those of the processes before it: so
  /// the first waits for nobody, and none waits for one that has yet to be started. Its viewer
  /// checks that each change starts where the last one ended.
  ///
  /// - Returns: Whether the result that is shown became the one that is stored.
  private static func writeAndObserve(
    _ store: Store, process: Int, marks: ClosedRange<Int>
  ) async throws -> Bool {
    let query = Song.where { $0.plays >= 50 }.order(by: \.plays)
    let follower = Follower(query, in: store)
    var random = SeededGenerator(seed: UInt64(process))
    for round in 0..<40 {
      let (id, plays) = (random.below(60), random.below(100))
      let own = Song(id: 1_000 * process + round, title: "own", plays: 50 + plays)
      try await store.write { tx in
        _ = try tx.upsert(Song(id: id, title: "\(process)", plays: plays))
        try tx.insert(own)
      }
    }
    try await store.write { try $0.insert(Song(id: -process, title: "mark", plays: 1_000)) }
    let wanted = Set(marks.map { -$0 })
    let isShown = await follower.shows { list in
      wanted.isSubset(of: list.map(\.id)) && (try? store.fetchNow(query)) == list
    }
    follower.cancel()
    return isShown
  }

  /// All but the first are processes of their own.
  ///
  /// Waiting for one of them keeps a thread of the
  /// pool, so the first ends before they are waited for.
  @Test(arguments: [2, 4]) func processesThatWriteAndObserveConverge(count: Int) async throws {
    try await withStore(of: Song.self) { store in
      let url = store.url
      let follower = Follower(Song.where { $0.plays >= 50 }.order(by: \.plays), in: store)
      #expect(try await Self.writeAndObserve(store, process: 1, marks: 1...1))
      await withTaskGroup(of: Void.self) { group in
        for process in 2...count {
          group.addTask {
            await #expect(processExitsWith: .success) {
              [url = url as URL, process = process as Int] in
              let store = try Store.open(at: url, models: Song.self, options: .forTests)
              try #require(
                try await Self.writeAndObserve(store, process: process, marks: 1...process))
            }
          }
        }
      }
      // The list is made of the changes that were delivered while the others wrote.
      let expected = try await store.fetch(Song.where { $0.plays >= 50 }.order(by: \.plays))
      #expect(await follower.shows { $0 == expected })
      #expect(follower.viewer.list.count { $0.title == "own" } == 40 * count)
      follower.cancel()
    }
  }

  @Test func aCommitIsLoggedWhileAnotherProcessHasTheFileOpen() async throws {
    try await withStore(of: Song.self) { store in
      await #expect(processExitsWith: .success) { [url = store.url as URL] in
        let store = try Store.open(at: url, models: Song.self, options: .forTests)
        try await store.write { try $0.insert(Song(id: 1, title: "shared")) }
      }
      #expect(try store.loggedCommits(after: 0)?.map(\.sequence) == [1])
      try await store.write { try $0.insert(Song(id: 2, title: "alone")) }
      #expect(try store.statistics.log?.entries == 1)
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
      // A change of the dead process would be delivered before this.
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
