import Testing

@testable import Croft

/// Many small commits: what the hub keeps does not grow, and no old version is pinned.
@Suite(.keepsFailedStores) struct LiveHubSoakTests {
  @Test func manySmallCommitsLeaveMemoryFlat() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<100)) }
      let query = Song.where { $0.plays > 4 }.order(by: \.title).limit(20)
      let (viewer, token) = store.show(query)
      let calls = Recorder<UInt64>()
      let object = store.observe(Song.self, 7) { calls.add($0.sequence) }
      let never = store.changes(of: Song.all).makeAsyncIterator()
      var sizes: Set<LiveHub.Size> = []
      let steps = Torture.steps(short: 20_000, long: 1_000_000)
      for step in 0..<steps {
        _ = try store.write { try $0.update(Song.self, step % 100) { $0.plays = step % 11 } }
        guard step % 1_000 == 999 else { continue }
        store.live.drain()
        var size = store.live.size
        // The rows of all songs, and of the songs with many plays.
        #expect(size.rows <= 200)
        size.rows = 0
        sizes.insert(size)
        #expect(try store.statistics.oldestReader?.commitsBehind ?? 0 == 0)
      }
      // A thousand commits leave as much behind as a million.
      #expect(sizes == [LiveHub.Size(observers: 3, queries: 2, objects: 1)])
      #expect(viewer.list == (try store.fetch(query)))
      token.cancel()
      object.cancel()
      withExtendedLifetime(never) {}
    }
  }

  @Test func observersThatComeAndGoLeaveNothingBehind() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<20)) }
      for step in 0..<Torture.steps(short: 300, long: 30_000) {
        let (viewer, token) = store.show(Song.where { $0.plays == step % 10 })
        let object = store.observe(Song.self, step % 20) { _ in }
        if step % 3 == 0 { _ = try store.write { try $0.delete(Song.self, step % 20) } }
        if step % 2 == 0 { store.live.drain() }
        token.cancel()
        object.cancel()
        withExtendedLifetime(viewer) {}
      }
      store.live.drain()
      #expect(store.live.inspect { $0.isEmpty })
      #expect(store.live.size == LiveHub.Size())
    }
  }
}
