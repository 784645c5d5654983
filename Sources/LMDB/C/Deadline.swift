#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The time on the monotonic clock at which waiting ends.
struct Deadline {
  /// Nanoseconds of the monotonic clock.
  private let nanoseconds: UInt64

  /// The time after a duration from now; a negative one counts as zero.
  init(after duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let ahead = max(0, min(seconds, 1 << 32)) * 1_000_000_000 + max(0, attoseconds / 1_000_000_000)
    nanoseconds = Deadline.now + UInt64(ahead)
  }

  /// A time that is never reached, for conditions that other threads soon fulfil.
  static var farAhead: Deadline { Deadline(after: .seconds(1 << 31)) }

  /// The nanoseconds until then, or zero when it is past.
  var remainingNanoseconds: UInt64 {
    let now = Deadline.now
    return nanoseconds > now ? nanoseconds - now : 0
  }

  /// The time for pthread functions: absolute on Linux, relative on Apple's systems.
  var timespecForWaiting: timespec {
    #if canImport(Darwin)
      let value = remainingNanoseconds
    #else
      let value = nanoseconds
    #endif
    return timespec(
      tv_sec: Int(value / 1_000_000_000), tv_nsec: Int(value % 1_000_000_000))
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
  static var coarseNow: UInt64 {
    #if canImport(Darwin)
      nanoseconds(of: CLOCK_MONOTONIC_RAW_APPROX)
    #else
      nanoseconds(of: CLOCK_MONOTONIC_COARSE)
    #endif
  }

  private static var now: UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }

  private static func nanoseconds(of clock: clockid_t) -> UInt64 {
    var time = timespec()
    // Safety: the structure is a local variable, and these clocks always exist.
    _ = unsafe clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
