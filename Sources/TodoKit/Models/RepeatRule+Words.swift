public import Presentation

extension FieldPath {
  /// The path of the rule by which an item repeats.
  public static let repeats: FieldPath = "repeats"
}

extension RepeatRule {
  /// Reads a rule as people write it; nil for anything else.
  ///
  /// - `day`, `week`, `month`, `year`, `2 weeks`, each with or without `every` before it; `daily`,
  ///   `weekly`, `monthly`, `yearly`
  /// - `2w`, `+1m`: a count with the first letter of its unit
  /// - `fri`, `mon,wed`, `mon wed fri`, `weekday` for Monday to Friday
  /// - `biweekly`, `fortnight`, `other week`, `quarter`, `annually`, `mon-fri`
  /// - `15th`, `month on 15`: that day of each month; `first mon`, `last fri`: once a month
  /// - `매일`, `매주`, `매월`, `매달`, `매년`, `3일마다`, `2주마다`, `2개월마다`, `2달마다`
  /// - `격일`, `이틀마다`, `격주`, `분기`, `매월 첫째 월`, `매월 마지막 금요일`
  /// - `매주 금`, `매주 월수금`, `금요일마다`, `평일`, `매월 15일`, `매월 말일`
  public init?(words: String) {
    var text = words.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let rest = text.rest(behind: "every ") { text = rest }
    if let rule = RepeatRule(rawValue: text) {
      self = rule
      return
    }
    guard
      let step = Self.named(text) ?? Self.counted(text) ?? Self.weekdays(text)
        ?? Self.monthDay(text) ?? Self.monthWeekday(text)
    else { return nil }
    self.init(step)
  }

  private static func named(_ text: String) -> Step? {
    switch text {
    case "day", "daily", "매일", "날마다": .units(1, .day, monthDay: 0)
    case "week", "weekly", "매주": .units(1, .week, monthDay: 0)
    case "month", "monthly", "매월", "매달", "달마다": .units(1, .month, monthDay: 0)
    case "quarter", "quarterly", "분기", "분기마다", "매분기", "매 분기": .units(3, .month, monthDay: 0)
    case "year", "yearly", "annually", "매년", "해마다": .units(1, .year, monthDay: 0)
    case "other day", "격일", "이틀마다", "하루걸러": .units(2, .day, monthDay: 0)
    case "사흘마다": .units(3, .day, monthDay: 0)
    case "나흘마다": .units(4, .day, monthDay: 0)
    case "열흘마다": .units(10, .day, monthDay: 0)
    case "biweekly", "fortnight", "fortnightly", "other week", "격주", "격주마다":
      .units(2, .week, monthDay: 0)
    case "other month", "격월": .units(2, .month, monthDay: 0)
    case "weekday", "weekdays", "평일", "평일마다": .weekdays([1, 2, 3, 4, 5])
    default: nil
    }
  }

  private static func counted(_ text: String) -> Step? {
    let units: [(suffix: String, unit: Unit)] = [
      ("d", .day), ("w", .week), ("m", .month), ("y", .year),
      (" days", .day), (" weeks", .week), (" months", .month), (" years", .year),
      ("일마다", .day), ("일 마다", .day), ("주마다", .week), ("주 마다", .week), ("개월마다", .month),
      ("개월 마다", .month), ("달마다", .month), ("달 마다", .month), ("년마다", .year), ("년 마다", .year),
    ]
    for (suffix, unit) in units where text.hasSuffix(suffix) {
      let digits = text.dropLast(suffix.count).drop { $0 == "+" }
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
    let ends = text.split { $0 == "-" || $0 == "~" }.map { CalendarDay.weekday(String($0)) }
    if ends.count == 2, let first = ends[0], let last = ends[1], first < last {
      return .weekdays(Set(first...last))
    }
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
    // Such as `2개월마다 15일`, as `koreanWords` writes it.
    let words = text.split(separator: " ").map(String.init)
    if words.count == 2, words[1].hasSuffix("일"), let day = Int(words[1].dropLast()),
      (1...31).contains(day),
      case .units(let count, let unit, _) = named(words[0]) ?? counted(words[0]),
      unit == .month || unit == .year
    {
      return .units(count, unit, monthDay: day)
    }
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

  /// Once a month on a day of the week, such as `first mon` or `매월 마지막 금`.
  private static func monthWeekday(_ text: String) -> Step? {
    let english = [
      ["first", "1st"], ["second", "2nd"], ["third", "3rd"], ["fourth", "4th"], ["last"],
    ]
    var words = text.split(separator: " ").map(String.init)
    let isKorean = ["매월", "매달"].contains(words.first ?? "")
    // The word for the week may follow: `매월 첫째 주 월`, `매월 첫째주 월`.
    if isKorean, words.count == 4, words[2] == "주" { words.remove(at: 2) }
    guard words.count == (isKorean ? 3 : 2), let name = words.last,
      let day = CalendarDay.weekday(name)
    else { return nil }
    let number =
      isKorean
      ? koreanWeeks.firstIndex { words[1] == $0 || words[1] == $0 + "주" }
      : english.firstIndex { $0.contains(words[0]) }
    return number.map { .monthWeekday(MonthWeek.allCases[$0], day) }
  }

  /// The Korean words for the weeks of a month, in the order of their cases.
  private static let koreanWeeks = ["첫째", "둘째", "셋째", "넷째", "마지막"]

  /// The first day of the rule from a day on, for an item that has no due day yet.
  public func first(from today: CalendarDay) -> CalendarDay {
    switch step {
    case .weekdays(let days):
      return (0..<7).lazy.compactMap { today.adding(days: $0) }
        .first { days.contains($0.weekday) } ?? today
    case .monthWeekday(let week, let weekday): return today.first(week, weekday) ?? today
    case .units(_, _, let monthDay) where monthDay != 0:
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
      return "매주 " + days.sorted().map { CalendarDay.koreanWeekdays[$0 - 1] }.joined()
    case .monthWeekday(let week, let day):
      let index = MonthWeek.allCases.firstIndex(of: week) ?? 0
      return "매월 \(Self.koreanWeeks[index]) \(CalendarDay.koreanWeekdays[day - 1])"
    }
  }
}

extension String {
  fileprivate func rest(behind prefix: String) -> String? {
    hasPrefix(prefix) && count > prefix.count ? String(dropFirst(prefix.count)) : nil
  }
}
