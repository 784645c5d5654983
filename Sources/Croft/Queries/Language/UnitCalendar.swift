import CroftFoundation

/// A calendar whose units never change, and which equals every other calendar with the same units.
///
/// Languages do not matter, and what follows the user's settings is taken with its present value.
struct UnitCalendar: Hashable, Sendable {
  let calendar: Calendar
  /// The offset of a time zone from Greenwich whose identifier has only the minutes; nil for others.
  ///
  /// Foundation compares, encodes and names such zones by their identifiers, which lack the seconds.
  let offsetSeconds: Int?

  init(_ other: Calendar) {
    // A zone of one offset has it at any date.
    let zone = other.timeZone
    let seconds = zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: 0))
    let hasSeconds = zone.identifier.hasPrefix("GMT") && seconds % Self.secondsOfMinute != 0
    self.init(other, offsetSeconds: hasSeconds ? seconds : nil)
  }

  /// The units of a calendar, as the catalog stores it.
  ///
  /// - Parameter offsetSeconds: The offset of its time zone where its identifier lacks the seconds.
  init(_ other: Calendar, offsetSeconds: Int?) {
    // A new calendar: one that is changed keeps a time zone that Foundation takes for the same.
    var calendar = Calendar(identifier: other.identifier)
    calendar.locale = Locale(identifier: "en_US_POSIX")
    calendar.firstWeekday = other.firstWeekday
    calendar.minimumDaysInFirstWeek = other.minimumDaysInFirstWeek
    calendar.timeZone =
      offsetSeconds.flatMap { TimeZone(secondsFromGMT: $0) }
      ?? TimeZone(identifier: other.timeZone.identifier) ?? other.timeZone
    (self.calendar, self.offsetSeconds) = (calendar, offsetSeconds)
  }

  private static let secondsOfMinute = 60

  /// What the units depend on, beside the calendar's identifier.
  var fingerprint: String {
    let zone = calendar.timeZone.identifier + (offsetSeconds.map { " \($0)" } ?? "")
    return "\(zone) \(calendar.firstWeekday) \(calendar.minimumDaysInFirstWeek)"
  }
}
