import Dispatch
import Synchronization
import Testing

@testable import Croft

/// Observers start while writers are faster than the hub, which then always has commits to apply.
@Suite(.keepsFailedStores) struct LiveHubStartTests {
  /// Each step of the hub is followed by two commits, so that it cannot keep up.
  ///
  /// - Parameter isReported: Whether the watcher of the file reports each commit as well.
  @Test(arguments: [false, true])
  func anObserverStartsWhileWritersKeepTheHubBusy(isReported: Bool) throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<5)) }
      let newcomer = SeenResults<ResultRows>(store)
      let busy = SeenResults<ResultRows>(store) { count in
        if count == 20 {
          store.live.add(newcomer.entry(of: Song.where { $0.plays > 1 }), to: store)
        }
        guard try store.get(Song.self, 0)?.plays ?? 2_000 < 2_000 else { return }
        for _ in 0..<2 { try store.write { try $0.update(Song.self, 0) { $0.plays += 1 } } }
        if isReported { store.live.didFindCommit(try store.sequence, in: store) }
      }
      store.live.add(busy.entry(of: Song.all), to: store)
      try busy.wait(for: store)
      let last = try store.sequence
      #expect(busy.sequences.last == last)
      let first = try #require(newcomer.sequences.first)
      #expect(first < last - 1_000, "it started at commit \(first) of \(last)")
      #expect(newcomer.sequences.last == last)
      store.live.remove(busy.number)
      store.live.remove(newcomer.number)
      store.live.drain()
    }
  }

  /// Each step of the hub runs a query again, which takes all commits so far, and two more follow.
  @Test(arguments: [false, true])
  func aRemovalWaitsForOneStepAtMost(isReported: Bool) throws {
    try withStore(of: Person.self, Club.self) { store in
      try store.write { tx in
        try tx.insert(Person(id: 1))
        try tx.insert(Person(id: 2, boss: Ref(1)))
      }
      let query = Person.where { $0.boss.friend == nil }
      let leaver = SeenResults<ResultRows>(store)
      let atRemoval = Mutex(0)
      let busy = SeenResults<ResultRows>(store) { count in
        if count == 20 {
          atRemoval.withLock { $0 = leaver.sequences.count }
          store.live.remove(leaver.number)
        }
        guard count < 100 else { return }
        for step in 0..<2 {
          try store.write { try $0.update(Person.self, 2) { $0.friend = Ref(step + 1) } }
        }
        if isReported { store.live.didFindCommit(try store.sequence, in: store) }
      }
      store.live.add(leaver.entry(of: query), to: store)
      store.live.add(busy.entry(of: query.order(by: \.friend)), to: store)
      try busy.wait(for: store)
      // The step that runs and the one that takes the removal, of the two commits of a callback each; without
      // the removal it would be eighty more.
      #expect(leaver.sequences.count <= atRemoval.withLock { $0 } + 4)
      #expect(busy.sequences.count >= 100)
      store.live.remove(busy.number)
      store.live.drain()
    }
  }

  /// Observers that arrive among many waiting commits, in every relation to what is observed.
  @Test(arguments: [1, 63, 64, 65, 129, 200])
  func anObserverAmongWaitingCommitsSeesThemAll(commits: Int) throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<5)) }
      let old = SeenResults<ResultRows>(store)
      store.live.add(old.entry(of: Song.all), to: store)
      let oldObject = SeenResults<LiveObject.Row>(store)
      store.live.add(oldObject.entry(of: 3), to: store)
      store.live.drain()
      let events = Mutex<[String]>([])
      let shared = SeenResults<ResultRows>(store) { _ in events.withLock { $0.append("shared") } }
      let object = SeenResults<LiveObject.Row>(store) { _ in events.withLock { $0.append("object") }
      }
      let own = SeenResults<ResultRows>(store) { _ in events.withLock { $0.append("own") } }
      store.live.queue.suspend()
      for _ in 0..<commits { try store.write { try $0.update(Song.self, 3) { $0.plays += 1 } } }
      let last = try store.sequence
      store.live.add(shared.entry(of: Song.all), to: store)
      store.live.add(object.entry(of: 3), to: store)
      store.live.add(own.entry(of: Song.where { $0.plays >= 0 }), to: store)
      store.live.queue.resume()
      store.live.drain()
      for seen in [shared.sequences, object.sequences, own.sequences, old.sequences] {
        #expect(seen.last == last)
        #expect(seen == seen.sorted())
      }
      // The first value has every commit before the observation, however many commits waited for the hub.
      #expect(shared.sequences.first == last && object.sequences.first == last)
      #expect(own.sequences.first == last)
      #expect(events.withLock { Set($0) } == ["shared", "object", "own"])
      // Those that were there get the last value no later than the new ones.
      #expect(old.sequences.count == (commits > 64 ? 66 : commits + 1))
      #expect(try shared.songs == store.fetch(Song.all))
      for number in [old.number, oldObject.number, shared.number, object.number, own.number] {
        store.live.remove(number)
      }
      store.live.drain()
    }
  }
}

/// What an observer is given on the hub's queue, without a delivery in between.
private final class SeenResults<Value: Sendable>: ValueObserver {
  let number: Int
  private let seen = Mutex<[(value: Value, sequence: UInt64)]>([])
  private let failure = Mutex<(any Error)?>(nil)
  private let body: @Sendable (Int) throws -> Void

  init(_ store: Store, _ body: @escaping @Sendable (Int) throws -> Void = { _ in }) {
    number = store.live.makeNumber()
    self.body = body
  }

  var error: (any Error)? { failure.withLock { $0 } }
  var sequences: [UInt64] { seen.withLock { $0.map(\.sequence) } }
  var value: Value? { seen.withLock { $0.last?.value } }

  /// Runs the hub until the last commit was seen: each of its steps makes commits for the next.
  func wait(for store: Store) throws {
    for _ in 0..<10_000 {
      store.live.drain()
      if try sequences.last == store.sequence { return }
    }
  }

  func update(_ values: [any Sendable], _ sequence: UInt64) {
    guard let value = values.first as? Value else { return fail(WrongType()) }
    do { try body(seen.withLock { $0.count + 1 }) } catch { fail(error) }
    // Afterwards, so that `wait` sees the commits that the closure makes.
    seen.withLock { $0.append((value, sequence)) }
  }

  func end() {}

  private struct WrongType: Error {}

  func fail(_ error: any Error) {
    failure.withLock { $0 = error }
    Issue.record(error)
  }
}

extension SeenResults<ResultRows> {
  func entry<M: Model>(of query: Query<M>) -> ObserverEntry {
    .values(self, [.query(query.core, M.schema)])
  }

  var songs: [Song]? {
    get throws {
      try value.map { rows in try (0..<rows.count).map { try rows[$0].object(as: Song.self) } }
    }
  }
}

extension SeenResults<LiveObject.Row> {
  func entry(of key: Int) -> ObserverEntry {
    var code = _ByteBuffer()
    key.appendKey(to: &code)
    // Safety: the code is copied while the buffer lives.
    return .values(self, [.object(unsafe [UInt8](code.bytes), Song.schema)])
  }
}
