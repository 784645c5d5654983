public import Presentation

extension FieldPath {
  /// The path of the day by which an item is to be done.
  public static let due: FieldPath = "due"
}

extension CalendarDay {
  /// Reads a day as people name it, such as `내일`, `next fri` or `6/1`; nil for anything else.
  ///
  /// The forms are few, and nothing is guessed. Case, white space around and between words, and
  /// the normal form of Hangul do not matter.
  ///
  /// - `today`, `tonight`, `tomorrow`, `yesterday`; `오늘`, `오늘 저녁`, `내일`, `낼`, `모레`, `글피`, `어제`
  /// - `fri`, `friday`, `금`, `금요일`: the next such day, never today
  /// - `this fri`: the next such day, which may be today
  /// - `이번주 금`, `이번 금요일`: that day of this week, today or later; nil once it has passed
  /// - `next fri`, `다음주 금`, `다음 금요일`, `담주 금`: that day of the week after this one; weeks begin on
  ///   Monday
  /// - `last fri`, `지난 금요일`: the last such day, never today; `지난주 금`: that of the week before
  /// - `next week`, `다음주`: the Monday of the week after this one; `next month`, `다음 달`: its first day
  /// - `+3d`, `3d`, `in 3 days`, `in a week`, `+2w`, `+1m`, `+1y`; `3일 뒤`, `사흘 뒤`, `일주일 뒤`, `2주 후`,
  ///   `한 달 뒤`, `1개월 후`, `1년 뒤`; in a month without such a day its last one
  /// - `6/1`, `6.1`, `6월 1일`, `jun 1`, `1 june`: the next such date, which may be today; `25/12` and
  ///   `25.12.` where the first number can be no month
  /// - `15th`, `15일`: the next such day of a month, which may be today; `다음달 3일`
  /// - `2026-06-01`, `2026/6/1`, `2026.6.1`, `20260601`
  /// - `sow`, `주초`: the Monday of this week; `eow`, `weekend`, `주말`, `이번 주말`: its Sunday
  /// - `eom`, `월말`, `말일`: the last day of this month; `eoy`, `연말`: the last day of this year
  ///
  /// - Parameters:
  ///   - words: What was typed.
  ///   - today: The current day of the user who typed them.
  public init?(words: String, today: CalendarDay) {
    let text = words.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let day =
      CalendarDay(text) ?? today.named(text)
      ?? Self.count(text).flatMap { today.adding($0, $1, onDay: today.day) } ?? today.dated(text)
      ?? today.monthNamed(text) ?? today.inAMonth(text) ?? today.inAWeek(text)
    guard let day else { return nil }
    self = day
  }

  private func named(_ text: String) -> CalendarDay? {
    switch text {
    case "today", "tonight", "오늘", "오늘 저녁", "오늘 밤", "오늘밤": self
    case "tomorrow", "tmrw", "내일", "낼": adding(days: 1)
    case "yesterday", "어제": adding(days: -1)
    case "모레", "내일모레": adding(days: 2)
    case "글피": adding(days: 3)
    case "sow", "주초": adding(days: 1 - weekday)
    case "eow", "weekend", "this weekend", "주말", "이번 주말", "이번주말": adding(days: 7 - weekday)
    case "eom", "월말", "말일", "이달 말": Self.lastDay(upTo: 31, of: month, year)
    case "eoy", "연말": CalendarDay(year: year, month: 12, day: 31)
    case "next week", "다음주", "다음 주", "담주": adding(days: 8 - weekday)
    case "next month", "다음달", "다음 달", "담달": firstOfNextMonth
    default: nil
    }
  }

  /// A day of a month, or the month's last one where it has no such day.
  private static func lastDay(upTo day: Int, of month: Int, _ year: Int) -> CalendarDay? {
    (1...day).reversed().lazy.compactMap { CalendarDay(year: year, month: month, day: $0) }.first
  }

  private var firstOfNextMonth: CalendarDay? {
    CalendarDay(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
  }

  /// The day so many units from here.
  ///
  /// - Parameter day: The day of the month after months and years; in a shorter month its last one.
  func adding(_ count: Int, _ unit: RepeatRule.Unit, onDay day: Int) -> CalendarDay? {
    let isMonths = unit == .month || unit == .year
    let (total, overflow) = count.multipliedReportingOverflow(
      by: unit == .week ? 7 : unit == .year ? 12 : 1)
    if overflow || !isMonths { return overflow ? nil : adding(days: total) }
    let (sum, isTooFar) = (year * 12 + month - 1).addingReportingOverflow(total)
    return isTooFar ? nil : Self.lastDay(upTo: day, of: sum % 12 + 1, sum / 12)
  }

  /// The number and the unit of `+3d`, `in 3 days`, `3일 뒤` and the like.
  private static func count(_ text: String) -> (Int, RepeatRule.Unit)? {
    for unit in RepeatRule.Unit.allCases {
      let (word, letter) = (unit.rawValue, String(unit.rawValue.prefix(1)))
      let digits = text.between("+", letter) ?? text.between("", letter)
      if let count = digits.flatMap(number) { return (count, unit) }
      guard let rest = text.between("in ", "") else { continue }
      if ["a \(word)", "one \(word)"].contains(rest) { return (1, unit) }
      let amount = rest.between("", " \(word)s") ?? rest.between("", " \(word)")
      if let count = amount.flatMap(number) { return (count, unit) }
    }
    return koreanCount(text)
  }

  private static func koreanCount(_ text: String) -> (Int, RepeatRule.Unit)? {
    guard let rest = (text.between("", "뒤") ?? text.between("", "후"))?.trimmed else { return nil }
    let days = ["하루", "이틀", "사흘", "나흘", "닷새", "엿새", "이레", "여드레", "아흐레", "열흘"]
    if let index = days.firstIndex(of: rest) { return (index + 1, .day) }
    if rest == "보름" { return (15, .day) }
    if rest == "일주일" { return (7, .day) }
    let units: [(String, RepeatRule.Unit)] = [
      ("개월", .month), ("달", .month), ("년", .year), ("해", .year), ("주일", .week), ("주", .week),
      ("일", .day),
    ]
    let counts = ["한", "두", "세", "네"]
    for (word, unit) in units {
      guard let amount = rest.between("", word)?.trimmed else { continue }
      if let index = counts.firstIndex(of: amount) { return (index + 1, unit) }
      if amount == "일", word == "년" { return (1, unit) }
      if let count = number(amount) { return (count, unit) }
    }
    return nil
  }

  /// A month and a day, from here on.
  private func dated(_ text: String) -> CalendarDay? {
    let korean = text.between("", "일")?.split(separator: "월", omittingEmptySubsequences: false)
    if let whole = Self.wholeDate(text) { return whole }
    let separator: Character = text.contains(".") ? "." : "/"
    let parts = korean ?? text.split(separator: separator, omittingEmptySubsequences: false)
    // A date with dots may end in one: `6.1.` is the first of June, `25.12.` has no month 25.
    let endsInDot = korean == nil && parts.count == 3 && parts[2].isEmpty && separator == "."
    guard parts.count == 2 || endsInDot, let first = Self.number(String(parts[0])),
      let second = Self.number(String(parts[1]).trimmed)
    else { return nil }
    if korean == nil, first > 12 { return next(month: second, day: first) }
    return next(month: first, day: second)
  }

  /// The next such date, from here on; 29 February may be eight years away.
  private func next(month: Int, day: Int) -> CalendarDay? {
    (year...year + 8).lazy
      .compactMap { CalendarDay(year: $0, month: month, day: day) }.first { $0 >= self }
  }

  /// A date with the English name of its month, such as `dec 25` or `25 december`.
  private func monthNamed(_ text: String) -> CalendarDay? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "." }.map(String.init)
    guard words.count == 2 else { return nil }
    for (name, digits) in [(words[0], words[1]), (words[1], words[0])] {
      if let month = Self.month(name), let day = Self.ordinal(digits) ?? Self.number(digits) {
        return next(month: month, day: day)
      }
    }
    return nil
  }

  private static func month(_ name: String) -> Int? {
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september",
      "october", "november", "december",
    ]
    if name == "sept" { return 9 }
    return names.firstIndex { $0 == name || $0.prefix(3) == name }.map { $0 + 1 }
  }

  /// A day of this month or the next one: `15th`, `15일`, `다음달 3일`.
  private func inAMonth(_ text: String) -> CalendarDay? {
    for prefix in ["다음달 ", "다음 달 ", "담달 "] {
      if let day = text.between(prefix, "일").flatMap(Self.number) {
        return firstOfNextMonth.flatMap { CalendarDay(year: $0.year, month: $0.month, day: day) }
      }
    }
    guard let day = Self.ordinal(text) ?? text.between("", "일").flatMap(Self.number) else {
      return nil
    }
    return (0..<3).lazy.compactMap { months in
      let sum = year * 12 + month - 1 + months
      return CalendarDay(year: sum / 12, month: sum % 12 + 1, day: day)
    }.first { $0 >= self }
  }

  /// The number of `1st`, `2nd`, `3rd` or `15th`.
  private static func ordinal(_ text: String) -> Int? {
    ["st", "nd", "rd", "th"].lazy.compactMap { text.between("", $0).flatMap(number) }.first
  }

  /// A year, a month and a day, with other signs between them than dashes, or with none.
  private static func wholeDate(_ text: String) -> CalendarDay? {
    if text.count == 8, let digits = number(text) {
      return CalendarDay(year: digits / 10_000, month: digits / 100 % 100, day: digits % 100)
    }
    for separator in ["/", "."] as [Character] {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0].count == 4 else { continue }
      let numbers = parts.compactMap { number(String($0)) }
      return numbers.count == 3
        ? CalendarDay(year: numbers[0], month: numbers[1], day: numbers[2]) : nil
    }
    return nil
  }

  /// A day of the week.
  private func inAWeek(_ text: String) -> CalendarDay? {
    if let weekday = Self.weekday(text) {
      return adding(days: (weekday - self.weekday + 6) % 7 + 1)
    }
    if let weekday = text.between("this ", "").flatMap(Self.weekday) {
      return adding(days: (weekday - self.weekday + 7) % 7)
    }
    for prefix in ["last ", "지난 "] {
      if let weekday = text.between(prefix, "").flatMap(Self.weekday) {
        return adding(days: -((self.weekday - weekday + 6) % 7 + 1))
      }
    }
    if let name = text.between("지난주", "") ?? text.between("지난 주", "") {
      guard let weekday = Self.weekday(name.trimmed) else { return nil }
      return adding(days: weekday - self.weekday - 7)
    }
    let prefixes = [
      ("next ", 7), ("다음주", 7), ("다음 주", 7), ("담주", 7), ("다음 ", 7), ("이번주", 0), ("이번 주", 0),
      ("이번 ", 0),
    ]
    for (prefix, days) in prefixes {
      guard let name = text.between(prefix, "") else { continue }
      guard let weekday = Self.weekday(name.trimmed) ?? Self.weekday(name.trimmed + "요일") else {
        return nil
      }
      let found = adding(days: days + weekday - self.weekday)
      return found.flatMap { $0 < self ? nil : $0 }
    }
    return nil
  }

  /// The short names of the days of the week, Monday first.
  package static let weekdayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  /// The Korean ones.
  package static let koreanWeekdays = ["월", "화", "수", "목", "금", "토", "일"]

  /// The number of a weekday's name, as `weekday` counts.
  static func weekday(_ name: String) -> Int? {
    let days = ["mon", "tues", "wednes", "thurs", "fri", "satur", "sun"]
    let index =
      weekdayNames.firstIndex(of: name) ?? days.firstIndex { $0 + "day" == name }
      ?? koreanWeekdays.firstIndex { [$0, $0 + "요일"].contains(name) }
    return index.map { $0 + 1 }
  }

  /// The number that digits write, and nothing else.
  private static func number(_ digits: String) -> Int? {
    digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) : nil
  }
}

extension String {
  /// The text between a prefix and a suffix; nil where it does not have both.
  fileprivate func between(_ prefix: String, _ suffix: String) -> String? {
    guard count >= prefix.count + suffix.count, hasPrefix(prefix), hasSuffix(suffix) else {
      return nil
    }
    return String(dropFirst(prefix.count).dropLast(suffix.count))
  }
}
