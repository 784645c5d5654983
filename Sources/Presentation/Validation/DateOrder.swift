package import CroftFoundation

/// The order in which people type year, month and day.
public enum DateOrder: Hashable, Sendable, CaseIterable {
  /// The year first, as in `2026-03-05`, or in `2026. 3. 5` in Korean.
  case yearMonthDay
  /// The day first, as in `5.3.2026`.
  case dayMonthYear
  /// The month first, as in `3/5/2026`.
  case monthDayYear

  /// The date of a text: the first moment of its day; nil if there is none.
  ///
  /// Foundation's own strategies read `2026-02-31` as a day of March, and `2026-03-05x` as a date.
  ///
  /// - Parameters:
  ///   - text: Three numbers with punctuation or white space between them, the year of four digits.
  ///   - calendar: The calendar and the time zone of the day.
  package func date(of text: String, in calendar: Calendar) -> Date? {
    guard let numbers = Self.numbers(of: text.trimmed) else { return nil }
    let (year, month, day) =
      switch self {
      case .yearMonthDay: (numbers[0], numbers[1], numbers[2])
      case .dayMonthYear: (numbers[2], numbers[1], numbers[0])
      case .monthDayYear: (numbers[2], numbers[0], numbers[1])
      }
    guard year.count == 4, month.count <= 2, day.count <= 2, let year = Int(year),
      let month = Int(month), let day = Int(day),
      let date = calendar.date(from: DateComponents(year: year, month: month, day: day))
    else { return nil }
    // A calendar takes the 31st of February for a day of March.
    let found = calendar.dateComponents([.year, .month, .day], from: date)
    return found.year == year && found.month == month && found.day == day ? date : nil
  }

  /// The three numbers of a text in ASCII digits; nil if it has another form.
  private static func numbers(of text: String) -> [String]? {
    var numbers = [""]
    var isBetween = false
    for character in text where !character.isFormat {
      if let scalar = character.unicodeScalars.first, let digit = scalar.decimalDigit {
        if isBetween { numbers.append("") }
        isBetween = false
        numbers[numbers.count - 1] += "\(digit)"
      } else if character.isPunctuation || character.isSymbol || character.isWhitespace,
        numbers.last != ""
      {
        isBetween = true
      } else {
        return nil
      }
    }
    return numbers.count == 3 ? numbers : nil
  }
}

extension Character {
  /// Whether it is a mark without a form of its own, such as those of right-to-left locales.
  fileprivate var isFormat: Bool {
    unicodeScalars.allSatisfy { $0.properties.generalCategory == .format }
  }
}
