public import Dispatch

/// A length of time, as schedulers and operators take it: `.seconds(1)`, `.milliseconds(300)`.
public typealias RxTimeInterval = DispatchTimeInterval

/// A moment on the clock of a scheduler.
///
/// Clocks do not jump, and each has a zero of its own: a moment says something only beside
/// another one of the same scheduler. It is no calendar date.
public struct RxTime: Hashable, Sendable {
  /// How many nanoseconds after the clock's zero it is.
  public let nanoseconds: Int64

  /// Makes the moment so many nanoseconds after the clock's zero.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// How many seconds it is after another moment; negative when it is before.
  public func timeIntervalSince(_ other: RxTime) -> Double {
    Double(nanoseconds - other.nanoseconds) / 1e9
  }

  /// The moment so many seconds later; earlier when they are negative.
  public func addingTimeInterval(_ seconds: Double) -> RxTime {
    RxTime(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
  }
}

extension RxTime: Comparable {
  /// Whether the first moment is before the second.
  public static func < (earlier: RxTime, later: RxTime) -> Bool {
    earlier.nanoseconds < later.nanoseconds
  }
}

extension RxTime {
  /// What the clock of the machine says, which runs on whatever happens to the calendar.
  static var uptime: RxTime {
    RxTime(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  /// The moment after an interval; the end of time after one that is too long.
  func advanced(by interval: RxTimeInterval) -> RxTime {
    let (sum, isOver) = nanoseconds.addingReportingOverflow(interval.nanoseconds)
    return RxTime(nanoseconds: isOver ? .max : sum)
  }

  /// How long it still is until another moment; zero when that has come.
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
