public import CroftFoundation
import Synchronization

extension UUID {
  /// Makes a version 7 UUID: it starts with the time, so new keys go to the end of the tree.
  ///
  /// Values made in one process ascend strictly: within a millisecond, and when the clock is set
  /// back, the 74 bits after the time are incremented (RFC 9562, section 6.2, method 2). Values of
  /// different processes are ordered by their clocks.
  ///
  /// Threads: may be called from any thread.
  ///
  /// - Returns: A UUID greater than every one this function returned before.
  public static func timeOrdered() -> UUID {
    let now = UInt64(max(0, Date.now.timeIntervalSince1970 * 1000))
    var random = SystemRandomNumberGenerator()
    return timeOrdered(milliseconds: now, using: &random)
  }

  /// The same with a given clock reading and source of randomness, for tests.
  static func timeOrdered(
    milliseconds: UInt64, using random: inout some RandomNumberGenerator
  ) -> UUID {
    let fresh = (random.next(upperBound: UInt64(1) << 12), random.next() >> 2)
    let step = random.next(upperBound: UInt64(1) << 32) + 1
    let next = lastTimeOrdered.withLock { last in
      if milliseconds > last.milliseconds {
        last = TimeOrderedState(milliseconds: milliseconds, high: fresh.0, low: fresh.1)
      } else {
        last.count(by: step)
      }
      return last
    }
    return UUID(
      words: (
        next.milliseconds << 16 | 0x7000 | next.high,
        0b10 << 62 | next.low
      ))
  }
}

/// The last value's parts: 48 bits of time, 12 and 62 bits of random counter.
struct TimeOrderedState: Sendable {
  var milliseconds: UInt64
  var high: UInt64
  var low: UInt64

  /// Increments the random part; on overflow it uses the next millisecond.
  mutating func count(by step: UInt64) {
    low += step
    guard low >> 62 != 0 else { return }
    low &= (1 << 62) - 1
    high += 1
    guard high >> 12 != 0 else { return }
    high = 0
    milliseconds += 1
  }
}

/// Protected by its own lock; shared by the whole process so that values ascend.
private let lastTimeOrdered = Mutex(TimeOrderedState(milliseconds: 0, high: 0, low: 0))
