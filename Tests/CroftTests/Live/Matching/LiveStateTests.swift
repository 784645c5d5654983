import Dispatch
import Synchronization
import Testing

@testable import Croft

/// What observers of several computations get when one of the computations fails or has to wait.
@Suite(.keepsFailedStores) struct LiveStateTests {
  /// An observer that keeps what it is given.
  private final class Observer: ValueObserver {
    let number: Int
    private let failure = Mutex<(any Error)?>(nil)
    private let given = Mutex<[[any Sendable]]>([])

    init(_ number: Int) { self.number = number }

    var error: (any Error)? { failure.withLock { $0 } }
    var values: [[any Sendable]] { given.withLock { $0 } }

    func update(_ values: [any Sendable], _ sequence: UInt64) {
      given.withLock { $0.append(values) }
    }
    func fail(_ error: any Error) { failure.withLock { $0 = error } }
    func end() {}
  }

  /// The error of a partner once ended the computation that a new observer was about to get.
  ///
  /// A computation ahead of the state is run again, with those that are observed together with it, when
  /// an observer joins. One of these failed and ended the only other observer: the process ended.
  @Test func anObserverJoinsAComputationWhosePartnerFails() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<3)) }
      let fails = Mutex(false)
      let reading = ReadRequest { tx -> Int in
        if fails.withLock({ $0 }) { throw Refused() }
        return try tx.fetch(Song.all.sum(\.plays))
      }
      let songs = Song.all._target.sources
      let (first, second) = (Observer(1), Observer(2))
      var state = LiveState()
      try state.add(
        .values(first, songs + reading._target.sources), isBehind: false, store)
      state.publish()
      #expect(first.values.count == 1 && first.error == nil)
      // As after a run that read a commit that the state has yet to apply.
      state.position -= 1
      try store.write { _ = try $0.update(Song.self, 1) { $0.plays = 9 } }
      fails.withLock { $0 = true }
      try state.add(.values(second, songs), isBehind: true, store)
      state.publish()
      #expect(first.error is Refused && first.values.count == 1)
      let rows = try #require(second.values.last?.first as? ResultRows)
      #expect(LiveResults<Song>(rows).map(\.plays) == [0, 9, 2])
      #expect(second.error == nil && state.computations.count == 1)
    }
  }

  /// Each of several closures was once read in a transaction of its own.
  @Test func closuresOfOneRequestReadOneCommitAtFirst() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(Song(id: 1, title: "one")) }
      let isFirst = Mutex(true)
      let writer = DispatchQueue(label: "writer")
      let plays = ReadRequest { tx -> Int? in
        let value = try tx.get(Song.self, 1)?.plays
        let commits = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if commits {
          try writer.sync {
            try store.write { _ = try $0.update(Song.self, 1) { $0.plays = 7 } }
          }
        }
        return value
      }
      let told = Recorder<[Int?]>()
      // On the hub's queue, so that no value is left out.
      let token = store.observe(CombinedRequest(plays, plays), on: Delivery { $0() }) {
        told.add([$0, $1])
      }
      while told.all.last != [7, 7], token.error == nil { store.live.drain() }
      #expect(told.all == [[0, 0], [7, 7]])
    }
  }
}
