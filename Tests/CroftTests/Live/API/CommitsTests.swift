import Dispatch
import Synchronization
import Testing

@testable import Croft

@Suite(.keepsFailedStores) struct CommitsTests {
  /// An iterator that had ended found no error when the store's handler had not been called yet.
  @Test func theErrorIsThereBeforeTheIteratorEnds() {
    struct Refused: Error {}
    let failure = LiveFailure()
    let wasThere = Mutex(false)
    let observation = CommitObservation(1, failure) { _ in
      wasThere.withLock { $0 = failure.error is Refused }
    }
    observation.fail(Refused())
    #expect(wasThere.withLock { $0 })
    let value = LiveFailure()
    let query = ValueObservation<Int>(2, .iterator, { _ in (0, true) }, value) { _ in
      wasThere.withLock { $0 = value.error is Refused }
    }
    wasThere.withLock { $0 = false }
    query.fail(Refused())
    #expect(wasThere.withLock { $0 })
    // An observation that has ended has no error, whatever fails afterwards.
    let late = LiveFailure()
    let other = CommitObservation(3, late) { _ in }
    other.end()
    other.fail(Refused())
    #expect(late.error == nil && other.error == nil)
  }

  @Test func eachCommitSaysWhatItDidToEachModel() async throws {
    try await withStore(of: Song.self, Album.self) { store in
      let iterator = store.commits.makeAsyncIterator()
      store.live.drain()
      let (one, two) = (Song(id: 1, title: "one"), Song(id: 2, title: "two"))
      try await store.write { try $0.insert(contentsOf: [one, two]) }
      try await store.write { tx in
        try tx.delete(Song.self, 2)
        try tx.update(Song.self, 1) { $0.plays = 5 }
        try tx.insert(Album(name: "album"))
      }
      let first = try #require(await iterator.next())
      #expect(
        try first.changes(of: Song.self) == [
          .init(old: nil, new: one), .init(old: nil, new: two),
        ])
      #expect(!first.concerns(Album.self) && first.concerns(Song.self))
      let second = try #require(await iterator.next())
      #expect(second.sequence == first.sequence + 1)
      var changed = one
      changed.plays = 5
      #expect(
        try second.changes(of: Song.self) == [
          .init(old: one, new: changed), .init(old: two, new: nil),
        ])
      #expect(try second.changes(of: Album.self)?.count == 1)
    }
  }

  /// The hub used to add a reader on its queue, after the first commits had been processed there.
  @Test func commitsRightBehindTheBeginningAreTold() async throws {
    try await withStore(of: Song.self) { store in
      let gate = Gate()
      store.live.queue.async { gate.pass() }
      let other = store.observe(Song.all) { _ in }
      store.live.queue.async { store.live.processCommits(of: store) }
      let iterator = store.commits.makeAsyncIterator()
      for id in 1...2 {
        try await store.write { try $0.insert(Song(id: id, title: "\(id)")) }
      }
      gate.open()
      for id in 1...2 {
        let commit = try #require(await iterator.next())
        #expect(try commit.changes(of: Song.self)?.map(\.new?.id) == [id])
      }
      other.cancel()
    }
  }

  @Test func whatWasMissedBeforeTheBeginningIsNotTold() async throws {
    try await withStore(of: Song.self) { store in
      let observation = CommitObservation(1, LiveFailure()) { _ in }
      observation.miss(through: 4)
      observation.begin(after: 5)
      observation.miss(through: 5)
      observation.take(
        CommitDelta(sequence: 6, catalog: store.knownCatalog, parts: [], byteCount: 0))
      let commit = try #require(await observation.next {})
      #expect(commit.sequence == 6 && !commit.concerns(Song.self))
      observation.miss(through: 7)
      let missed = try #require(await observation.next {})
      #expect(missed.sequence == 7 && missed.concerns(Song.self))
    }
  }

  @Test func aCommitIsPrintedAsWhatItDidToHowMany() async throws {
    try await withStore(of: Song.self, Album.self) { store in
      let iterator = store.commits.makeAsyncIterator()
      try await store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<3))
        try tx.insert(Album(name: "album"))
      }
      let commit = try #require(await iterator.next())
      #expect("\(commit)" == "commit \(commit.sequence): 1 of Album, 3 of Song")
      #expect("\(StoreCommit(sequence: 7, catalog: nil, tables: nil))" == "commit 7: anything")
      let nothing = StoreCommit(sequence: 8, catalog: store.knownCatalog, tables: [:])
      #expect("\(nothing)" == "commit 8: nothing")
    }
  }

  @Test func whoIsTooSlowLearnsThatSomethingChanged() async throws {
    try await withStore(of: Song.self) { store in
      let iterator = store.commits.makeAsyncIterator()
      store.live.drain()
      var song = Song(id: 1, title: "one")
      for _ in 0...Threshold.waitingCommits.value {
        song.plays += 1
        _ = try await store.write { [song] tx in try tx.upsert(song) }
      }
      try await store.write { try $0.insert(Song(id: 3, title: "last")) }
      store.live.drain()
      let first = try #require(await iterator.next())
      #expect(try first.changes(of: Song.self) == nil && first.concerns(Song.self))
      let last = try #require(await iterator.next())
      #expect(try last.changes(of: Song.self)?.first?.new?.id == 3)
      #expect(last.sequence == first.sequence + 1)
    }
  }
}
