public import Presentation

extension FieldPath {
  /// The path of the rule by which an item comes again.
  public static let repeats: FieldPath = "repeats"
}

extension RepeatRule {
  /// Reads a rule as people write it; nil for anything else.
  ///
  /// - `day`, `week`, `month`, `year`, `2 weeks`, each with or without `every` before it; `daily`,
  ///   `weekly`, `monthly`, `yearly`
  /// - `fri`, `mon,wed`, `mon wed fri`, `weekday` for Monday to Friday
  /// - `15th`, `month on 15`: that day of each month
  /// - `매일`, `매주`, `매월`, `매달`, `매년`, `3일마다`, `2주마다`, `2개월마다`, `2달마다`
  /// - `매주 금`, `매주 월수금`, `금요일마다`, `평일`, `매월 15일`, `매월 말일`
  public init?(words: String) {
    var text = words.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let rest = text.rest(behind: "every ") { text = rest }
    guard
      let step = Self.named(text) ?? Self.counted(text) ?? Self.weekdays(text)
        ?? Self.monthDay(text)
    else { return nil }
    self.init(step)
  }

  private static func named(_ text: String) -> Step? {
    switch text {
    case "day", "daily", "매일", "날마다": .units(1, .day, monthDay: 0)
    case "week", "weekly", "매주": .units(1, .week, monthDay: 0)
    case "month", "monthly", "매월", "매달", "달마다": .units(1, .month, monthDay: 0)
    case "year", "yearly", "매년", "해마다": .units(1, .year, monthDay: 0)
    case "weekday", "weekdays", "평일", "평일마다": .weekdays([1, 2, 3, 4, 5])
    default: nil
    }
  }

  private static func counted(_ text: String) -> Step? {
    let units: [(suffix: String, unit: Unit)] = [
      (" days", .day), (" weeks", .week), (" months", .month), (" years", .year),
      ("일마다", .day), ("일 마다", .day), ("주마다", .week), ("주 마다", .week), ("개월마다", .month),
      ("개월 마다", .month), ("달마다", .month), ("달 마다", .month), ("년마다", .year), ("년 마다", .year),
    ]
    for (suffix, unit) in units where text.hasSuffix(suffix) {
      let digits = text.dropLast(suffix.count)
      guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(digits),
        (1...countMax).contains(count)
      else { continue }
      return .units(count, unit, monthDay: 0)
    }
    return nil
  }

  private static func weekdays(_ text: String) -> Step? {
    var text = text
    for prefix in ["매주 ", "매주"] {
      if let rest = text.rest(behind: prefix) {
        text = rest
        break
      }
    }
    if text.hasSuffix("마다") { text = String(text.dropLast(2)) }
    let words = text.split { $0 == "," || $0 == " " }.map(String.init)
    var days: Set<Int> = []
    for word in words {
      if let day = CalendarDay.weekday(word) {
        days.insert(day)
        continue
      }
      // Korean days are written without anything between them: 월수금.
      let letters = word.map { CalendarDay.weekday(String($0)) }
      guard word.allSatisfy({ !$0.isASCII }), !letters.contains(nil) else { return nil }
      days.formUnion(letters.compactMap(\.self))
    }
    return days.isEmpty ? nil : .weekdays(days)
  }

  private static func monthDay(_ text: String) -> Step? {
    if ["매월 말일", "매월 말", "매달 말일", "매달 말", "month on last"].contains(text) {
      return .units(1, .month, monthDay: 31)
    }
    let forms = [
      ("매월 ", "일"), ("매달 ", "일"), ("month on ", ""), ("", "th"), ("", "st"), ("", "nd"), ("", "rd"),
    ]
    for (prefix, suffix) in forms where text.hasPrefix(prefix) && text.hasSuffix(suffix) {
      let digits = text.dropFirst(prefix.count).dropLast(suffix.count)
      guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let day = Int(digits),
        (1...31).contains(day)
      else { continue }
      return .units(1, .month, monthDay: day)
    }
    return nil
  }

  /// The first day of the rule from a day on, for what has no due day yet.
  public func first(from today: CalendarDay) -> CalendarDay {
    switch step {
    case .weekdays(let days):
      return (0..<7).lazy.compactMap { today.adding(days: $0) }
        .first { days.contains($0.weekday) } ?? today
    case .units(_, .month, let monthDay) where monthDay != 0:
      let onDay = (0..<62).lazy.compactMap { today.adding(days: $0) }
        .first { $0.day == min(monthDay, $0.lengthOfMonth) }
      return onDay ?? today
    case .units: return today
    }
  }

  /// The Korean words of the rule.
  public var koreanWords: String {
    switch step {
    case .units(let count, let unit, let monthDay):
      let every = ["매일", "매주", "매월", "매년"]
      let counted = ["일마다", "주마다", "개월마다", "년마다"]
      let index = Unit.allCases.firstIndex(of: unit) ?? 0
      let words = count == 1 ? every[index] : "\(count)\(counted[index])"
      return monthDay == 0 ? words : "\(words) \(monthDay)일"
    case .weekdays(let days):
      let names = ["월", "화", "수", "목", "금", "토", "일"]
      return "매주 " + days.sorted().map { names[$0 - 1] }.joined()
    }
  }
}

extension Validator where Input == String, Output == RepeatRule {
  /// Words name a rule; others are `invalidFormat` and appear in the message.
  public static var repeatRule: Validator {
    Validator(.invalidFormat, params: { ["word": .text($0)] }) { RepeatRule(words: $0) }
      .at(.repeats)
  }
}

extension String {
  fileprivate func rest(behind prefix: String) -> String? {
    hasPrefix(prefix) && count > prefix.count ? String(dropFirst(prefix.count)) : nil
  }
}
