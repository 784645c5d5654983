public import Croft

/// How often an item repeats: every few days, weeks, months or years, or on days of the week.
///
/// It is stored and written as its English words, such as `2 weeks`, `mon,fri` or `month on 31`.
public struct RepeatRule: RawRepresentable, StoredEnum, Hashable, Codable, Sendable {
  enum Unit: String, CaseIterable {
    case day, week, month, year
  }

  /// The steps from one day to the next.
  enum Step: Hashable {
    /// A number of days, weeks, months or years later.
    ///
    /// Months and years have a day of the month, or the last day where a month is shorter; 0 is the
    /// day on which the item is due.
    case units(Int, Unit, monthDay: Int)
    /// On days of the week, as `CalendarDay.weekday` counts.
    case weekdays(Set<Int>)
    /// On a day of the week once a month: on the first to the fourth one, or on the last.
    case monthWeekday(MonthWeek, Int)
  }

  /// Which of the weeks of a month is meant, by its days of one name.
  enum MonthWeek: String, CaseIterable {
    case first, second, third, fourth, last
  }

  let step: Step

  /// The most units between two times.
  static let countMax = 999

  init(_ step: Step) { self.step = step }

  /// The rule as its words.
  public var rawValue: String {
    switch step {
    case .units(let count, let unit, let monthDay):
      let words = count == 1 ? unit.rawValue : "\(count) \(unit.rawValue)s"
      return monthDay == 0 ? words : "\(words) on \(monthDay)"
    case .weekdays(let days):
      return days.sorted().map { CalendarDay.weekdayNames[$0 - 1] }.joined(separator: ",")
    case .monthWeekday(let week, let day):
      return "\(week.rawValue) \(CalendarDay.weekdayNames[day - 1])"
    }
  }

  /// Reads the words of a rule; nil for others, and for more than 999 units.
  public init?(rawValue: String) {
    let words = rawValue.split(separator: " ").map(String.init)
    let days = rawValue.split(separator: ",").map { name in
      CalendarDay.weekdayNames.firstIndex { $0 == name }.map { $0 + 1 }
    }
    if !days.isEmpty, !days.contains(nil) {
      self.init(.weekdays(Set(days.compactMap(\.self))))
      if self.rawValue != rawValue { return nil }
      return
    }
    if words.count == 2, let week = MonthWeek(rawValue: words[0]),
      let day = CalendarDay.weekdayNames.firstIndex(of: words[1])
    {
      self.init(.monthWeekday(week, day + 1))
      return
    }
    let parts = words.last.flatMap(Int.init) == nil ? words : Array(words.dropLast(2))
    let monthDay = parts.count == words.count ? 0 : words.last.flatMap(Int.init) ?? 0
    let isSingle = parts.count == 1
    let count = isSingle ? 1 : parts.first.flatMap(Int.init) ?? 0
    let name = isSingle ? parts[0] : String((parts.last ?? "").dropLast())
    guard let unit = Unit(rawValue: name), (1...Self.countMax).contains(count),
      monthDay == 0 || (1...31).contains(monthDay) && (unit == .month || unit == .year)
    else { return nil }
    self.init(.units(count, unit, monthDay: monthDay))
    if self.rawValue != rawValue { return nil }
  }

  /// The next day on which it is due: the first of the rule's days after both days.
  ///
  /// - Parameters:
  ///   - due: The day on which it was due, from which units are counted.
  ///   - today: The day on which it was done.
  /// - Returns: The day, and the rule for the day after it, which keeps the first day of the month
  ///   also after months that do not have it; nil after the year 9999.
  /// - Complexity: O(n) in the units between the days.
  package func next(after due: CalendarDay, today: CalendarDay) -> (
    day: CalendarDay, rule: RepeatRule
  )? {
    let least = max(due, today)
    switch step {
    case .weekdays(let days):
      for ahead in 1...7 {
        if let day = least.adding(days: ahead), days.contains(day.weekday) { return (day, self) }
      }
      return nil
    case .monthWeekday(let week, let weekday):
      return least.adding(days: 1).flatMap { $0.first(week, weekday) }.map { ($0, self) }
    case .units(let count, let unit, let monthDay):
      let anchor = monthDay == 0 ? due.day : monthDay
      var times = 1
      while true {
        guard let next = due.adding(times * count, unit, onDay: anchor) else { return nil }
        if next > least {
          let isAnchored = (unit == .month || unit == .year) && next.day != anchor
          let rule =
            isAnchored || monthDay != 0
            ? RepeatRule(.units(count, unit, monthDay: anchor)) : self
          return (next, rule)
        }
        times += 1
      }
    }
  }
}

extension CalendarDay {
  /// The next day that is such a day of the week in its month, from here on.
  func first(_ week: RepeatRule.MonthWeek, _ weekday: Int) -> CalendarDay? {
    // From one such day to the next there are six weeks at most.
    (0..<43).lazy.compactMap { adding(days: $0) }.first { found in
      guard found.weekday == weekday else { return false }
      if week == .last { return found.day + 7 > found.lengthOfMonth }
      return RepeatRule.MonthWeek.allCases[(found.day - 1) / 7] == week
    }
  }
}
