public import Croft
package import CroftFoundation

/// A day of the calendar: year, month and day, but not a moment in time.
///
/// It is the same day everywhere, so it cannot drift when it is read in another time zone.
/// It is written, also in JSON, as ISO 8601 has it: `2026-06-01`.
public struct CalendarDay: RawRepresentable, StoredEnum, Hashable, Sendable {
  /// The day as a number whose decimal digits are year, month and day: 20260601.
  public let rawValue: Int32

  /// Makes the day of a number as `rawValue` gives it; nil for another number.
  public init?(rawValue: Int32) {
    self.init(
      year: Int(rawValue) / 10_000, month: Int(rawValue) / 100 % 100, day: Int(rawValue) % 100)
  }

  /// Makes a day of the Gregorian calendar; nil where there is none, such as 30 February.
  ///
  /// - Parameters:
  ///   - year: From 1 to 9999.
  ///   - month: From 1 to 12.
  ///   - day: From 1 to the last day of the month.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.lengths[month - 1] + (month == 2 && Self.isLeap(year) ? 1 : 0)
    else { return nil }
    rawValue = Int32(year * 10_000 + month * 100 + day)
  }

  /// The last day that there is, after which lists put what has no day.
  static let last: CalendarDay = {
    guard let day = CalendarDay(year: 9999, month: 12, day: 31) else {
      preconditionFailure("The year 9999 has an end.")
    }
    return day
  }()

  /// The year, from 1 to 9999.
  public var year: Int { Int(rawValue) / 10_000 }
  /// The month, from 1 to 12.
  public var month: Int { Int(rawValue) / 100 % 100 }
  /// The day of the month, from 1.
  public var day: Int { Int(rawValue) % 100 }

  /// The days of each month of a year without a leap day.
  private static let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  /// How many days its month has.
  var lengthOfMonth: Int {
    Self.lengths[month - 1] + (month == 2 && Self.isLeap(year) ? 1 : 0)
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The number of days from 1 March of the year 0 to this day.
  ///
  /// A year that begins in March has its leap day at its end, so months have fixed starts.
  public var number: Int {
    let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    return year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1
  }

  /// Makes the day of a `number`; nil outside the years from 1 to 9999.
  public init?(number: Int) {
    guard (306...3_652_364).contains(number) else { return nil }
    let era = number / 146_097
    let rest = number % 146_097
    let yearOfEra = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365
    let dayOfYear = rest - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    self.init(
      year: era * 400 + yearOfEra + (month < 10 ? 0 : 1),
      month: month < 10 ? month + 3 : month - 9, day: dayOfYear - (153 * month + 2) / 5 + 1)
  }

  /// The day of a moment in a time zone; the first or last day for moments outside of the years.
  package init(_ moment: Date, in zone: TimeZone) {
    self.init(
      localSeconds: moment.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: moment)))
  }

  /// The day of a clock so many seconds after 1970; the first or last day outside of the years.
  package init(localSeconds seconds: Double) {
    let days = min(max(-1e9, (seconds / 86_400).rounded(.down)), 1e9)
    self = CalendarDay(number: min(max(306, Self.epoch + Int(days)), 3_652_364)) ?? .last
  }

  /// The number of 1 January 1970.
  package static let epoch = 719_468

  /// The day a number of days later, or earlier for a negative one; nil outside of the years.
  public func adding(days: Int) -> CalendarDay? {
    let (sum, overflow) = number.addingReportingOverflow(days)
    return overflow ? nil : CalendarDay(number: sum)
  }

  /// The day of the week: 1 is Monday, 7 is Sunday, as ISO 8601 counts.
  public var weekday: Int { (number + 2) % 7 + 1 }
}

extension CalendarDay: Comparable {
  /// Orders earlier days first.
  public static func < (lhs: CalendarDay, rhs: CalendarDay) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}

extension CalendarDay: TextCodable {
  /// How the text is written, for the error of another text.
  public static let textForm = "A day is written 2026-06-01"

  /// Reads `2026-06-01`: four, two and two digits; nil for anything else.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2] else { return nil }
    let numbers = parts.compactMap { part -> Int? in
      guard part.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
        return nil
      }
      return part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    guard numbers.count == 3 else { return nil }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// The day as ISO 8601 has it.
  public var description: String {
    "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}
