import Foundation

/// How exactly a format keeps the times at which tasks were made and done.
enum TimePrecision {
  /// To the second.
  case seconds
  /// To the day, in a time zone.
  case days(TimeZone)

  func areEqual(_ one: Date?, _ other: Date?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    switch self {
    case .seconds: return one.wholeSeconds == other.wholeSeconds
    case .days(let zone):
      return TaskDate(day: one, in: zone) == TaskDate(day: other, in: zone)
    }
  }
}
