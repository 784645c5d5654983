public import Synchronization

/// One observer's place in a broadcast, and the handle that gives it up.
///
/// It does not hold the observer: the broadcast does. So an observer may hold its own handle
/// without keeping itself alive.
@usableFromInline
final class Seat: Disposable, Sendable {
  @usableFromInline static let live: UInt8 = 0
  @usableFromInline static let replaying: UInt8 = 1
  @usableFromInline static let gone: UInt8 = 2

  @usableFromInline let status: Atomic<UInt8>
  /// Keeps live events back while the subscriber's thread replays earlier ones.
  @usableFromInline let gate = Drain()
  private weak let broadcast: (any SeatKeeper)?
  private let key = Atomic<UInt64>(0)

  init(in broadcast: any SeatKeeper, isReplaying: Bool) {
    self.broadcast = broadcast
    status = Atomic(isReplaying ? Self.replaying : Self.live)
    if isReplaying { _ = gate.enter() }
  }

  /// Whether the observer left or had its terminal event.
  @usableFromInline
  var isGone: Bool { status.load(ordering: .acquiring) == Self.gone }

  /// The place in the keeper's list; zero before it was given one.
  var row: UInt64 {
    get { key.load(ordering: .relaxed) }
    set { key.store(newValue, ordering: .relaxed) }
  }

  /// Marks the seat as left; true for the one caller that did it.
  func vacate() -> Bool {
    status.exchange(Self.gone, ordering: .acquiringAndReleasing) != Self.gone
  }

  /// Lets live events through: first those kept back, then directly.
  func endReplay() {
    gate.leave()
    // Whoever delivers next holds the broadcast's drain, as whoever uses the gate does from now
    // on: going round the gate cannot overtake anything.
    _ = status.compareExchange(
      expected: Self.replaying, desired: Self.live, ordering: .acquiringAndReleasing)
  }

  @usableFromInline
  func dispose() {
    if vacate() { broadcast?.seatWasLeft(self) }
  }
}

/// What a seat tells when its observer leaves.
@usableFromInline
protocol SeatKeeper: AnyObject, Sendable {
  func seatWasLeft(_ seat: Seat)
}
