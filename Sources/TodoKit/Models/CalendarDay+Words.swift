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
  /// - `today`, `tomorrow`, `yesterday`; `오늘`, `내일`, `모레`, `글피`, `어제`
  /// - `fri`, `friday`, `금`, `금요일`: the next such day, never today
  /// - `this fri`: the next such day, which may be today
  /// - `이번주 금`: that day of this week, today or later; nil once it has passed
  /// - `next fri`, `다음주 금`, `담주 금`: that day of the week after this one; weeks begin on Monday
  /// - `+3d`, `+2w`, `+1m`; `3일 뒤`, `사흘 뒤`, `일주일 뒤`, `2주 뒤`, `2주 후`, `1달 뒤`, `1개월 후`; in a month without
  ///   such a day its last one
  /// - `6/1`, `6.1`, `6월 1일`: the next such date, which may be today, of this year or the next
  /// - `2026-06-01`, `2026/6/1`, `2026.6.1`, `20260601`
  /// - `eow`, `주말`: the Sunday of this week
  /// - `eom`, `월말`: the last day of this month
  ///
  /// - Parameters:
  ///   - words: What was typed.
  ///   - today: The day it is where it was typed.
  public init?(words: String, today: CalendarDay) {
    let text = words.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let day =
      CalendarDay(text) ?? today.named(text) ?? today.counted(text) ?? today.dated(text)
      ?? today.inAWeek(text)
    guard let day else { return nil }
    self = day
  }

  private func named(_ text: String) -> CalendarDay? {
    switch text {
    case "today", "오늘": self
    case "tomorrow", "내일": adding(days: 1)
    case "yesterday", "어제": adding(days: -1)
    case "모레", "내일모레": adding(days: 2)
    case "이틀 뒤", "이틀 후": adding(days: 2)
    case "사흘 뒤", "사흘 후": adding(days: 3)
    case "나흘 뒤", "나흘 후": adding(days: 4)
    case "일주일 뒤", "일주일 후": adding(days: 7)
    case "글피": adding(days: 3)
    case "eow", "주말": adding(days: 7 - weekday)
    case "eom", "월말": Self.lastDay(upTo: 31, of: month, year)
    default: nil
    }
  }

  /// A day of a month, or the month's last one where it has no such day.
  private static func lastDay(upTo day: Int, of month: Int, _ year: Int) -> CalendarDay? {
    (1...day).reversed().lazy.compactMap { CalendarDay(year: year, month: month, day: $0) }.first
  }

  /// The same day so many months from here.
  private func adding(months: Int) -> CalendarDay? {
    let (sum, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
    return overflow ? nil : Self.lastDay(upTo: day, of: sum % 12 + 1, sum / 12)
  }

  /// So many days, weeks or months from here.
  private func counted(_ text: String) -> CalendarDay? {
    let units: [(prefix: String, suffix: String, days: Int)] = [
      ("+", "d", 1), ("+", "w", 7), ("", "일 뒤", 1), ("", "일뒤", 1), ("", "일 후", 1), ("", "일후", 1),
      ("", "주 뒤", 7), ("", "주뒤", 7), ("", "주 후", 7), ("", "주후", 7),
    ]
    for unit in units {
      guard let count = text.between(unit.prefix, unit.suffix).flatMap(Self.number) else {
        continue
      }
      let (days, overflow) = count.multipliedReportingOverflow(by: unit.days)
      return overflow ? nil : adding(days: days)
    }
    let months = [
      ("+", "m"), ("", "달 뒤"), ("", "달뒤"), ("", "달 후"), ("", "달후"),
      ("", "개월 뒤"), ("", "개월뒤"), ("", "개월 후"), ("", "개월후"),
    ]
    for (prefix, suffix) in months {
      guard let count = text.between(prefix, suffix).flatMap(Self.number) else { continue }
      return adding(months: count)
    }
    return nil
  }

  /// A month and a day, from here on.
  private func dated(_ text: String) -> CalendarDay? {
    let korean = text.between("", "일")?.split(separator: "월", omittingEmptySubsequences: false)
    if let whole = Self.wholeDate(text) { return whole }
    let separator: Character = text.contains(".") ? "." : "/"
    let parts = korean ?? text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 2, let month = Self.number(String(parts[0])),
      let day = Self.number(String(parts[1]).trimmed)
    else { return nil }
    if let found = CalendarDay(year: year, month: month, day: day), found >= self { return found }
    return CalendarDay(year: year + 1, month: month, day: day)
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
    let prefixes = [("next ", 7), ("다음주", 7), ("다음 주", 7), ("담주", 7), ("이번주", 0), ("이번 주", 0)]
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

  /// The number of a weekday's name, as `weekday` counts.
  static func weekday(_ name: String) -> Int? {
    let names = [
      ["mon", "monday", "월요일", "월"], ["tue", "tuesday", "화요일", "화"],
      ["wed", "wednesday", "수요일", "수"], ["thu", "thursday", "목요일", "목"],
      ["fri", "friday", "금요일", "금"], ["sat", "saturday", "토요일", "토"],
      ["sun", "sunday", "일요일", "일"],
    ]
    return names.firstIndex { $0.contains(name) }.map { $0 + 1 }
  }

  /// The number that digits write, and nothing else.
  private static func number(_ digits: String) -> Int? {
    digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) : nil
  }
}

extension Validator where Input == String, Output == CalendarDay {
  /// Words name a day; others are `invalidFormat` and appear in the message.
  ///
  /// - Parameter today: The day it is where they were typed.
  public static func day(today: CalendarDay) -> Validator {
    Validator(.invalidFormat, params: { ["word": .text($0)] }) {
      CalendarDay(words: $0, today: today)
    }
    .at(.due)
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
