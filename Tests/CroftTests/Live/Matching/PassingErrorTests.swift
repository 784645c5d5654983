import Dispatch
import Foundation
import Synchronization
import Testing
import TestSupport

@testable import Croft

/// Observations outlive a moment in which the store cannot be read.
///
/// They once ended for good where all readers were taken when the hub read the store: the screen
/// was not updated any more, though the readers were free again at once.
@Suite(.keepsFailedStores) struct PassingErrorTests {
  /// A store whose readers can all be taken, and another store of the file that commits to it.
  private func withStores(_ body: (Store, Store) async throws -> Void) async throws {
    let options = Store.Options.forTests { $0.maxReaders = 16 }
    try await withStore(of: Song.self, Album.self, options: options) { store in
      try await store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<3))
        try tx.insert(Album(name: "first", year: 1))
      }
      let other = try Store.open(at: store.url, models: Song.self, Album.self, options: options)
      try await body(store, other)
    }
  }

  /// Takes all readers of a store's file while a body runs, and releases them.
  private func withoutReaders<R>(_ store: Store, _ body: () async throws -> R) async throws -> R {
    var snapshots: [StoreSnapshot] = []
    let error = StoreError.thrown { while true { snapshots.append(try store.snapshot()) } }
    guard case .readersFull = error else { throw Refused() }
    // The reader that this thread may keep for its next read is taken as well.
    #expect(throws: StoreError.self) { try store.count(Song.all) }
    let result = try await body()
    store.live.drain()
    return result
  }

  /// Ends the hub's subscription to the file, so that the test decides when the hub reads it.
  private func silence(_ store: Store) {
    store.live.drain()
    store.live.incoming.withLock { $0.subscription = nil }
  }

  /// Reports the last commit to the hub, as the file's watcher does.
  private func look(_ store: Store) throws {
    let last = try store.readLive { $1 }
    store.live.didFindCommit(last, in: store)
    store.live.drain()
  }

  @Test func aResultIsToldWhenItCanBeReadAgain() async throws {
    try await withStores { store, other in
      let (viewer, token) = store.show(Song.all)
      let links = store.show(Album.where { $0.year > 0 }.order(by: \.year))
      silence(store)
      try await withoutReaders(store) {
        try await other.write { tx in
          _ = try tx.update(Song.self, 1) { $0.plays = 7 }
          try tx.insert(Album(name: "second", year: 2))
        }
        store.live.didFindCommit(nil, in: store)
      }
      #expect(token.error == nil && links.1.error == nil)
      #expect(viewer.changes.count == 1)
      try look(store)
      #expect(try await viewer.list == other.fetch(Song.all))
      #expect(links.0.list.map(\.name) == ["first", "second"])
    }
  }

  @Test func theNextCommitIsATriggerToo() async throws {
    try await withStores { store, other in
      let (viewer, token) = store.show(Song.all)
      silence(store)
      try await withoutReaders(store) {
        try await other.write { _ = try $0.update(Song.self, 1) { $0.plays = 7 } }
        store.live.didFindCommit(nil, in: store)
      }
      try await store.write { _ = try $0.update(Song.self, 2) { $0.plays = 8 } }
      store.live.drain()
      #expect(viewer.list.map(\.plays) == [0, 7, 8])
      #expect(token.error == nil)
    }
  }

  /// The store's own commits are delivered without a read, also while no reader is free.
  @Test func ownCommitsAreToldMeanwhile() async throws {
    try await withStores { store, _ in
      let (viewer, token) = store.show(Song.all)
      silence(store)
      try await withoutReaders(store) {
        try await store.write { _ = try $0.update(Song.self, 1) { $0.plays = 7 } }
      }
      #expect(viewer.list.map(\.plays) == [0, 7, 2])
      #expect(token.error == nil)
    }
  }

  @Test func aQueryOverLinksObjectsAndSectionsWait() async throws {
    try await withStore(
      of: House.self, Street.self, Tenant.self, options: .forTests { $0.maxReaders = 16 }
    ) { store in
      try await store.write { tx in
        try tx.insert(contentsOf: [House(id: 1, number: 1), House(id: 2, number: 2)])
        try tx.insert(contentsOf: [
          Tenant(id: 1, name: "Ann", house: Ref(1), born: 1),
          Tenant(id: 2, name: "Bob", house: Ref(2), born: 2),
        ])
      }
      let (viewer, token) = store.show(Tenant.where { $0.house.number == 1 })
      let counts = Recorder<Int>()
      let sections = store.observe(
        Tenant.where { $0.house.number < 3 }.sections(by: \.name)
      ) { counts.add($0.after.count) }
      let objects = Recorder<String?>()
      let object = store.observe(Tenant.object(2)) { objects.add($0.new?.name) }
      silence(store)
      let other = try Store.open(
        at: store.url, models: House.self, Street.self, Tenant.self,
        options: .forTests { $0.maxReaders = 16 })
      try await withoutReaders(store) {
        // An own commit needs a read only for queries of other rows, a commit of another store for all.
        try await store.write { _ = try $0.update(House.self, 2) { $0.number = 1 } }
        try await other.write { _ = try $0.update(Tenant.self, 2) { $0.name = "Ben" } }
        store.live.didFindCommit(nil, in: store)
      }
      #expect(viewer.changes.count == 1)
      try look(store)
      #expect(viewer.list.map(\.name) == ["Ann", "Ben"])
      #expect(objects.all == ["Bob", "Ben"])
      #expect(counts.all == [2, 2])
      #expect([token.error, sections.error, object.error].allSatisfy { $0 == nil })
    }
  }

  /// A query that needs a read was once told as it had been, beside the new result of one that needs none.
  @Test func resultsThatAreObservedTogetherWaitForEachOther() async throws {
    let options = Store.Options.forTests { $0.maxReaders = 16 }
    try await withStore(of: House.self, Street.self, Tenant.self, options: options) { store in
      try await store.write { tx in
        try tx.insert(House(id: 1, number: 1))
        try tx.insert(Tenant(id: 1, name: "Ann", house: Ref(1), born: 1))
      }
      let told = Recorder<[String]>()
      let linked = Tenant.where { $0.house.number == 1 }
      let token = store.observe(CombinedRequest(linked, House.all)) { tenants, houses in
        told.add(tenants.after.map(\.name) + houses.after.map { "\($0.number)" })
      }
      silence(store)
      try await withoutReaders(store) {
        try await store.write { _ = try $0.update(House.self, 1) { $0.number = 2 } }
      }
      #expect(told.all == [["Ann", "1"]])
      try look(store)
      #expect(told.all == [["Ann", "1"], ["2"]] && token.error == nil)
    }
  }

  @Test func whoBeginsMeanwhileIsGivenWhatThereIsLater() async throws {
    try await withStores { store, _ in
      let diagnostics = Recorder<StoreDiagnostic>()
      store.onDiagnostic = { diagnostics.add($0) }
      let (viewer, token) = try await withoutReaders(store) {
        let both = store.show(Song.all)
        silence(store)
        try await store.write { try $0.insert(Song(id: 9, title: "own")) }
        store.live.drain()
        return both
      }
      #expect(viewer.changes.isEmpty && token.error == nil)
      try look(store)
      #expect(viewer.list.map(\.id) == [0, 1, 2, 9])
      store.live.drain()
      let delays = diagnostics.all.filter {
        if case .observationsDelayed = $0 { true } else { false }
      }
      // The error is reported once, however often the read is tried again.
      #expect(delays.count == 1 && diagnostics.all.count == 1)
      #expect("\(delays[0])".contains("tried again"))
    }
  }

  @Test func whoCancelsWhileItWaitsIsForgotten() async throws {
    try await withStores { store, _ in
      store.onDiagnostic = { _ in }
      try await withoutReaders(store) {
        let (_, token) = store.show(Song.all)
        silence(store)
        token.cancel()
      }
      try look(store)
      #expect(store.live.inspect { $0.isEmpty && $0.waiting.isEmpty })
      #expect(store.live.observerCount == 0)
    }
  }

  @Test func commitsGoOnWithOneForThoseThatWereMissed() async throws {
    try await withStores { store, other in
      store.onDiagnostic = { _ in }
      let early = store.commits.makeAsyncIterator()
      silence(store)
      let late = try await withoutReaders(store) {
        let late = store.commits.makeAsyncIterator()
        silence(store)
        try await other.write { try $0.insert(Song(id: 8, title: "foreign")) }
        try await store.write { try $0.insert(Song(id: 9, title: "own")) }
        store.live.didFindCommit(nil, in: store)
        return late
      }
      try look(store)
      let foreign = try #require(await early.next())
      #expect(foreign.concerns(Song.self))
      let own = try #require(await early.next())
      #expect(own.sequence == foreign.sequence + 1)
      #expect(try own.changes(of: Song.self)?.map(\.new?.id) == [9])
      let missed = try #require(await late.next())
      #expect(missed.sequence == own.sequence)
      #expect(try missed.changes(of: Song.self) == nil)
      try await store.write { try $0.insert(Song(id: 10, title: "later")) }
      let next = try #require(await late.next())
      #expect(try next.changes(of: Song.self)?.map(\.new?.id) == [10])
      #expect(early.error == nil && late.error == nil)
    }
  }

  /// No commit follows, so only the file's watcher makes the hub read again.
  @Test func theFilesWatcherTriesAgain() async throws {
    try await withStores { store, other in
      store.onDiagnostic = { _ in }
      let told = Mailbox<[Int]>()
      let token = store.observe(Song.all) { told.send($0.after.map(\.plays)) }
      let iterator = store.changes(of: Song.where { $0.plays > 5 }).makeAsyncIterator()
      #expect(await told.next() == [0, 1, 2])
      #expect(await iterator.next()?.after.count == 0)
      try await withoutReaders(store) {
        try await other.write { _ = try $0.update(Song.self, 1) { $0.plays = 7 } }
        store.live.didFindCommit(nil, in: store)
      }
      #expect(await told.next() == [0, 7, 2])
      #expect(await iterator.next()?.after.map(\.id) == [1])
      #expect(token.error == nil && iterator.error == nil)
    }
  }

  /// Random commits of two stores, with readers that are taken and freed: in the end all agree.
  @Test(arguments: 0..<20)
  func whateverFailsMeanwhileAllIsToldInTheEnd(seed: Int) async throws {
    try await withStores { store, other in
      store.onDiagnostic = { _ in }
      var random = SeededGenerator(seed: UInt64(seed))
      let all = store.show(Song.all)
      let window = store.show(Song.all.order(by: \.plays.descending).limit(3, offset: 1))
      let distinct = store.show(Song.all.distinct(by: \.plays))
      var late: [(viewer: Viewer<Song>, token: ObservationToken)] = []
      silence(store)
      for _ in 0..<12 {
        var held: [StoreSnapshot] = []
        if Bool.random(using: &random) {
          _ = StoreError.thrown { while true { held.append(try store.snapshot()) } }
        }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let (id, plays) = (
            Int.random(in: 0..<12, using: &random), Int.random(in: 0..<5, using: &random)
          )
          let isDelete = Int.random(in: 0..<4, using: &random) == 0
          let writer = Bool.random(using: &random) ? store : other
          try await writer.write { tx in
            if isDelete {
              try tx.delete(Song.self, id)
            } else {
              try tx.upsert(Song(id: id, title: "song \(id)", plays: plays))
            }
          }
        }
        if Int.random(in: 0..<6, using: &random) == 0 { late.append(store.show(Song.all)) }
        if Bool.random(using: &random) { store.live.didFindCommit(nil, in: store) }
        store.live.drain()
        store.live.incoming.withLock { $0.subscription = nil }
        withExtendedLifetime(held) {}
      }
      try look(store)
      let songs = try await other.fetch(Song.all)
      #expect(all.0.list == songs)
      #expect(
        try await window.0.list
          == other.fetch(Song.all.order(by: \.plays.descending).limit(3, offset: 1)))
      #expect(try await distinct.0.list == other.fetch(Song.all.distinct(by: \.plays)))
      for (viewer, token) in late { #expect(viewer.list == songs && token.error == nil) }
      #expect([all.1, window.1, distinct.1].allSatisfy { $0.error == nil })
    }
  }
}
