import Dispatch
import Foundation
import Testing

@testable import Croft

/// Commits that the hub processes together: an observer that skips one must still get the others.
@Suite(.keepsFailedStores) struct LiveHubOverlapTests {
  /// Runs two asynchronous writes in one commit; some observers skip the second.
  private func commitTogether(
    _ store: Store, skipping token: ObservationToken,
    _ first: @escaping @Sendable (inout Croft.WriteTransaction) throws -> Void,
    _ own: @escaping @Sendable (inout Croft.WriteTransaction) throws -> Void
  ) async throws {
    let gate = Gate()
    // They wait for this one, in their order, and so share a commit.
    async let before: Void = store.write { _ in gate.pass() }
    await gate.reached()
    async let one: Void = store.write { try first(&$0) }
    await waitForWrites(1, in: store)
    async let two: Void = store.write(skipping: [token]) { try own(&$0) }
    await waitForWrites(2, in: store)
    gate.open()
    _ = try await (before, one, two)
  }

  /// Waits on a thread of its own until a number of writes wait.
  private func waitForWrites(_ count: Int, in store: Store) async {
    await OwnThreads.run { while store.asyncWrites.waitingCount < count { sched_yield() } }
  }

  @Test func aCommitBehindASkippedOneIsToldThoughOneRunReadsBoth() throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { try $0.insert(contentsOf: [Person(id: 1), Person(id: 2, boss: Ref(1))]) }
      let (viewer, token) = store.show(Person.where { $0.boss.id == 1 })
      store.live.drain()
      store.live.queue.suspend()
      try store.write(skipping: [token]) { try $0.insert(Person(id: 3, boss: Ref(1))) }
      try store.write { try $0.insert(Person(id: 4, boss: Ref(1))) }
      store.live.queue.resume()
      store.live.drain()
      #expect(viewer.list.map(\.id) == [2, 3, 4])
      token.cancel()
    }
  }

  @Test func aPartBehindOneThatNeedsARunIsNotAppliedToHalfAResult() async throws {
    try await withStore(of: Song.self) { store in
      try await store.write { tx in
        try tx.insert(contentsOf: (0..<100).map { Song(id: $0, title: "\($0)", plays: $0) })
      }
      let (viewer, token) = store.show(Song.all.order(by: \.plays).limit(2))
      store.live.drain()
      try await commitTogether(store, skipping: token) { tx in
        // All kept rows are deleted, also those after the window.
        try tx.delete(Song.where { $0.id < 66 })
      } _: { tx in
        // As many rows are inserted as the window shows.
        try tx.insert(contentsOf: [3, 4].map { Song(id: 200 + $0, title: "own", plays: $0) })
      }
      store.live.drain()
      #expect(viewer.list.map(\.id) == [203, 204])
      token.cancel()
    }
  }

  @Test func anUnknownChangeIsNotTakenForASkippedOneOfItsCommit() async throws {
    try await withStore(of: Person.self, Club.self, Song.self) { store in
      try await store.write { tx in
        try tx.insert(contentsOf: [Person(id: 1), Person(id: 2, boss: Ref(1))])
      }
      let (viewer, token) = store.show(Person.where { $0.boss.id == 1 })
      store.live.drain()
      #expect(viewer.list.map(\.id) == [2])
      try await commitTogether(store, skipping: token) { tx in
        // No row is captured: the observed query follows references, which needs only keys.
        try tx.deleteAll(Person.self)
      } _: { tx in
        try tx.insert(Song(id: 1, title: "own"))
      }
      store.live.drain()
      #expect(viewer.list == [])
      token.cancel()
    }
  }
}
