import Synchronization

/// The time of a simulation.
final class SimulatedClock: Sendable {
  private let time = Mutex(1_000_000.0)

  var seconds: Double { time.withLock { $0 } }

  func advance(by seconds: Int) { time.withLock { $0 += Double(seconds) } }

  /// A clock that is off by some milliseconds.
  func milliseconds(skew: Int64) -> @Sendable () -> UInt64 {
    { UInt64(Int64(self.seconds * 1_000) + skew) }
  }
}
