import Dispatch
import Synchronization
import Testing
import TestSupport

@testable import Croft

@Model private struct Branch: Equatable {
  @PrimaryKey var id: Int
  var name: String
}
@Model private struct Leaf: Equatable {
  @PrimaryKey var id: Int
  var branch: Ref<Branch>
}
@Model private struct FirstClock {
  @PrimaryKey var id: Int
  var value = 0
}
@Model private struct SecondClock {
  @PrimaryKey var id: Int
  var value = 0
}

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
      let token = store.observe(CombinedRequest(few, many, Song.all)) { few, many, all in
        lists.add(
          Lists(few: few.after.map(\.id), many: many.after.map(\.id), all: all.after.map(\.id)))
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
      let token = store.observe(CombinedRequest(few, many, few, Album.all)) {
        few, many, again, albums in
        counts.add([few, many, again].map(\.after.count) + [albums.after.count])
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
      #expect(store.live.inspect { $0.isEmpty })
    }
  }

  /// A query that reads other rows is run again at the newest commit.
  ///
  /// Where each run read a later commit than those at hand, nothing was delivered until writers stopped.
  @Test func whatIsRunAgainAtALaterCommitIsDeliveredAlthoughWritersDoNotStop() throws {
    let rounds = 40
    let store = try Store.inMemory(
      models: Leaf.self, Branch.self, FirstClock.self, SecondClock.self)
    try store.write { tx in
      try tx.insert(Branch(id: 1, name: "0"))
      try tx.insert(Leaf(id: 1, branch: Ref(1)))
      try tx.insert(FirstClock(id: 1))
      try tx.insert(SecondClock(id: 1))
    }
    let told = Recorder<[String]>()
    let token = store.observe(
      CombinedRequest(Leaf.where { $0.branch.name != "" }.order(by: \.branch.name), Branch.all)
    ) { leaves, branches in
      told.add(leaves.after.map { "\($0.id)" } + branches.after.map(\.name))
    }
    store.live.drain()
    // Two readings run on the hub's queue, before and after the query: what another thread commits
    // meanwhile is later than the commits at hand.
    let commits = DispatchQueue(label: "writer")
    let count = Mutex(0)
    let toldAtEnd = Mutex(0)
    @Sendable func commit(_ body: @escaping @Sendable (inout WriteTransaction) throws -> Void) {
      commits.sync {
        do { try store.write { try body(&$0) } } catch { Issue.record(error) }
      }
    }
    let first = store.observe(
      ReadRequest { tx -> Int in
        let value = try tx.get(FirstClock.self, 1)?.value ?? 0
        if count.withLock({ $0 }) < rounds {
          commit { _ = try $0.update(FirstClock.self, 1) { $0.value += 1 } }
        }
        return value
      }
    ) { _ in }
    let second = store.observe(
      ReadRequest { tx -> Int in
        let value = try tx.get(SecondClock.self, 1)?.value ?? 0
        let round = count.withLock {
          $0 += 1; return $0
        }
        // A slow thread of deliveries would deliver several rounds as one.
        store.live.deliveries.sync {}
        if round < rounds {
          commit { _ = try $0.update(Branch.self, 1) { $0.name = "\(round)" } }
          commit { _ = try $0.update(SecondClock.self, 1) { $0.value += 1 } }
        } else if round == rounds {
          toldAtEnd.withLock { $0 = told.all.count }
        }
        return value
      }
    ) { _ in }
    while count.withLock({ $0 }) < rounds { store.live.drain() }
    store.live.drain()
    #expect(toldAtEnd.withLock { $0 } > rounds / 2, "while there were commits")
    #expect(told.all.last == ["1", "\(rounds - 1)"])
    for token in [token, first, second] { token.cancel() }
  }

  /// Without a query there was no call at all.
  @Test func noQueryIsDeliveredOnce() throws {
    func observe<each M: Model>(
      _ store: Store, _ queries: repeat Query<each M>, told: Recorder<Int>
    ) -> ObservationToken {
      store.observe(CombinedRequest(repeat each queries)) { (_: (repeat ResultChange<each M>)) in
        told.add(1)
      }
    }
    try withStore(of: Song.self) { store in
      let (none, one) = (Recorder<Int>(), Recorder<Int>())
      let tokens = [observe(store, told: none), observe(store, Song.all, told: one)]
      store.live.drain()
      try store.write { try $0.insert(Song(id: 1, title: "a")) }
      store.live.drain()
      #expect(none.all == [1] && one.all == [1, 1])
      for token in tokens { token.cancel() }
      store.live.drain()
      #expect(store.live.inspect { $0.isEmpty })
      #expect(store.live.size == LiveHub.Size())
    }
  }

  @Test func changesTogetherLeadFromTheOnesBefore() async throws {
    try await withStore(of: Song.self, Album.self) { store in
      let changes = store.changes(of: CombinedRequest(few, Album.all)).makeAsyncIterator()
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

  @Test func aQueryThatCannotBeReadEndsTheObservation() throws {
    try withStore(of: Song.self) { store in
      let errors = Recorder<String>()
      let token = store.observe(
        CombinedRequest(Song.all, Person.all), onError: { errors.add("\($0)") }
      ) {
        _, _ in
      }
      store.live.drain()
      #expect(token.error as? StoreError == .unknownModel(model: "Person"))
      #expect(errors.all.count == 1 && store.live.inspect { $0.isEmpty })
    }
  }
}
