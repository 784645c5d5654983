import CroftFoundation
import Presentation
import TodoKit

/// The current time, in the time zone of the process.
struct WallClock: Sendable {
  let now: @Sendable () -> Date
  /// The offset of local time from UTC at a moment.
  let secondsFromUTC: @Sendable (Date) -> Int
  /// The time zone, for files that name others.
  var timeZone: @Sendable () -> TimeZone = { .gmt }

  /// The local day now.
  var today: CalendarDay { day(of: now()) }

  var time: TimeOfDay { time(of: now()) }

  /// The local time of a moment, to the minute: `2026-06-01 09:30`.
  func text(of date: Date) -> String { "\(day(of: date)) \(time(of: date))" }

  /// The moment at which a local day begins: where clocks skip midnight, that of the change.
  func start(of day: CalendarDay) -> Date {
    let midnight = Double(day.number - CalendarDay.epoch) * 86_400
    // Clocks change at most once in two days, so that one of the two offsets is that of midnight.
    let moments = [-86_400.0, 86_400].map { distance in
      let nearby = Date(timeIntervalSince1970: midnight + distance)
      return Date(timeIntervalSince1970: midnight - Double(secondsFromUTC(nearby)))
    }
    return moments.filter { localSeconds(at: $0) == midnight }.min() ?? moments[0]
  }

  private func time(of date: Date) -> TimeOfDay {
    let passed = min(max(-1e12, (localSeconds(at: date) / 60).rounded(.down)), 1e12)
    let minutes = Int(passed) % 1440
    guard let time = TimeOfDay(rawValue: Int16((minutes + 1440) % 1440)) else {
      preconditionFailure("A remainder of the minutes of a day must be a time of day.")
    }
    return time
  }

  private func day(of date: Date) -> CalendarDay {
    CalendarDay(localSeconds: localSeconds(at: date))
  }

  private func localSeconds(at date: Date) -> Double {
    date.timeIntervalSince1970 + Double(secondsFromUTC(date))
  }
}

/// Days as they are typed and printed.
extension WallClock {
  /// The day that words name; nil for `none`.
  func dueDay(_ words: String) throws -> CalendarDay? {
    try read(words, at: .due, by: CalendarDay.init(words:today:))
  }

  /// The day, the time or both that words name; nil for `none`.
  func due(_ words: String) throws -> DueChange? {
    try read(words, at: .dueTime, by: DueChange.init(words:today:))
  }

  private func read<Read>(
    _ words: String, at path: FieldPath, by read: (String, CalendarDay) -> Read?
  ) throws -> Read? {
    let today = today
    if let read = read(words, today) { return read }
    if words.meansNone { return nil }
    // Words that named a day on Monday and name none today mean a day that has passed.
    if let monday = today.adding(days: 1 - today.weekday),
      let passed = DueChange(words: words, today: monday)?.day, passed < today
    {
      let name = LocalizedText.day(passed)
      throw CommandError(
        "That day of this week has passed: \(name.english). Write next week's as \"next fri\".",
        "이번 주의 그날은 지났습니다: \(name.korean). 다음 주는 \"다음주 금\"처럼 쓰세요.", .usage)
    }
    throw CommandError(.unknownWord(words, at: path), .usage)
  }
}

extension LocalizedText {
  /// When an item is due: the day with its day of the week, and the time; nil without a day.
  static func due(_ item: TodoItem) -> LocalizedText? {
    guard let day = item.due.map(day) else { return nil }
    guard let time = item.dueTime else { return day }
    return LocalizedText("\(day.english) \(time)", "\(day.korean) \(time)")
  }

  /// A day with its day of the week.
  static func day(_ day: CalendarDay) -> LocalizedText {
    let (name, korean) = (
      CalendarDay.weekdayNames[day.weekday - 1], CalendarDay.koreanWeekdays[day.weekday - 1]
    )
    let english = name.prefix(1).uppercased() + name.dropFirst()
    return LocalizedText("\(day) (\(english))", "\(day) (\(korean))")
  }

  /// The days that can be written, for the help of verbs that take one.
  static let daysHelp = LocalizedText(
    """
      A DAY is today, tomorrow, yesterday, fri (the next one, not today), this fri (perhaps today), \
    next fri (that of next week), last fri, next week, next month, 3d, 2w, 1m, 1y, in 3 days, 15th, \
    6/1, dec 25, 2026-06-01, 20260601, weekend, eow, eom, eoy, or 내일, 금요일, 다음주 금, 3일 뒤, 25일 and \
    the like in Korean. Weeks begin on Monday.
    """,
    """
      DAY는 오늘, 내일, 모레, 글피, 어제, 금요일(다음번 금요일, 오늘 제외), 다음주, 다음주 월, 이번주 금(지났으면 \
    쓸 수 없음), 지난 금요일, 다음달, 다음달 3일, 3일 뒤, 열흘 뒤, 2주 뒤, 한 달 뒤, 25일, 6/1, 6월 1일, \
    2026-06-01, 20260601, 주말, 월말, 연말, 또는 today, fri, next fri 같은 영어입니다. 한 주는 월요일에 시작합니다.
    """)

  /// The days and times that can be written, for verbs that take both.
  static let timesHelp = LocalizedText(
    daysHelp.english + """
       A time may follow it, or come alone: "fri 14:30", fri,14:30, 3pm, "내일 오후 3시"; "all day" removes it.
      """,
    daysHelp.korean + """
       뒤에 시각을 붙이거나 시각만 쓸 수 있습니다: "금요일 14:30", 내일,14:30, 오후 3시. 종일이라고 쓰면 시각이 없어집니다.
      """)
}
