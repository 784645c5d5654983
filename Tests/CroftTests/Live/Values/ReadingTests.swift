import Synchronization
import Testing
import TestSupport

@testable import Croft

/// What a closure reads is delivered after the commits that can change it, and after no others.
@Suite(.keepsFailedStores) struct ReadingTests {
  /// A value that is observed, and how many times it was read.
  private final class Watched<Value: Equatable & Sendable>: Sendable {
    private let reads = Recorder<Void>()
    let values = Recorder<Value>()
    private let token = Mutex<ObservationToken?>(nil)

    init(_ store: Store, _ read: @escaping @Sendable (inout ReadTransaction) throws -> Value) {
      let observed = store.observe(
        ReadRequest { [reads] tx in
          reads.add(())
          return try read(&tx)
        }
      ) { [values] in values.add($0) }
      token.withLock { $0 = observed }
      store.live.drain()
    }

    var runs: Int { reads.all.count }
    var error: (any Error)? { token.withLock { $0?.error } }
  }

  private func withSongs(_ body: (Store) throws -> Void) throws {
    try withStore(of: Song.self, Album.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<40)) }
      try body(store)
    }
  }

  /// Commits, and waits until everything is delivered.
  private func commit(_ store: Store, _ body: (inout WriteTransaction) throws -> Void) throws {
    try store.write { try body(&$0) }
    store.live.drain()
  }

  @Test func aCommitThatTouchesNothingReadRunsNoClosure() throws {
    try withSongs { store in
      let one = Watched(store) { try $0.get(Song.self, 3)?.title }
      let rock = Watched(store) { try $0.fetch(Song.where { $0.genre == .rock && $0.plays > 5 }) }
      let sum = Watched(store) { try $0.fetch(Song.where { $0.genre == .jazz }.sum(\.plays)) }
      let count = Watched(store) { try $0.count(Song.where { $0.plays == 7 }) }
      let albums = Watched(store) { try $0.count(Album.all) }
      let missing = Watched(store) { try $0.get(Song.self, 1_000) == nil }
      func runs() -> [Int] {
        [one.runs, rock.runs, sum.runs, count.runs, albums.runs, missing.runs]
      }
      #expect(runs() == [1, 1, 1, 1, 1, 1])
      // Song 3 has no genre and three plays.
      try commit(store) { _ = try $0.update(Song.self, 3) { $0.note = "other" } }
      #expect(runs() == [2, 1, 1, 1, 1, 1])
      // Song 4 is rock, with four plays: another condition of the conjunction fails.
      try commit(store) { _ = try $0.update(Song.self, 4) { $0.title = "other" } }
      #expect(runs() == [2, 1, 1, 1, 1, 1])
      // Song 2 is jazz: only its plays are added up.
      try commit(store) { _ = try $0.update(Song.self, 2) { $0.title = "other" } }
      #expect(runs() == [2, 1, 1, 1, 1, 1])
      try commit(store) { _ = try $0.update(Song.self, 2) { $0.plays = 90 } }
      #expect(runs() == [2, 1, 2, 1, 1, 1])
      // Song 7 is rock with seven plays: it is counted, whatever its title.
      try commit(store) { _ = try $0.update(Song.self, 7) { $0.title = "other" } }
      #expect(runs() == [2, 2, 2, 1, 1, 1])
      try commit(store) { try $0.insert(Album(name: "a")) }
      #expect(runs() == [2, 2, 2, 1, 2, 1])
      try commit(store) { try $0.insert(Song(id: 1_000, title: "new", plays: 7)) }
      #expect(runs() == [2, 2, 2, 2, 2, 2])
      #expect(count.values.all == [4, 5] && missing.values.all == [true, false])
      #expect(one.values.all == ["Song 3"])
    }
  }

  @Test func whatIsReadDependsOnWhatWasReadBefore() throws {
    try withSongs { store in
      try store.write { try $0.insert(contentsOf: [Album(name: "a", year: 1), Album(name: "b")]) }
      // Song 5 says which album is read.
      try store.write { _ = try $0.update(Song.self, 5) { $0.note = nil } }
      let year = Watched(store) { tx -> Int in
        guard let name = try tx.get(Song.self, 5)?.note else { return -1 }
        return try tx.get(Album.self, name)?.year ?? 0
      }
      try commit(store) { _ = try $0.update(Album.self, "a") { $0.year = 2 } }
      #expect(year.runs == 1)
      try commit(store) { _ = try $0.update(Song.self, 5) { $0.note = "a" } }
      try commit(store) { _ = try $0.update(Album.self, "a") { $0.year = 3 } }
      #expect(year.values.all == [-1, 2, 3])
      try commit(store) { _ = try $0.update(Album.self, "b") { $0.year = 9 } }
      #expect(year.runs == 3)
      try commit(store) { _ = try $0.update(Song.self, 5) { $0.note = "b" } }
      try commit(store) { _ = try $0.update(Album.self, "a") { $0.year = 4 } }
      #expect(year.values.all == [-1, 2, 3, 9] && year.runs == 4)
    }
  }

  @Test func aModelOfWhichMuchWasReadCountsAsAWhole() throws {
    try withSongs { store in
      let few = Watched(store) { tx in try (0..<40).map { try tx.get(Song.self, $0)?.plays } }
      let most = Threshold.partsOfRegion.value + 1
      let many = Watched(store) { tx in try (0..<most).map { try tx.get(Song.self, $0)?.plays } }
      try commit(store) { try $0.insert(Song(id: 5_000, title: "new")) }
      #expect([few.runs, many.runs] == [1, 2])
      #expect(CoverageMark.regionWidened.isReached)
      try commit(store) { _ = try $0.update(Song.self, 7) { $0.plays = 99 } }
      #expect([few.runs, many.runs] == [2, 3] && many.values.all.count == 2)
    }
  }

  @Test func anErrorEndsTheObservation() throws {
    try withSongs { store in
      let errors = Recorder<String>()
      let token = store.observe(
        ReadRequest { tx in
          guard try tx.count(Song.all) < 41 else { throw Refused() }
          return 1
        }, onError: { errors.add("\($0)") }
      ) { _ in }
      try commit(store) { try $0.insert(contentsOf: Song.numbered(40..<42)) }
      #expect(token.error is Refused && errors.all.count == 1)
      let absent = Watched(store) { try $0.count(Person.all) }
      #expect(absent.error as? StoreError == .unknownModel(model: "Person"))
      #expect(store.live.inspect { $0.isEmpty })
      token.cancel()
    }
  }

  @Test func aSequenceEndsWithItsErrorAndHasTheLastValue() async throws {
    try await withStore(of: Song.self) { store in
      let values = store.values(
        of: ReadRequest { tx -> Int in
          let count = try tx.count(Song.all)
          if count == 2 { throw Refused() }
          return count
        })
      let iterator = values.makeAsyncIterator()
      #expect(await iterator.next() == 0)
      try await store.write { try $0.insert(Song(id: 1, title: "one")) }
      #expect(await iterator.next() == 1)
      try await store.write { try $0.insert(Song(id: 2, title: "two")) }
      #expect(await iterator.next() == nil)
      #expect(values.error is Refused)
    }
  }

  @Test func nothingIsKeptOfAnEndedObservation() throws {
    try withSongs { store in
      var watched: [Watched<Int>] = []
      for bound in 0..<10 {
        watched.append(Watched(store) { try $0.count(Song.where { $0.plays > bound }) })
      }
      #expect(store.live.inspect { !$0.isEmpty })
      watched = []
      store.live.drain()
      #expect(store.live.inspect { $0.isEmpty } && store.live.observerCount == 0)
      #expect(store.live.regionCount == 0)
    }
  }
}
