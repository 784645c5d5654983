import CroftFoundation

/// A point in time as a query text names it: a date, a moment, or one that counts from now.
struct QueryMoment {
  /// The units of time by their signs.
  static let units: [String: Calendar.Component] = [
    "s": .second, "m": .minute, "h": .hour, "d": .day, "w": .weekOfYear, "mo": .month, "y": .year,
  ]

  /// The calendar whose time zone has the dates that name none: Gregorian, as dates are written.
  let calendar: Calendar
  let now: Date

  init(calendar: Calendar, now: Date) {
    var gregorian = calendar
    if ![.gregorian, .iso8601].contains(calendar.identifier) {
      gregorian = Calendar(identifier: .gregorian)
      (gregorian.timeZone, gregorian.locale) = (calendar.timeZone, calendar.locale)
      gregorian.firstWeekday = calendar.firstWeekday
      gregorian.minimumDaysInFirstWeek = calendar.minimumDaysInFirstWeek
    }
    (self.calendar, self.now) = (gregorian, now)
  }

  /// The date of a text; nil for any other text, and where there is no such day or time.
  func date(_ text: String) -> Date? {
    guard QueryLexer.isMoment(text) else { return nil }
    let parts = text.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
    guard parts.count >= 3 else { return nil }
    var components = DateComponents()
    (components.year, components.month, components.day) = (parts[0], parts[1], parts[2])
    var calendar = calendar
    var fraction = 0.0
    if parts.count >= 5 {
      (components.hour, components.minute) = (parts[3], parts[4])
      let time = text.dropFirst("0000-00-00T00:00".count)
      if time.hasPrefix(":") {
        let seconds = time.dropFirst().prefix { $0.isNumber || $0 == "." }
        let whole = seconds.prefix { $0 != "." }
        guard let second = Int(whole), second < 60 else { return nil }
        components.second = second
        fraction = Double("0" + seconds.dropFirst(whole.count)) ?? 0
      }
      if text.hasSuffix("Z") {
        calendar.timeZone = .gmt
      } else if let sign = time.firstIndex(where: { $0 == "+" || $0 == "-" }) {
        let offset = time[sign...].dropFirst().split(separator: ":").compactMap { Int($0) }
        guard offset.count == 2, offset[1] < 60 else { return nil }
        let seconds = (offset[0] * 60 + offset[1]) * 60 * (time[sign] == "-" ? -1 : 1)
        guard let zone = TimeZone(secondsFromGMT: seconds) else { return nil }
        calendar.timeZone = zone
      }
    }
    guard let date = calendar.date(from: components) else { return nil }
    // Foundation takes the 31st of June for the first of July.
    let day = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    guard day.year == components.year, day.month == components.month, day.day == components.day,
      components.hour == nil || day.hour == components.hour && day.minute == components.minute
    else { return nil }
    // Added here, because a calendar has whole nanoseconds.
    return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate + fraction)
  }

  /// The seconds of the dates whose years have four digits: from the year 36 to the end of 9999.
  static let writtenSeconds: Range<Double> = -62_000_000_000..<252_423_993_600

  /// A date in Greenwich as a text that is read as exactly it.
  static func text(of seconds: Double) -> String {
    guard writtenSeconds.contains(seconds) else { return "\(seconds)" }
    let whole = seconds.rounded(.down)
    let date = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601)
    if seconds == whole { return date }
    // Both are multiples of one power of two, so that the difference is exact, and its digits have
    // an end; those that matter may end before.
    var (rest, digits) = (seconds - whole, "0.")
    while rest > 0, whole + (Double(digits) ?? 0) != seconds {
      rest *= 10
      digits += "\(Int(rest))"
      rest -= rest.rounded(.down)
    }
    return date.dropLast() + digits.dropFirst() + "Z"
  }

  /// A date some units of time later.
  func date(_ count: Int, _ unit: String, after date: Date) -> Date? {
    Self.units[unit].flatMap { calendar.date(byAdding: $0, value: count, to: date) }
  }

  /// The beginning of this day.
  var today: Date { calendar.startOfDay(for: now) }
}
