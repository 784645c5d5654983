internal import CroftLibc

/// The time on the monotonic clock at which waiting ends.
struct Deadline {
  /// The time of the monotonic clock, whose seconds may be any number: its nanoseconds may need more
  /// than 64 bits.
  private let time: Duration

  /// The time after a duration from now; a negative one counts as zero.
  init(after duration: Duration, from now: Duration = Deadline.now) {
    time = now + max(.zero, min(duration, .seconds(1 << 32)))
  }

  /// A time that is never reached, for conditions that other threads soon fulfil.
  static var farAhead: Deadline { Deadline(after: .seconds(1 << 31)) }

  /// The nanoseconds until then, or zero when it is past.
  var remainingNanoseconds: UInt64 {
    let (seconds, attoseconds) = max(.zero, min(time - Deadline.now, .seconds(1 << 32))).components
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }

  /// The time for pthread functions: absolute on Linux, relative on Apple's systems.
  var timespecForWaiting: timespec {
    #if canImport(Darwin)
      let (seconds, attoseconds) = max(.zero, time - Deadline.now).components
    #else
      let (seconds, attoseconds) = time.components
    #endif
    return timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  }

  /// Suspends the thread, but not past the deadline; false when the deadline has come.
  func sleep(atMostNanoseconds limit: UInt64) -> Bool {
    let remaining = remainingNanoseconds
    guard remaining > 0 else { return false }
    var pause = timespec(tv_sec: 0, tv_nsec: Int(min(limit, remaining, 999_999_999)))
    // Safety: the structure is a local variable. Waking early through a signal does no harm.
    _ = unsafe nanosleep(&pause, nil)
    return true
  }

  /// Nanoseconds of a monotonic clock that is precise to a few milliseconds, and fast to read.
  ///
  /// The count starts again at zero after 584 years: use differences.
  static var coarseNow: UInt64 {
    #if canImport(Darwin)
      let time = time(of: CLOCK_MONOTONIC_RAW_APPROX)
    #else
      let time = time(of: CLOCK_MONOTONIC_COARSE)
    #endif
    return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  private static var now: Duration {
    let time = time(of: CLOCK_MONOTONIC)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The time of the system's clock, which may be set forward and back.
  static var systemTime: Duration {
    let time = time(of: CLOCK_REALTIME)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func time(of clock: clockid_t) -> timespec {
    var time = timespec()
    // Safety: the structure is a local variable, and these clocks always exist.
    _ = unsafe clock_gettime(clock, &time)
    return time
  }
}
