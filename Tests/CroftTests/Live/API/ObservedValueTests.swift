import Observation
import Synchronization
import TestSupport
import Testing

@testable import Croft

/// A value on the main actor follows the store, and tells the Observation framework of each change.
@MainActor @Suite struct ObservedValueTests {
  private let store: Store

  init() throws {
    store = try Store.inMemory(models: Song.self, ResultChangesTests.Box.self)
    store.onDiagnostic = { _ in }
    try store.write { try $0.insert(contentsOf: Song.numbered(0..<4)) }
  }

  // The objects of a query.

  @Test func theFirstObjectsAreThereAtOnceAndNotToldAgain() async {
    let songs = ObservedValue(of: Song.where { $0.plays > 1 }, in: store)
    #expect(songs.value.map(\.id) == [2, 3])
    let tracking = Tracking { _ = songs.value }
    await tracking.drain(store)
    #expect(tracking.count == 0 && songs.value.map(\.id) == [2, 3])
    #expect(songs.error == nil)
  }

  @Test func theObjectsOfAQueryFollowEachCommit() async throws {
    let songs = ObservedValue(of: Song.where { $0.plays > 1 }, in: store)
    let tracking = Tracking { _ = songs.value }
    await tracking.drain(store)
    try await store.write { try $0.insert(Song(id: 9, title: "new", plays: 5)) }
    try await tracking.next()
    #expect(songs.value.map(\.id) == [2, 3, 9])
    _ = try await store.write { try $0.update(Song.self, 2) { $0.title = "other" } }
    try await tracking.next()
    #expect(songs.value.first?.title == "other")
    _ = try await store.write { try $0.delete(Song.self, 3) }
    try await tracking.next()
    #expect(songs.value.map(\.id) == [2, 9])
  }

  @Test func aCommitBeforeTheFirstDeliveryIsTold() async throws {
    let songs = ObservedValue(of: Song.all, in: store)
    let tracking = Tracking { _ = songs.value }
    // The main queue delivers nothing before the test waits.
    try insert(Song(id: 9, title: "new"))
    #expect(songs.value.count == 4)
    try await tracking.next()
    #expect(songs.value.count == 5)
  }

  /// Where the twin's result differs there is one report, and else none.
  @Test(arguments: 0..<6)
  func itEqualsAFetchAfterEachCommit(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let query = Song.where { $0.plays < 6 }.order(by: \.plays)
      .limit(seed.isMultiple(of: 2) ? 3 : 100)
    let songs = ObservedValue(of: query, in: store)
    let tracking = Tracking { _ = songs.value }
    var (before, changes) = (try await store.fetch(query), 0)
    for round in 0..<40 {
      let (id, plays) = (
        Int.random(in: 0..<8, using: &random), Int.random(in: 0..<9, using: &random)
      )
      try await store.write { tx in
        switch round % 4 {
        case 0: try tx.delete(Song.self, id)
        case 1, 2: try tx.upsert(Song(id: id, title: "\(plays)", plays: plays))
        default: _ = try tx.update(Song.self, id) { $0.note = "\(plays)" }
        }
      }
      let after = try await store.fetch(query)
      if after != before { changes += 1 }
      before = after
      await tracking.drain(store)
      #expect(Array(songs.value) == after, "seed \(seed), round \(round)")
      #expect(tracking.count == changes, "seed \(seed), round \(round)")
    }
    #expect(changes > 5)
  }

  @Test func objectsAreNotFollowedAfterTheRelease() async throws {
    var songs: ObservedValue? = ObservedValue(of: Song.all, in: store)
    weak let observed = songs
    await Tracking {}.drain(store)
    #expect(observed != nil && !store.live.inspect { $0.isEmpty })
    // A delivery that waits on the main queue finds nobody.
    try insert(Song(id: 9, title: "new"))
    drain()
    songs = nil
    #expect(observed == nil)
    await Tracking {}.drain(store)
    #expect(store.live.inspect { $0.isEmpty })
  }

  @Test func aFirstReadingThatFailsLeavesItsError() async {
    let albums = ObservedValue(of: Album.all, in: store)
    #expect(albums.value.isEmpty)
    #expect(albums.error as? StoreError == .unknownModel(model: "Album"))
    await Tracking {}.drain(store)
    #expect(albums.error as? StoreError == .unknownModel(model: "Album"))
  }

  @Test func aLaterErrorIsKeptAndTheObjectsStay() async throws {
    try insert(ResultChangesTests.Box(id: 1, content: ResultChangesTests.Picky(1)))
    let boxes = ObservedValue(of: ResultChangesTests.Box.all, in: store)
    let tracking = Tracking { _ = boxes.error }
    await tracking.drain(store)
    #expect(boxes.error == nil)
    try insert(ResultChangesTests.Box(id: 2, content: ResultChangesTests.Picky(13)))
    try await tracking.next()
    #expect(boxes.error is StoreError)
    #expect(boxes.value.map(\.id) == [1])
  }

  @Test func afterAPassingErrorTheObjectsCome() async throws {
    let songs = try observeWithoutReaders()
    #expect(songs.value.isEmpty && songs.error == nil)
    try insert(Song(id: 9, title: "new"))
    await Tracking {}.drain(store)
    #expect(songs.value.count == 5 && songs.error == nil)
  }

  /// Observes all songs while snapshots have all readers of the file, and releases these.
  private func observeWithoutReaders() throws -> ObservedValue<LiveResults<Song>> {
    var snapshots: [StoreSnapshot] = []
    let error = StoreError.thrown { while true { snapshots.append(try store.snapshot()) } }
    guard case .readersFull = error else { throw Refused() }
    return withExtendedLifetime(snapshots) {
      let songs = ObservedValue(of: Song.all, in: store)
      drain()
      return songs
    }
  }

  // What a closure reads.

  @Test func aValueIsToldWhereItDiffers() async throws {
    let plays = ObservedValue(
      0, of: ReadRequest { try $0.fetch(Song.all.sum(\.plays)) }, in: store)
    #expect(plays.value == 6)
    let tracking = Tracking { _ = plays.value }
    await tracking.drain(store)
    #expect(tracking.count == 0)
    _ = try await store.write { try $0.update(Song.self, 1) { $0.plays = 11 } }
    try await tracking.next()
    #expect(plays.value == 16)
    // The closure runs again, because two of its rows have changed, and the sum is the same.
    try await store.write { tx in
      _ = try tx.update(Song.self, 1) { $0.plays = 10 }
      _ = try tx.update(Song.self, 2) { $0.plays = 3 }
    }
    await tracking.drain(store)
    #expect(tracking.count == 1 && plays.value == 16)
  }

  @Test func anObjectThatIsDeletedIsNil() async throws {
    let song = ObservedValue(nil, of: Song.object(2), in: store)
    #expect(song.value?.title == "Song 2")
    let tracking = Tracking { _ = song.value }
    await tracking.drain(store)
    _ = try await store.write { try $0.delete(Song.self, 2) }
    try await tracking.next()
    #expect(song.value == nil && song.error == nil)
  }

  @Test func anErrorIsKeptWithTheLastValue() async throws {
    let request = ReadRequest { tx in
      let count = try tx.count(Song.all)
      if count > 4 { throw Refused() }
      return count
    }
    let count = ObservedValue(-1, of: request, in: store)
    let tracking = Tracking { _ = count.error }
    await tracking.drain(store)
    #expect(count.error == nil)
    try insert(Song(id: 9, title: "new"))
    try await tracking.next()
    #expect(count.error is Refused && count.value == 4)
  }

  /// Without a value the first one is shown; the observation reads again.
  @Test func afterAPassingErrorTheValueComes() async throws {
    let failures = Mutex(1)
    let request = ReadRequest { tx in
      let fails = failures.withLock { left in
        left -= 1
        return left >= 0
      }
      if fails { throw StoreError.readersFull(reason: "test") }
      return try tx.count(Song.all)
    }
    let count = ObservedValue(-1, of: request, in: store)
    #expect(count.value == -1 && count.error == nil)
    await Tracking {}.drain(store)
    #expect(count.value == 4 && count.error == nil)
  }

  // An aggregate.

  @Test func anAggregateIsFollowed() async throws {
    let low = ObservedValue(-1, of: Song.where { $0.plays < 10 }.count, in: store)
    #expect(low.value == 4)
    let tracking = Tracking { _ = low.value }
    try await store.write { try $0.insert(Song(id: 100, title: "other", plays: 20)) }
    await tracking.drain(store)
    #expect(tracking.count == 0)
    try await store.write { try $0.insert(Song(id: 9, title: "one")) }
    try await tracking.next()
    #expect(low.value == 5 && low.error == nil)
  }

  /// Inserts without leaving the main actor.
  private func insert(_ object: some Model) throws { try store.write { try $0.insert(object) } }

  /// Waits for the store's queues without leaving the main actor.
  private func drain() { store.drainObservers() }
}
