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
  /// - `today`, `tomorrow`; `오늘`, `내일`, `모레`, `글피`
  /// - `fri`, `friday`, `금요일`: the next such day, never today
  /// - `this fri`: the next such day, which may be today
  /// - `이번주 금`: that day of this week, today or later; nil once it has passed
  /// - `next fri`, `다음주 금`: that day of the week after this one; weeks begin on Monday
  /// - `+3d`, `+2w`; `3일 뒤`, `3일 후`, `2주 뒤`, `2주 후`
  /// - `6/1`, `6월 1일`: the next such date, which may be today, of this year or the next
  /// - `2026-06-01`
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
    case "모레": adding(days: 2)
    case "글피": adding(days: 3)
    case "eom", "월말":
      (28...31).reversed().lazy.compactMap { CalendarDay(year: year, month: month, day: $0) }.first
    default: nil
    }
  }

  /// So many days or weeks from here.
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
    return nil
  }

  /// A month and a day, from here on.
  private func dated(_ text: String) -> CalendarDay? {
    let korean = text.between("", "일")?.split(separator: "월", omittingEmptySubsequences: false)
    let parts = korean ?? text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let month = Self.number(String(parts[0])),
      let day = Self.number(String(parts[1]).trimmed)
    else { return nil }
    if let found = CalendarDay(year: year, month: month, day: day), found >= self { return found }
    return CalendarDay(year: year + 1, month: month, day: day)
  }

  /// A day of the week.
  private func inAWeek(_ text: String) -> CalendarDay? {
    if let weekday = Self.weekday(text) {
      return adding(days: (weekday - self.weekday + 6) % 7 + 1)
    }
    if let weekday = text.between("this ", "").flatMap(Self.weekday) {
      return adding(days: (weekday - self.weekday + 7) % 7)
    }
    let prefixes = [("next ", 7), ("다음주", 7), ("다음 주", 7), ("이번주", 0), ("이번 주", 0)]
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
  private static func weekday(_ name: String) -> Int? {
    let names = [
      ["mon", "monday", "월요일"], ["tue", "tuesday", "화요일"], ["wed", "wednesday", "수요일"],
      ["thu", "thursday", "목요일"], ["fri", "friday", "금요일"], ["sat", "saturday", "토요일"],
      ["sun", "sunday", "일요일"],
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
