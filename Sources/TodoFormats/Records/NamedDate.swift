/// A date with the English name of a month and its year, as Todoist writes it.
///
/// `Oct 5 2026`, `5 October 2026`, `Oct 5, 2026 at 9am`, `20 Jul 2026 14:30`, `2026-10-05 at 14:30`.
/// A date without its year depends on the day it is read and is none.
struct NamedDate {
  /// What calendar and clock show.
  let date: TaskDate

  init?(_ text: String) {
    let words = text.lowercased().split { $0 == " " || $0 == "," }.filter {
      $0 != "at" && $0 != "@"
    }
    var month: Int?
    var numbers: [Int] = []
    var day: TaskDate?
    var rest = words[...]
    while day == nil, let word = rest.popFirst() {
      if let read = TaskDate.day(dashed: word) {
        guard month == nil, numbers.isEmpty else { return nil }
        day = read
      } else if month == nil, let index = Self.month(named: word) {
        month = index
      } else if let number = Self.number(word) {
        numbers.append(number)
      } else {
        return nil
      }
      if let month, numbers.count == 2, numbers[1] > 31 {
        day = TaskDate(year: numbers[1], month: month, day: numbers[0])
        if day == nil { return nil }
      }
    }
    guard var day else { return nil }
    if !rest.isEmpty {
      guard let time = Self.time(rest.joined()) else { return nil }
      day.time = time
    }
    date = day
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  private static func month(named word: Substring) -> Int? {
    guard word.utf8.count >= 3 else { return nil }
    let name = word.hasSuffix(".") ? word.dropLast() : word
    return months.firstIndex {
      $0 == name || $0.prefix(3) == name || name == "sept" && $0 == "september"
    }
    .map { $0 + 1 }
  }

  /// A day or a year in digits; a day may be `5th`.
  private static func number(_ word: Substring) -> Int? {
    let digits = word.utf8.prefix(while: \.isDigit)
    let ending = word.utf8.dropFirst(digits.count)
    guard [1, 2, 4].contains(digits.count),
      ending.isEmpty || ["st", "nd", "rd", "th"].contains(String(Substring(ending)))
    else { return nil }
    return Int(Substring(digits))
  }

  /// A time as `14:30`, `9am` or `9:30pm`.
  private static func time(_ text: String) -> TaskDate.Time? {
    let half = ["am", "pm"].first(where: text.hasSuffix)
    let clock = half == nil ? text[...] : text.dropLast(2)
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 1 && half != nil, let hour = Int(parts[0]),
      let minute = parts.count == 2 ? Int(parts[1]) : 0
    else { return nil }
    guard let half else { return TaskDate.Time(hour: hour, minute: minute) }
    guard (1...12).contains(hour) else { return nil }
    return TaskDate.Time(hour: hour % 12 + (half == "pm" ? 12 : 0), minute: minute)
  }
}
