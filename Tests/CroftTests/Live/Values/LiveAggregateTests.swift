import Testing
import TestSupport

@testable import Croft

/// Live aggregates follow single commits without reading the objects again.
@Suite(.keepsFailedStores) struct LiveAggregateTests {
  private func withSongs(_ body: (Store) throws -> Void) throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<40)) }
      try body(store)
    }
  }

  @Test func anAggregateIsDeliveredWhenItHasChanged() throws {
    try withSongs { store in
      let rock = Song.where { $0.genre == .rock }
      let (counts, sums, greatest) = (Recorder<Int>(), Recorder<Int>(), Recorder<Int?>())
      let tokens = [
        store.observe(rock.count) { counts.add($0) },
        store.observe(rock.sum(\.plays)) { sums.add($0) },
        store.observe(rock.max(\.plays)) { greatest.add($0) },
      ]
      store.live.drain()
      let sum = try store.fetch(rock.sum(\.plays))
      #expect(counts.all == [13] && sums.all == [sum] && greatest.all == [9])
      // Another title changes none of them, and an object of another genre neither.
      try store.write { tx in
        _ = try tx.update(Song.self, 1) { $0.title = "other" }
        _ = try tx.update(Song.self, 2) { $0.plays = 100 }
      }
      store.live.drain()
      #expect(counts.all.count == 1 && sums.all.count == 1 && greatest.all.count == 1)
      try store.write { _ = try $0.update(Song.self, 1) { $0.plays = 51 } }
      store.live.drain()
      #expect(counts.all == [13] && sums.all == [sum, sum + 50] && greatest.all == [9, 51])
      _ = try store.write { try $0.delete(Song.self, 1) }
      store.live.drain()
      #expect(counts.all == [13, 12] && sums.all == [sum, sum + 50, sum - 1])
      #expect(greatest.all == [9, 51, 9] && tokens.allSatisfy { $0.error == nil })
    }
  }

  @Test func aCommitOfThisStoreReadsNothingAgain() throws {
    try withSongs { store in
      let counts = Recorder<Int>()
      let token = store.observe(Song.where { $0.plays > 4 }.count) { counts.add($0) }
      store.live.drain()
      let run = store.live.inspect { $0.computations.map(\.sequence) }
      for id in 100..<110 {
        try store.write { try $0.insert(Song(id: id, title: "new", plays: 5)) }
      }
      store.live.drain()
      #expect(counts.all.last == 30)
      #expect(store.live.inspect { $0.computations.map(\.sequence) } == run)
      token.cancel()
    }
  }

  @Test func aSumThatDoesNotFitEndsTheObservation() throws {
    try withSongs { store in
      let errors = Recorder<String>()
      let token = store.observe(Song.all.sum(\.plays), onError: { errors.add("\($0)") }) { _ in }
      store.live.drain()
      try store.write { try $0.insert(Song(id: 100, title: "most", plays: .max)) }
      store.live.drain()
      #expect(token.error as? StoreError == .overflow(model: "Song", field: "plays"))
      #expect(throws: StoreError.overflow(model: "Song", field: "plays")) {
        try store.fetch(Song.all.sum(\.plays))
      }
      #expect(errors.all.count == 1 && store.live.inspect { $0.isEmpty })
    }
  }

  @Test func valuesArriveAsASequence() async throws {
    try await withStore(of: Song.self) { store in
      let counts = store.values(of: Song.all.count).makeAsyncIterator()
      let sums = store.values(of: Song.all.sum(\.rating)).makeAsyncIterator()
      let averages = store.values(of: Song.all.average(\.plays)).makeAsyncIterator()
      let least = store.values(of: Song.all.min(\.plays)).makeAsyncIterator()
      let greatest = store.values(of: Song.all.max(\.title)).makeAsyncIterator()
      #expect(await counts.next() == 0)
      #expect(await sums.next() == 0)
      #expect(await averages.next() == .some(.none))
      #expect(await least.next() == .some(nil))
      #expect(await greatest.next() == .some(nil))
      try await store.write {
        try $0.insert(Song(id: 1, title: "one", plays: 3, rating: 0.5))
        try $0.insert(Song(id: 2, title: "two", plays: 4))
      }
      #expect(await counts.next() == 2)
      #expect(await sums.next() == 0.5)
      #expect(await averages.next() == 3.5)
      #expect(await least.next() == 3)
      #expect(await greatest.next() == "two")
    }
  }
}
