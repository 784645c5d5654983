import Foundation
import LMDB
import Testing

@testable import Croft

/// Observers of one file in several processes; an exit test is a process of its own.
@Suite(.keepsFailedStores) struct OtherProcessTests {
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
