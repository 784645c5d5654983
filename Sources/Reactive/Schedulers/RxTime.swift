public import Dispatch

/// The intervals of schedulers and operators: `.seconds(1)`, `.milliseconds(300)`.
public typealias RxTimeInterval = DispatchTimeInterval

/// A time on the clock of a scheduler.
///
/// Clocks are monotonic, and each has a zero of its own, so only times of one scheduler can be
/// compared. It is not a calendar date.
public struct RxTime: Hashable, Sendable {
  /// How many nanoseconds after the clock's zero it is.
  public let nanoseconds: Int64

  /// Makes a time from the nanoseconds after the clock's zero.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The seconds since another time; negative when it is earlier.
  public func timeIntervalSince(_ other: RxTime) -> Double {
    Double(nanoseconds - other.nanoseconds) / 1e9
  }

  /// The time that is later by a number of seconds, or earlier when that is negative.
  public func addingTimeInterval(_ seconds: Double) -> RxTime {
    RxTime(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
  }
}

extension RxTime: Comparable {
  /// Whether the first time is before the second.
  public static func < (earlier: RxTime, later: RxTime) -> Bool {
    earlier.nanoseconds < later.nanoseconds
  }
}

extension RxTime {
  /// The time of the machine's monotonic clock, which changes of the calendar do not affect.
  static var uptime: RxTime {
    RxTime(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  /// The time after an interval; the greatest time when the sum overflows.
  func advanced(by interval: RxTimeInterval) -> RxTime {
    let (sum, isOver) = nanoseconds.addingReportingOverflow(interval.nanoseconds)
    return RxTime(nanoseconds: isOver ? .max : sum)
  }

  /// The interval until another time; zero when that is not later.
  func interval(until later: RxTime) -> RxTimeInterval {
    .nanoseconds(Int(clamping: max(0, later.nanoseconds - nanoseconds)))
  }
}

extension DispatchTimeInterval {
  /// Whether it never ends.
  var isEndless: Bool { self == .never }

  /// Its length in nanoseconds; the greatest number when it is longer, or never ends.
  var nanoseconds: Int64 {
    switch self {
    case .seconds(let count): Self.nanoseconds(count, of: 1_000_000_000)
    case .milliseconds(let count): Self.nanoseconds(count, of: 1_000_000)
    case .microseconds(let count): Self.nanoseconds(count, of: 1_000)
    case .nanoseconds(let count): Int64(count)
    case .never: .max
    @unknown default: .max
    }
  }

  private static func nanoseconds(_ count: Int, of unit: Int64) -> Int64 {
    let (product, isOver) = Int64(count).multipliedReportingOverflow(by: unit)
    return isOver ? (count < 0 ? .min : .max) : product
  }
}
