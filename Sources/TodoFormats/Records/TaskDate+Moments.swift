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
    let local = daysSince1970 * 86_400 + (time?.seconds ?? 0)
    let offsets = [-86_400, 86_400].map {
      zone.offset(at: Date(timeIntervalSince1970: TimeInterval(local + $0)))
    }
    let moments = offsets.map { Date(timeIntervalSince1970: TimeInterval(local - $0)) }
    let shown = moments.filter { $0.wholeSeconds + zone.offset(at: $0) == local }
    return shown.min() ?? moments[0]
  }

  /// The days from 1 January 1970; a year begins in March, so that its leap day is the last.
  private var daysSince1970: Int {
    let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    let days = year * 365 + year / 4 - year / 100 + year / 400
    return days + (153 * month + 2) / 5 + day - 1 - 719_468
  }

  /// The date that so many seconds after midnight of 1 January 1970 are, within the years of a date.
  private init(localSeconds: Int) {
    let seconds = Swift.min(Swift.max(localSeconds, Date.firstSecond), Date.lastSecond)
    // Seconds are counted from the first of March of the year 0, so that divisions round down.
    let shifted = seconds + 719_468 * 86_400
    let (number, second) = shifted.quotientAndRemainder(dividingBy: 86_400)
    let era = number / 146_097
    let rest = number % 146_097
    let yearOfEra = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365
    let dayOfYear = rest - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let date = TaskDate(
      year: yearOfEra + era * 400 + (month < 10 ? 0 : 1), month: month < 10 ? month + 3 : month - 9,
      day: dayOfYear - (153 * month + 2) / 5 + 1,
      time: Time(hour: second / 3600, minute: second / 60 % 60, second: second % 60))
    guard let date else { preconditionFailure("Keep the seconds within the years 1 to 9999.") }
    self = date
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
  var dashedUTC: String { clock.dashedToTheSecond + "Z" }

  /// What a clock shows in Greenwich, always with a time.
  private var clock: TaskDate {
    var date = TaskDate(self, in: .gmt)
    date.time = date.time ?? TaskDate.Time(hour: 0, minute: 0)
    return date
  }
}

extension TaskDate {
  /// The date as `2026-06-01T12:30:00`; a day is its first second.
  var dashedToTheSecond: String {
    let time = [time?.hour ?? 0, time?.minute ?? 0, time?.second ?? 0]
    return dashed + "T" + time.map { $0.padded(2) }.joined(separator: ":")
  }
}

extension TimeZone {
  /// The seconds that clocks are ahead of those in Greenwich.
  func offset(at moment: Date) -> Int {
    self == .gmt
      ? 0 : secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(moment.wholeSeconds)))
  }
}
