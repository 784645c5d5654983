import Foundation
import Synchronization
import Testing
import TestSupport

@testable import Croft

/// Many small commits: the hub's memory does not grow, and no old snapshot stays open.
@Suite(.keepsFailedStores) struct LiveHubSoakTests {
  /// Observes and makes small commits.
  ///
  /// - Parameter look: Called after each thousand, with what the hub keeps.
  private static func soak(_ store: Store, _ look: (LiveHub.Size) throws -> Void) throws {
    try store.write { try $0.insert(contentsOf: Song.numbered(0..<100)) }
    let query = Song.where { $0.plays > 4 }.order(by: \.title).limit(20)
    let (viewer, token) = store.show(query, keepsChanges: false)
    let calls = Atomic(0)
    let object = store.observe(Song.object(7)) { _ in calls.add(1, ordering: .relaxed) }
    let never = store.changes(of: Song.all).makeAsyncIterator()
    for step in 0..<Torture.steps(short: 20_000, long: 1_000_000) {
      _ = try store.write { try $0.update(Song.self, step % 100) { $0.plays = step % 11 } }
      guard step % 1_000 == 999 else { continue }
      store.live.drain()
      try look(store.live.size)
    }
    #expect(viewer.list == (try store.fetch(query)))
    #expect(calls.load(ordering: .relaxed) > 1)
    token.cancel()
    object.cancel()
    withExtendedLifetime(never) {}
  }

  @Test func manySmallCommitsLeaveMemoryFlat() throws {
    try withStore(of: Song.self) { store in
      var sizes: Set<LiveHub.Size> = []
      try Self.soak(store) { size throws in
        var size = size
        // The rows of all songs, and of the songs with many plays.
        #expect(size.rows <= 200)
        size.rows = 0
        sizes.insert(size)
        #expect(try store.statistics.oldestReader?.commitsBehind ?? 0 == 0)
      }
      // After a thousand commits the counts are the same as after a million.
      #expect(sizes == [LiveHub.Size(observers: 3, queries: 2, objects: 1)])
    }
  }

  // The thread sanitizer keeps memory of its own, which does grow.
  #if os(Linux) && !THREAD_SANITIZER
    /// The anonymous memory of this process, in bytes.
    private static var memory: Int {
      get throws {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        let words = try #require(line).split(whereSeparator: \.isWhitespace)
        return try #require(Int(words[1])) * 1024
      }
    }

    @Test func aProcessOfManySmallCommitsDoesNotGrow() async {
      await #expect(processExitsWith: .success) {
        try withStore(of: Song.self) { store in
          var figures: [Int] = []
          try Self.soak(store) { _ throws in figures.append(try Self.memory) }
          // The first quarter fills what is kept for later use.
          let growth = figures[figures.count - 1] - figures[figures.count / 4]
          #expect(growth < 2 << 20, "\(figures.count) thousand commits: \(figures)")
        }
      }
    }
  #endif

  @Test func observersThatComeAndGoLeaveNothingBehind() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<20)) }
      for step in 0..<Torture.steps(short: 300, long: 30_000) {
        let (viewer, token) = store.show(Song.where { $0.plays == step % 10 })
        let object = store.observe(Song.object(step % 20)) { _ in }
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
