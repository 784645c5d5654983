public import CroftFoundation
import Synchronization

// Rules that parse the input as a number, a date or nil.

extension Validator where Input == String, Output == String {
  /// Refuses a text that a pattern does not match as a whole, with an issue of the given code.
  ///
  /// ```swift
  /// let isbn = Validator.trimmed.then(.matches(/97[89]-?\d{10}/, code: "book.isbn"))
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: The pattern. A text on which it throws does not match.
  ///   - code: The code of the issue.
  /// - Complexity: That of the pattern. One with nested repetitions can take time that is
  ///   exponential in the length of the text: limit the length first.
  public static func matches<Match>(
    _ pattern: sending Regex<Match>, code: ValidationIssue.Code = .invalidFormat
  ) -> Validator {
    // A pattern may hold closures that must not run on two threads at once.
    let pattern = Mutex(pattern)
    return .check(code) { text in pattern.withLock { text.wholeMatch(of: $0) != nil } }
  }
}

extension Validator where Input == String, Output == String? {
  /// The trimmed text, or nil if it has no visible character; it refuses nothing.
  public static var nilIfBlank: Validator { Validator<String, String>.trimmed.nilIfBlank() }
}

extension Validator where Input == String {
  /// Applies the rule to a text with a visible character; any other text is nil.
  ///
  /// ```swift
  /// let pages = Validator.integer(locale: .current).then(.within(1...5_000)).nilIfBlank()
  /// ```
  public func nilIfBlank() -> Validator<String, Output?> { when { !$0.isBlank } }

  /// A rule for a text that represents a value: `blank` without a visible character.
  fileprivate init(parse: @escaping @Sendable (String) -> Output?) {
    self = Validator<String, String>.notBlank.then(
      Validator(.invalidFormat, parse: parse))
  }
}

extension Validator where Input == String, Output == Int {
  /// Reads a whole number as the people of a locale write it.
  ///
  /// Digits may be of any script, and be grouped with the separator of the locale: `1,000` is a
  /// thousand where a comma separates groups, and `1,5` is not a number there.
  ///
  /// The issue is `blank`, `outOfRange` with `least` and `most` if the number does not fit the type,
  /// or else `invalidFormat`.
  ///
  /// - Parameter locale: The locale. A program that imports only FoundationEssentials has the
  ///   separators of English in every locale.
  public static func integer(locale: Locale) -> Validator {
    let notation = NumberNotation(locale)
    let limits: [String: ValidationIssue.Value] = ["least": .integer(.min), "most": .integer(.max)]
    return Validator<String, String> { text in
      notation.canonical(text).flatMap { $0.contains(".") ? nil : $0 }
    }.then(Validator(.outOfRange, params: { _ in limits }) { Int($0) })
  }
}

extension Validator where Input == String, Output == Decimal {
  /// Reads a decimal number as the people of a locale write it.
  ///
  /// Its digits and groups are those of ``Validator/integer(locale:)``. The issue is `blank`, or else
  /// `invalidFormat`, also for a number of more than 38 digits, which would be rounded.
  public static func decimal(locale: Locale) -> Validator {
    let notation = NumberNotation(locale)
    return Validator { text in
      guard let number = notation.canonical(text) else { return nil }
      let digits = number.drop { $0 == "-" || $0 == "0" }.count { $0 != "." }
      return digits <= 38 ? Decimal(string: number) : nil
    }
  }
}

extension Validator where Input == String, Output == Double {
  /// Reads a decimal number as the people of a locale write it, rounded to the nearest one.
  ///
  /// Its digits and groups are those of ``Validator/integer(locale:)``. The issue is `blank`, or else
  /// `invalidFormat`, also for a number that is too large for the type.
  public static func decimal(locale: Locale) -> Validator {
    let notation = NumberNotation(locale)
    return Validator { text in
      notation.canonical(text).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }
  }
}

extension Validator where Input == String, Output == Date {
  /// Reads a date of three numbers, and gives the first moment of that day.
  ///
  /// Between the numbers is any punctuation or white space: `2026-03-05` and `2026. 3. 5.` are one
  /// date. The year has four digits, and the day exists: the 31st of February does not.
  ///
  /// The issue is `blank`, or else `invalidFormat`.
  ///
  /// - Parameters:
  ///   - order: The order of the numbers.
  ///   - calendar: The calendar and the time zone of the day.
  public static func date(_ order: DateOrder = .yearMonthDay, in calendar: Calendar) -> Validator {
    Validator { text in order.date(of: text, in: calendar) }
  }
}
