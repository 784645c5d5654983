import Dispatch
import Testing

@testable import Croft

/// Writes that an observer skips, among writes of others.
@Suite(.keepsFailedStores) struct SkippingTests {
  private func songs(_ store: Store) throws {
    try store.write { try $0.insert(contentsOf: Song.numbered(0..<6)) }
  }

  /// What a body throws.
  private func error(of body: @Sendable () async throws -> Void) async -> (any Error)? {
    do { try await body() } catch { return error }
    return nil
  }

  @Test func aSkippedWriteIsNotToldAndTheNextChangeStartsBehindIt() throws {
    try withStore(of: Song.self) { store in
      try songs(store)
      let (viewer, token) = store.show(Song.all)
      let (other, otherToken) = store.show(Song.all)
      store.live.drain()
      _ = try store.write(skipping: [token]) { try $0.delete(Song.self, 2) }
      viewer.edit { $0.remove(at: 2) }
      store.live.drain()
      #expect(viewer.changes.count == 1 && other.changes.count == 2)
      _ = try store.write { try $0.delete(Song.self, 4) }
      store.live.drain()
      // The viewer checked that the change starts from its own list.
      #expect(viewer.list.map(\.id) == [0, 1, 3, 5])
      #expect(viewer.changes.last?.deletions == [3])
      #expect(other.list == viewer.list)
      token.cancel()
      otherToken.cancel()
    }
  }

  @Test func aForeignWriteInBetweenIsToldAgainstWhatTheViewerShows() throws {
    try withStore(of: Song.self) { store in
      try songs(store)
      let screen = DispatchQueue(label: "screen")
      let (viewer, token) = store.show(Song.all, on: screen)
      store.live.drain()
      screen.sync {}
      // The viewer's queue is busy with its own edit, while another one writes before and after.
      try screen.sync {
        try store.write { tx in
          try tx.delete(Song.self, 0)
          try tx.insert(Song(id: 9, title: "foreign"))
        }
        try store.write(skipping: [token]) { tx in
          try tx.delete(Song.self, 3)
          try tx.update(Song.self, 4) { $0.title = "own" }
        }
        viewer.edit { list in
          list.removeAll { $0.id == 3 }
          list[list.count - 2].title = "own"
        }
        _ = try store.write { try $0.update(Song.self, 5) { $0.title = "foreign" } }
      }
      store.live.drain()
      screen.sync {}
      #expect(viewer.list == (try store.fetch(Song.all)))
      let told = viewer.changes.dropFirst().flatMap(\.deletions)
      #expect(told == [0])
      token.cancel()
    }
  }

  @Test func nothingIsToldUntilTheSkippedWriteIsSeenTo() throws {
    try withStore(of: Song.self) { store in
      try songs(store)
      let screen = DispatchQueue(label: "screen")
      let (viewer, token) = store.show(Song.all, on: screen)
      for round in 0..<200 {
        _ = try store.write { try $0.upsert(Song(id: 100 + round % 7, title: "foreign \(round)")) }
        try screen.sync {
          guard let first = viewer.list.first(where: { $0.id < 100 }) else { return }
          let title = "own \(round)"
          _ = try store.write(skipping: [token]) {
            try $0.update(Song.self, first.id) { $0.title = title }
          }
          viewer.edit { list in
            for place in list.indices where list[place].id == first.id { list[place].title = title }
          }
        }
      }
      store.live.drain()
      screen.sync {}
      #expect(viewer.list == (try store.fetch(Song.all)))
      let told = viewer.changes.dropFirst().flatMap { change in
        change.modificationsAfter.map { change.after[$0].id }
      }
      #expect(told.allSatisfy { $0 >= 100 })
      token.cancel()
    }
  }

  @Test func aSkippedWriteOfAnObjectIsSilentUnlessAnotherWaits() throws {
    try withStore(of: Song.self) { store in
      try songs(store)
      let changes = Recorder<ObjectChange<Song>>()
      let screen = DispatchQueue(label: "screen")
      let token = store.observe(Song.self, 3, on: screen) { changes.add($0) }
      store.live.drain()
      screen.sync {}
      try store.write(skipping: [token]) { tx in
        _ = try tx.update(Song.self, 3) { $0.title = "own" }
      }
      store.live.drain()
      screen.sync {}
      #expect(changes.all.map(\.kind) == [.initial])
      try screen.sync {
        _ = try store.write { try $0.update(Song.self, 3) { $0.plays = 77 } }
        try store.write(skipping: [token]) { tx in
          _ = try tx.update(Song.self, 3) { $0.title = "own again" }
        }
      }
      store.live.drain()
      screen.sync {}
      #expect(changes.all.last?.values(of: \.plays)?.new == 77)
      #expect(changes.all.last?.new?.title == "own again")
      token.cancel()
    }
  }

  @Test func anAsynchronousSkippedWriteThatEmptiesAModelOfKeysIsNotTold() async throws {
    try await withStore(of: Person.self, Club.self) { store in
      try await store.write { tx in
        try tx.insert(contentsOf: [Person(id: 1), Person(id: 2, boss: Ref(1))])
      }
      // A query that follows references needs only keys.
      let (viewer, token) = store.show(Person.where { $0.boss.id == 1 })
      let (other, otherToken) = store.show(Person.where { $0.boss.id == 1 })
      store.live.drain()
      _ = try await store.write(skipping: [token]) { try $0.deleteAll(Person.self) }
      viewer.edit { $0 = [] }
      store.live.drain()
      #expect(viewer.changes.count == 1 && other.list == [])
      try await store.write { tx in
        try tx.insert(contentsOf: [Person(id: 1), Person(id: 3, boss: Ref(1))])
      }
      store.live.drain()
      #expect(viewer.list.map(\.id) == [3] && other.list == viewer.list)
      token.cancel()
      otherToken.cancel()
    }
  }

  @Test func asynchronousWritesOfOneGroupAreSkippedApart() async throws {
    try await withStore(of: Song.self) { store in
      try songs(store)
      let (viewer, token) = store.show(Song.all)
      let (other, otherToken) = store.show(Song.all)
      store.live.drain()
      let gate = Gate()
      viewer.edit { $0.remove(at: 1) }
      // They wait for the first one, in this order, and so share a commit.
      async let first: Void = store.write { _ in gate.pass() }
      await gate.reached()
      async let foreign = store.write { try $0.delete(Song.self, 4) }
      while store.asyncWrites.waitingCount < 1 { await Task.yield() }
      async let own = store.write(skipping: [token]) { try $0.delete(Song.self, 1) }
      while store.asyncWrites.waitingCount < 2 { await Task.yield() }
      async let failed = error(of: {
        try await store.write(skipping: [token]) { tx in
          try tx.delete(Song.self, 5)
          throw Refused()
        }
      })
      while store.asyncWrites.waitingCount < 3 { await Task.yield() }
      async let last = store.write { try $0.delete(Song.self, 0) }
      while store.asyncWrites.waitingCount < 4 { await Task.yield() }
      gate.open()
      _ = try await (first, foreign, own, last)
      #expect(await failed is Refused)
      store.live.drain()
      #expect(other.list.map(\.id) == [2, 3, 5])
      #expect(viewer.list == other.list)
      #expect(viewer.changes.last?.before.map(\.id) == [0, 2, 3, 4, 5])
      #expect(viewer.changes.last?.deletions == [0, 3])
      token.cancel()
      otherToken.cancel()
    }
  }
}
