import Dispatch
import Foundation
import LMDB
import Synchronization
import Testing
import TestSupport

@testable import Croft

/// Commits of other `Store` objects of the file, which are read as those of other processes are.
@Suite(.keepsFailedStores) struct ForeignCommitsTests {
  @Test func whoSharesAResultIsGivenTheCommitsOfOthersAtOnce() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      let (store, other) = (try temporary.open(), try temporary.open())
      let (_, token) = store.show(Song.all)
      store.live.drain()
      // The hub's subscription to commits of others ends.
      store.live.incoming.withLock { $0.subscription = nil }
      try other.write { try $0.insert(Song(id: 1, title: "foreign")) }
      let (second, secondToken) = store.show(Song.all)
      store.live.drain()
      #expect(second.changes.first?.after.map(\.id) == [1])
      token.cancel()
      secondToken.cancel()
    }
  }

  /// Passes two stores of one file to a test.
  private func withTwoStores(
    options: Store.Options = .forTests, other: Store.Options = .forTests,
    _ body: (Store, Store) async throws -> Void
  ) async throws {
    try await withStore(of: Song.self, Album.self, options: options) { store in
      try await store.write { try $0.insert(contentsOf: Song.numbered(0..<20)) }
      let second = try Store.open(
        at: store.url, models: Song.self, Album.self, options: other)
      try await body(store, second)
    }
  }

  /// Keeps a store's hub busy while others write.
  private func whileBusy(_ store: Store, _ body: () async throws -> Void) async throws {
    let gate = Gate()
    let busy = Task.detached {
      await OwnThreads.run { store.live.inspect { _ in gate.pass() } }
    }
    await gate.reached()
    let outcome = await Result(catching: body)
    gate.open()
    await busy.value
    try outcome.get()
  }

  private func runs(_ store: Store) -> [Int] {
    store.live.inspect { $0.queries.map(\.runs).sorted() }
  }

  @Test func aCommitOfAnotherStoreIsFollowedWithoutRunningTheQueryAgain() async throws {
    try await withTwoStores { store, other in
      let follower = Follower(Song.where { $0.plays >= 5 }.order(by: \.title), in: store)
      #expect(await follower.shows { $0.count == 10 })
      // One song of each kind: enters, leaves, moves, stays, is inserted and is deleted.
      try await other.write { tx in
        try tx.update(Song.self, 1) { $0.plays = 9 }
        try tx.update(Song.self, 5) { $0.plays = 1 }
        try tx.update(Song.self, 6) { $0.title = "A" }
        try tx.update(Song.self, 7) { $0.note = "changed" }
        try tx.insert(Song(id: 30, title: "Z", plays: 7))
        try tx.delete(Song.self, 8)
      }
      let expected = try await other.fetch(Song.where { $0.plays >= 5 }.order(by: \.title))
      #expect(await follower.shows { $0 == expected })
      let change = try #require(follower.viewer.changes.last)
      #expect(follower.viewer.changes.count == 2)
      #expect(change.deletions.count == 2 && change.insertions.count == 2)
      #expect(change.moves.count == 1 && change.modifications.count == 1)
      #expect(change.sequence == (try store.sequence))
      #expect(runs(store) == [1])
      follower.cancel()
    }
  }

  @Test func aCommitWithoutARecordHasQueriesRunAgain() async throws {
    let silent = Store.Options.forTests { $0.logsCommits = false }
    try await withTwoStores(other: silent) { store, other in
      let follower = Follower(Song.where { $0.plays >= 5 }, in: store)
      #expect(await follower.shows { $0.count == 10 })
      try await other.write { _ = try $0.update(Song.self, 1) { $0.plays = 9 } }
      #expect(await follower.shows { $0.count == 11 })
      #expect(runs(store) == [2])
      follower.cancel()
    }
  }

  /// A store that does not write the log reads it all the same.
  @Test func anObserverInAStoreThatDoesNotLogFollowsThoseThatDo() async throws {
    let silent = Store.Options.forTests { $0.logsCommits = false }
    try await withTwoStores(options: silent) { store, other in
      let follower = Follower(Song.where { $0.plays >= 5 }, in: store)
      #expect(await follower.shows { $0.count == 10 })
      try await whileBusy(store) {
        try await store.write { _ = try $0.update(Song.self, 0) { $0.plays = 9 } }
        try await other.write { _ = try $0.update(Song.self, 1) { $0.plays = 9 } }
        try await store.write { _ = try $0.update(Song.self, 2) { $0.plays = 9 } }
      }
      #expect(await follower.shows { $0.count == 13 })
      #expect(runs(store) == [1])
      follower.cancel()
    }
  }

  @Test func aCommitOfManyChangesRunsTheQueriesOfItsModelAlone() async throws {
    try await withTwoStores { store, other in
      let songs = Follower(Song.where { $0.plays >= 5 }, in: store)
      let albums = Follower(Album.all, in: store)
      #expect(await songs.shows { $0.count == 10 })
      #expect(await albums.shows { $0.isEmpty })
      try await other.write { tx in
        try tx.insert(contentsOf: Song.numbered(1_000..<9_000))
        try tx.insert(Album(name: "new"))
      }
      #expect(await songs.shows { $0.count == 4_010 })
      #expect(await albums.shows { $0.map(\.name) == ["new"] })
      #expect(runs(store) == [1, 2])
      songs.cancel()
      albums.cancel()
    }
  }

  @Test func commitsThatTheLogHasNoLongerHaveEverythingReadAgain() async throws {
    try await withTwoStores { store, other in
      let follower = Follower(Song.where { $0.plays >= 5 }, in: store)
      #expect(await follower.shows { $0.count == 10 })
      try await whileBusy(store) {
        // The first changes nothing.
        for round in 0...Threshold.loggedCommits.value + 1 {
          try await other.write { _ = try $0.update(Song.self, 0) { $0.plays = round } }
        }
      }
      #expect(await follower.shows { $0.first?.plays == Threshold.loggedCommits.value + 1 })
      #expect(runs(store) == [2])
      follower.cancel()
    }
  }

  @Test func ownAndForeignCommitsAreOneResultWhateverTheirOrder() async throws {
    try await withTwoStores { store, other in
      var random = SeededGenerator.forTest("ownAndForeignCommits")
      let follower = Follower(Song.where { $0.plays >= 50 }.order(by: \.plays), in: store)
      #expect(await follower.shows { $0.isEmpty })
      for round in 0..<30 {
        let steps = (0...random.below(6)).map { _ in
          (random.oneIn(2), random.below(20), random.below(100))
        }
        try await whileBusy(store) {
          for (isOwn, id, plays) in steps {
            try await (isOwn ? store : other).write {
              _ = try $0.upsert(
                Song(
                  id: id, title: "\(round)", plays: plays))
            }
          }
          try await other.write { _ = try $0.upsert(Song(id: 100, title: "\(round)", plays: 99)) }
        }
        #expect(await follower.shows { $0.contains { $0.id == 100 && $0.title == "\(round)" } })
        let expected = try await store.fetch(Song.where { $0.plays >= 50 }.order(by: \.plays))
        #expect(follower.viewer.list == expected, "seed \(random.seed)")
      }
      #expect(runs(store) == [1])
      follower.cancel()
    }
  }

  /// An observer that got its first change at once was taken back to a commit before, and forward again.
  ///
  /// The hub waits for a commit that this store is about to make, and so lacks the last one of the file.
  @Test func anImmediateObserverIsNotTakenBack() async throws {
    try await withTwoStores { store, other in
      let first = store.observe(Song.all) { _ in }
      store.live.drain()
      let next = try store.sequence + 1
      #expect(store.live.willCommit(next))
      try await other.write { _ = try $0.update(Song.self, 1) { $0.title = "new" } }
      let told = Recorder<[String]>()
      let token = store.observe(Song.all, on: .immediate(then: .background)) { change in
        told.add(change.after.map(\.title))
      }
      store.live.drain()
      store.live.didRollBack(next, store)
      store.live.drain()
      #expect(told.all.map { $0[1] } == ["new"])
      token.cancel()
      first.cancel()
    }
  }

  @Test func anObjectIsFollowedThroughForeignCommits() async throws {
    try await withTwoStores { store, other in
      let told = Mailbox<ObjectChange<Song>>()
      let token = store.observe(Song.object(3)) { told.send($0) }
      #expect(await told.next()?.kind == .initial)
      try await other.write { _ = try $0.update(Song.self, 3) { $0.title = "new" } }
      let change = try #require(await told.next())
      #expect(change.kind == .modified && change.fields.map(\.name) == ["title"])
      try await other.write { _ = try $0.delete(Song.self, 3) }
      #expect(await told.next()?.kind == .deleted)
      token.cancel()
    }
  }

  @Test func commitsSayWhichModelsAForeignOneConcerns() async throws {
    try await withTwoStores { store, other in
      let iterator = store.commits.makeAsyncIterator()
      store.live.drain()
      try await other.write { _ = try $0.update(Song.self, 3) { $0.title = "new" } }
      let commit = try #require(await iterator.next())
      #expect(commit.sequence == (try store.sequence))
      #expect(commit.concerns(Song.self) && !commit.concerns(Album.self))
      #expect(try commit.changes(of: Song.self) == nil)
      #expect(try commit.changes(of: Album.self) == [])
    }
  }

  @Test func aFormThatAnotherStoreAddsIsReadInTheObserversOwn() async throws {
    try await withStore(of: Song.self) { store in
      try await store.write { try $0.insert(contentsOf: Song.numbered(0..<5)) }
      let follower = Follower(Song.all, in: store)
      #expect(await follower.shows { $0.count == 5 })
      let grown = try Store.open(at: store.url, models: Grown.Song.self, options: .forTests)
      try await grown.write { tx in
        _ = try tx.update(Grown.Song.self, 2) { song in
          song.singer = "Kim"
          song.title = "grown"
        }
      }
      #expect(await follower.shows { $0[2].title == "grown" })
      follower.cancel()
    }
  }

  @Test(arguments: FileFormatTests.formats)
  func anObserverOfAFileWithoutALogHearsItsFirstRecord(format: Int) async throws {
    let fixture = FileFormatTests.fixture(format)
    try await withStore(of: Song.self, Album.self) { store in
      try FileManager.default.copyItem(at: fixture, to: store.url.appendingPathExtension("old"))
      let url = store.url.appendingPathExtension("old")
      let old = try Store.open(at: url, models: Song.self, Album.self, options: .forTests)
      let follower = Follower(Song.where { $0.plays >= 50 }, in: old)
      #expect(await follower.shows { $0.isEmpty })
      let other = try Store.open(at: url, models: Song.self, Album.self, options: .forTests)
      try await other.write { _ = try $0.update(Song.self, 3) { $0.plays = 99 } }
      #expect(await follower.shows { $0.map(\.id) == [3] })
      #expect(runs(old) == [1])
      follower.cancel()
    }
  }

  @Test func aFileIsWatchedOnceAndOnlyWhileSomebodyObserves() async throws {
    try await withTwoStores { store, other in
      let file = store.environment
      #expect(CommitSubscription.count(of: file) == 0)
      let (one, two) = (Follower(Song.all, in: store), Follower(Album.all, in: store))
      let third = Follower(Song.all, in: other)
      #expect(CommitSubscription.count(of: file) == 2)
      one.cancel()
      third.cancel()
      #expect(CommitSubscription.count(of: file) == 1)
      two.cancel()
      #expect(CommitSubscription.count(of: file) == 0)
    }
  }
}

extension Result where Failure == any Error {
  /// The outcome of an asynchronous body.
  fileprivate init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
