package import Foundation

extension TaskDate {
  /// The day on which a moment is, in a time zone.
  package init(day moment: Date, in zone: TimeZone) {
    self = TaskDate(localSeconds: moment.wholeSeconds + zone.offset(at: moment)).wholeDay
  }

  /// The date and time of a moment in a zone; a day without a time for its first moment.
  ///
  /// Programs that keep moments alone write a day as its first moment.
  package init(_ moment: Date, in zone: TimeZone) {
    let date = TaskDate(localSeconds: moment.wholeSeconds + zone.offset(at: moment))
    let day = date.wholeDay
    self = day.moment(in: zone).wholeSeconds == moment.wholeSeconds ? day : date
  }

  /// The moment of this date and time in a zone; the first moment of the day without a time.
  ///
  /// For a time that a change of the clock skips, it is the moment of the change; for a time that
  /// comes twice, it is the first one.
  package func moment(in zone: TimeZone) -> Date {
    let local = secondsSince1970
    let offsets = [-86_400, 86_400].map {
      zone.offset(at: Date(timeIntervalSince1970: TimeInterval(local + $0)))
    }
    let moments = offsets.map { Date(timeIntervalSince1970: TimeInterval(local - $0)) }
    let shown = moments.filter { $0.wholeSeconds + zone.offset(at: $0) == local }
    return shown.min() ?? moments[0]
  }

  /// The seconds from 1970 to this date and time of a clock in Greenwich.
  private var secondsSince1970: Int {
    var parts = tm(year: year, month: month, day: day)
    return timegm(&parts) + (time?.seconds ?? 0)
  }

  /// The date and time of a clock in Greenwich at a second since 1970, within the years of a date.
  private init(localSeconds: Int) {
    var second = Swift.min(Swift.max(localSeconds, Date.firstSecond), Date.lastSecond)
    var parts = tm()
    gmtime_r(&second, &parts)
    let time = Time(
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
    let date = TaskDate(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      time: time)
    guard let date else { preconditionFailure("Keep the seconds within the years 1 to 9999.") }
    self = date
  }
}

extension tm {
  /// The first second of a day; `timegm` makes a day of March of 31 February.
  init(year: Int, month: Int, day: Int) {
    self.init()
    tm_year = Int32(year - 1900)
    tm_mon = Int32(month - 1)
    tm_mday = Int32(day)
  }
}

extension Date {
  /// The first second of the year 1.
  static let firstSecond = -62_135_596_800
  /// The last second of the year 9999.
  static let lastSecond = 253_402_300_799

  /// The seconds since 1970 without their fraction, within the years of a date.
  var wholeSeconds: Int {
    let seconds = timeIntervalSince1970
    guard seconds > TimeInterval(Date.firstSecond) else { return Date.firstSecond }
    return seconds < TimeInterval(Date.lastSecond) ? Int(seconds.rounded(.down)) : Date.lastSecond
  }

  /// The moment as `20260601T123000Z`.
  var compactUTC: String { clock.compact + "Z" }

  /// The moment as `2026-06-01T12:30:00Z`.
  var dashedUTC: String {
    let clock = clock
    let time = [clock.time?.hour ?? 0, clock.time?.minute ?? 0, clock.time?.second ?? 0]
    return clock.dashed + "T" + time.map { $0.padded(2) }.joined(separator: ":") + "Z"
  }

  /// What a clock shows in Greenwich, always with a time.
  private var clock: TaskDate {
    var date = TaskDate(self, in: .gmt)
    date.time = date.time ?? TaskDate.Time(hour: 0, minute: 0)
    return date
  }
}

extension TimeZone {
  /// The seconds that clocks are ahead of those in Greenwich.
  func offset(at moment: Date) -> Int {
    self == .gmt
      ? 0 : secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(moment.wholeSeconds)))
  }
}
