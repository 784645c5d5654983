import Dispatch
import Synchronization
import Testing
import TestSupport

@testable import Croft

/// Several queries that are observed together are delivered as of one commit.
@Suite(.keepsFailedStores) struct TogetherTests {
  /// The titles of open and done songs, as an observer got them.
  private struct Lists: Equatable, Sendable {
    let few: [Int]
    let many: [Int]
    let all: [Int]
  }

  private let few = Song.where { $0.plays < 5 }
  private let many = Song.where { $0.plays >= 5 }.order(by: \.plays)

  @Test func resultsAreNeverOfTwoCommits() throws {
    try withStore(of: Song.self) { store in
      var random = SeededGenerator.forTest("together")
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<20)) }
      let lists = Recorder<Lists>()
      let token = store.observe(together: few, many, Song.all) { few, many, all in
        lists.add(Lists(few: few.map(\.id), many: many.map(\.id), all: all.map(\.id)))
      }
      for step in 0..<Torture.steps(short: 200, long: 20_000) {
        try store.write { tx in
          // A song changes from one list to the other, and goes from none to both.
          let id = random.below(30)
          switch random.below(4) {
          case 0: _ = try tx.delete(Song.self, id)
          case 1: try tx.upsert(Song(id: id, title: "\(step)", plays: random.below(10)))
          default: _ = try tx.update(Song.self, id) { $0.plays = 9 - $0.plays }
          }
        }
        if random.oneIn(3) { store.live.drain() }
      }
      store.live.drain()
      for list in lists.all {
        #expect((list.few + list.many).sorted() == list.all, "seed \(random.seed)")
      }
      #expect(zip(lists.all, lists.all.dropFirst()).allSatisfy { $0 != $1 || $0.all == $1.all })
      #expect(lists.all.last?.many == (try store.fetch(many).map(\.id)))
      #expect(token.error == nil && lists.all.count > 10)
    }
  }

  @Test func anObserverIsCalledOnceForACommit() throws {
    try withStore(of: Song.self, Album.self) { store in
      let counts = Recorder<[Int]>()
      let token = store.observe(together: few, many, few, Album.all) { few, many, again, albums in
        counts.add([few.count, many.count, again.count, albums.count])
      }
      store.live.drain()
      try store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<10))
        try tx.insert(Album(name: "a"))
      }
      store.live.drain()
      try store.write { try $0.insert(Album(name: "b")) }
      store.live.drain()
      #expect(counts.all == [[0, 0, 0, 0], [5, 5, 5, 1], [5, 5, 5, 2]])
      token.cancel()
      store.live.drain()
      #expect(store.live.inspect { $0.isEmpty && $0.combinations.isEmpty })
    }
  }

  @Test func changesTogetherLeadFromTheOnesBefore() async throws {
    try await withStore(of: Song.self, Album.self) { store in
      let changes = store.changes(together: few, Album.all).makeAsyncIterator()
      let first = try #require(await changes.next())
      #expect(first.0.isInitial && first.1.isInitial && first.0.after.isEmpty)
      try await store.write { try $0.insert(contentsOf: Song.numbered(0..<3)) }
      let second = try #require(await changes.next())
      #expect(second.0.insertions == [0, 1, 2] && second.1.insertions.isEmpty)
      try await store.write {
        _ = try $0.delete(Song.self, 1)
        try $0.insert(Album(name: "a"))
      }
      let third = try #require(await changes.next())
      #expect(third.0.deletions == [1] && third.0.before.count == 3)
      #expect(third.1.insertions == [0] && third.0.sequence == third.1.sequence)
    }
  }

  @Test func aWriteThatIsSkippedIsPartOfTheNextResults() throws {
    try withStore(of: Song.self, Album.self) { store in
      let counts = Recorder<[Int]>()
      let token = store.observe(together: Song.all, Album.all) {
        counts.add([$0.count, $1.count])
      }
      store.live.drain()
      _ = try store.write(skipping: [token]) { try $0.insert(Song(id: 1, title: "own")) }
      store.live.drain()
      #expect(counts.all == [[0, 0]])
      try store.write { try $0.insert(Album(name: "a")) }
      store.live.drain()
      #expect(counts.all == [[0, 0], [1, 1]])
    }
  }

  @Test func aQueryThatCannotBeReadEndsTheObservation() throws {
    try withStore(of: Song.self) { store in
      let errors = Recorder<String>()
      let token = store.observe(together: Song.all, Person.all, onError: { errors.add("\($0)") }) {
        _, _ in
      }
      store.live.drain()
      #expect(token.error as? StoreError == .unknownModel(model: "Person"))
      #expect(errors.all.count == 1 && store.live.inspect { $0.isEmpty })
    }
  }
}
