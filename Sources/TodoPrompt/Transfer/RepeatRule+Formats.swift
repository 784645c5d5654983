import TodoFormats
import TodoKit

/// Recurrences as the formats of other programs write them.
///
/// One that is not a rule of ours, such as the fifth Tuesday of a month, stays with the item as its
/// file has it, and the item does not repeat here.
extension RepeatRule {
  /// Reads the recurrence of a record; nil where it is not a rule of ours.
  init?(_ repetition: TaskRepeat) {
    let words: String? =
      switch repetition.kind {
      case .phrase: repetition.phrase.words
      case .rec: Self.words(ofCount: repetition.text.drop { $0 == "+" })
      case .recur: Self.words(ofTaskwarrior: repetition.text)
      case .rrule: Self.words(ofCalendar: repetition.text)
      }
    guard let words else { return nil }
    let bare = words.hasPrefix("every ") ? String(words.dropFirst("every ".count)) : words
    // Its own words say more than those that people type, such as `2 months on 31`.
    guard let rule = RepeatRule(rawValue: bare) ?? RepeatRule(words: words) else { return nil }
    self = rule
  }

  /// Reads the recurrence of a record that a version kept; nil where that had no such rule.
  ///
  /// - Parameter version: The version of ``RecordFields``; nil before versions were counted.
  init?(_ repetition: TaskRepeat, version: Int?) {
    self.init(repetition)
    if version != nil { return }
    let words = rawValue.split(separator: " ")
    let isSimple =
      words.count == 1 || words.count == 2 && Int(words[0]) != nil
      || rawValue.hasPrefix("month on ")
    // Of phrases, the first versions knew the plain ones, such as `every 2 weeks`.
    let isPlain =
      repetition.kind != .phrase || ["every \(rawValue)", rawValue].contains(repetition.text)
    if !isSimple || !isPlain { return nil }
  }

  /// The recurrence in the words of a format, or as a phrase where the format has none for it.
  func repetition(for format: TaskFormat) -> TaskRepeat {
    // A count of units, and the day of the month on which they began.
    let words = rawValue.split(separator: " ").map(String.init)
    let parts = Array(words.prefix { $0 != "on" })
    let monthDay = words.count > parts.count ? words.last : nil
    let count = parts.count == 2 ? Int(parts[0]) ?? 1 : 1
    let unit = Self.units.first { parts.last == $0.name || parts.last == $0.name + "s" }
    switch format {
    case .todoTxt:
      if let unit { return TaskRepeat(.rec, "\(count)\(unit.letter)") }
    case .taskwarrior:
      if let unit { return TaskRepeat(.recur, count == 1 ? unit.adverb : "\(count)\(unit.letter)") }
    case .vtodo, .ticktick:
      if let unit {
        var rule = "FREQ=\(unit.adverb.uppercased())" + (count == 1 ? "" : ";INTERVAL=\(count)")
        // The last day of each month, not the months with 31 days alone.
        if unit.name == "month", let monthDay {
          rule += ";BYMONTHDAY=\(monthDay == "31" ? "-1" : monthDay)"
        }
        return TaskRepeat(.rrule, rule)
      }
      // On a day of the week once a month, such as `second tue`.
      if parts.count == 2, let number = Self.weekNumbers.first(where: { $0.value == parts[0] }) {
        let day = parts[1].prefix(2).uppercased()
        return TaskRepeat(.rrule, "FREQ=MONTHLY;BYDAY=\(number.key)\(day)")
      }
      let days = rawValue.split(separator: ",").map { $0.prefix(2).uppercased() }
      return TaskRepeat(.rrule, "FREQ=WEEKLY;BYDAY=\(days.joined(separator: ","))")
    case .csv, .json, .ndjson: return TaskRepeat(.phrase, rawValue)
    case .todoist, .markdown: break
    }
    return TaskRepeat(.phrase, "every \(rawValue)")
  }

  /// Whether a rule in the words of a format says the same of an item that is due on a day.
  func isSame(as written: TaskRepeat?, due: CalendarDay?) -> Bool {
    guard let rule = written.flatMap(RepeatRule.init) else { return false }
    return rule == self || due.map { "\(rule.rawValue) on \($0.day)" == rawValue } ?? false
  }

  private static let units: [(name: String, letter: Character, adverb: String)] = [
    ("day", "d", "daily"), ("week", "w", "weekly"), ("month", "m", "monthly"),
    ("year", "y", "yearly"),
  ]

  /// The words of a count with a letter after it, such as `2w`.
  private static func words(ofCount text: some StringProtocol) -> String? {
    guard let letter = text.last, let unit = units.first(where: { $0.letter == letter }),
      let count = Int(text.dropLast()), count > 0
    else { return nil }
    return "\(count) \(unit.name)s"
  }

  private static func words(ofTaskwarrior text: String) -> String? {
    let text = text.lowercased()
    if text == "annual" { return "year" }
    if text == "biweekly" || text == "fortnight" { return "2 weeks" }
    if text == "quarterly" { return "3 months" }
    if let unit = units.first(where: { $0.adverb == text || $0.name == text }) { return unit.name }
    let digits = text.prefix(while: \.isNumber)
    let name = text.dropFirst(digits.count)
    if let count = Int(digits), let unit = units.first(where: { name.hasPrefix($0.name) }),
      [unit.name, unit.name + "s"].contains(String(name))
    {
      return "\(count) \(unit.name)s"
    }
    return text == "weekdays" ? "weekday" : words(ofCount: text)
  }

  /// The words of an RRULE (RFC 5545, 3.3.10) of a frequency, an interval, and days of a week or a month.
  private static func words(ofCalendar text: String) -> String? {
    var parts: [String: String] = [:]
    for part in text.uppercased().split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2 else { return nil }
      parts[pair[0]] = pair[1]
    }
    // The first day of the week means nothing where one week follows another.
    parts["WKST"] = nil
    let interval = parts.removeValue(forKey: "INTERVAL") ?? "1"
    guard let count = Int(interval), count > 0,
      let frequency = parts.removeValue(forKey: "FREQ"),
      let unit = units.first(where: { $0.adverb == frequency.lowercased() })
    else { return nil }
    if parts.isEmpty { return "\(count) \(unit.name)s" }
    if count == 1, unit.name == "week", let days = parts["BYDAY"], parts.count == 1 {
      let names = days.split(separator: ",").compactMap { calendarDays[String($0)] }
      return names.count == days.split(separator: ",").count ? names.joined(separator: ",") : nil
    }
    if count == 1, unit.name == "month", let text = parts["BYDAY"], parts.count == 1,
      let week = weekNumbers[String(text.dropLast(2))],
      let day = calendarDays[String(text.suffix(2))]
    {
      return "\(week) \(day)"
    }
    if unit.name == "month", let day = parts["BYMONTHDAY"], parts.count == 1 {
      return (count == 1 ? "month" : "\(count) months") + " on \(day == "-1" ? "31" : day)"
    }
    return nil
  }

  private static let weekNumbers = [
    "1": "first", "2": "second", "3": "third", "4": "fourth", "-1": "last",
  ]

  private static let calendarDays = [
    "MO": "mon", "TU": "tue", "WE": "wed", "TH": "thu", "FR": "fri", "SA": "sat", "SU": "sun",
  ]
}

extension TaskFormat {
  /// The language in which the format writes recurrences; nil for one that takes any.
  var repeatKind: TaskRepeat.Kind? {
    switch self {
    case .todoTxt: .rec
    case .taskwarrior: .recur
    case .vtodo, .ticktick: .rrule
    case .todoist, .markdown: .phrase
    case .csv, .json, .ndjson: nil
    }
  }
}

extension TaskRepeat {
  /// The time of day that a phrase such as `every monday at 9am` says; nil without one.
  var timeOfDay: TimeOfDay? { kind == .phrase ? phrase.time : nil }

  /// A phrase as the words of its rule and the time of day at its end.
  fileprivate var phrase: (words: String, time: TimeOfDay?) {
    let words = text.split(separator: " ").map(String.init)
    for count in stride(from: min(3, words.count - 1), to: 0, by: -1) {
      guard let time = TimeOfDay(words: words.suffix(count).joined(separator: " ")) else {
        continue
      }
      var rest = words.dropLast(count)
      if ["at", "@"].contains(rest.last) { rest.removeLast() }
      return (rest.joined(separator: " "), time)
    }
    return (text, nil)
  }
}
