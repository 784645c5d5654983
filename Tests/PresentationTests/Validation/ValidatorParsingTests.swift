import Foundation
import Presentation
import TestSupport
import Testing

private let american = Locale(identifier: "en_US")
private let german = Locale(identifier: "de_DE")

/// The value of a rule, or the code of its first error.
private func outcome<Output>(
  _ rule: Validator<String, Output>, _ text: String
) -> (value: Output?, code: ValidationIssue.Code?) {
  let answer = rule.validate(text)
  if case .valid(let value, _) = answer { return (value, nil) }
  return (nil, answer.firstError?.code)
}

@Suite("Validator, of typed numbers")
struct ValidatorNumberTests {
  @Test(arguments: [
    ("en_US", "1,234", 1234), ("en_US", " 12 ", 12), ("en_US", "-7", -7), ("en_US", "+7", 7),
    ("en_US", "1234", 1234), ("en_IN", "12,34,567", 1_234_567), ("de_DE", "1.234.567", 1_234_567),
    ("fr_FR", "1\u{202F}234", 1234), ("fr_FR", "1 234", 1234), ("de_CH", "1'234", 1234),
    ("de_CH", "1’234", 1234), ("ar_EG", "\u{061C}-١٬٢٣٤", -1234), ("ko_KR", "１２", 12),
    ("en_US", "\u{2212}3", -3), ("en_US", "-9223372036854775808", .min),
  ])
  func aWholeNumberIsReadAsItsLocaleWritesIt(identifier: String, text: String, number: Int) {
    let rule = Validator.integer(locale: Locale(identifier: identifier))
    #expect(rule.validate(text) == .valid(number, warnings: []))
  }

  @Test(arguments: [
    "12abc", "abc", "1,5", "1,2345", ",123", "1,,234", "1234,567", "1.0", "--1", "- 1", "1 2", "Ⅷ",
    "五", "²", "1e3", "0x1F", "-", ",", ".",
  ])
  func whatIsNoWholeNumberIsRefused(text: String) {
    #expect(outcome(.integer(locale: american), text).code == .invalidFormat)
  }

  @Test func nothingTypedIsBlankAndATooLargeNumberNamesTheLimits() {
    #expect(outcome(.integer(locale: american), " \u{3000}").code == .blank)
    #expect(outcome(Validator<String, Decimal>.decimal(locale: american), "").code == .blank)
    let issue = ValidationIssue(
      .outOfRange, params: ["least": .integer(.min), "most": .integer(.max)])
    #expect(
      Validator.integer(locale: american).validate("9223372036854775808") == .invalid([issue]))
  }

  @Test(arguments: [
    ("en_US", "1,234.50", "1234.5"), ("de_DE", "1.234,5", "1234.5"), ("de_DE", "-0,1", "-0.1"),
    ("en_US", ".5", "0.5"), ("fr_FR", "1 234,5", "1234.5"), ("ar_EG", "١٫٥", "1.5"),
    ("en_US", "12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
  ])
  func aDecimalNumberIsExact(identifier: String, text: String, number: String) {
    let rule = Validator<String, Decimal>.decimal(locale: Locale(identifier: identifier))
    #expect(outcome(rule, text).value == Decimal(string: number))
  }

  @Test(arguments: [
    "1.5", "1,5,5", "1,", "1,5.000", "12x", "1e3", "123456789012345678901234567890123456789",
    "0," + String(repeating: "0", count: 200) + "1",
  ])
  func whatIsNoDecimalNumberIsRefused(text: String) {
    let rule = Validator<String, Decimal>.decimal(locale: german)
    #expect(outcome(rule, text).code == .invalidFormat)
  }

  @Test func aDoubleIsTheNearestOneAndFinite() {
    let rule = Validator<String, Double>.decimal(locale: german)
    #expect(outcome(rule, "1.234,1").value == 1234.1)
    #expect(outcome(rule, "1.5").code == .invalidFormat)
    #expect(outcome(rule, String(repeating: "9", count: 400)).code == .invalidFormat)
  }

  @Test func whatALocaleWritesIsReadBack() {
    var random = SeededGenerator.forTest("numbers of locales")
    for identifier in [
      "en_US", "de_DE", "fr_FR", "de_CH", "ar_EG", "en_IN", "ko_KR", "hi_IN", "sv_SE",
    ] {
      let locale = Locale(identifier: identifier)
      for _ in 0..<50 {
        let number = Int(truncatingIfNeeded: random.next()) >> random.below(64)
        let text = number.formatted(IntegerFormatStyle<Int>(locale: locale))
        #expect(outcome(.integer(locale: locale), text).value == number, "\(text) in \(identifier)")
        let price = Decimal(number >> 8) / 1000
        let typed = price.formatted(
          Decimal.FormatStyle(locale: locale).precision(.fractionLength(0...3)))
        let rule = Validator<String, Decimal>.decimal(locale: locale)
        #expect(outcome(rule, typed).value == price, "\(typed) in \(identifier)")
      }
    }
  }

  @Test func boundsOfDecimalsAreNamed() {
    let rule = Validator<String, Decimal>.decimal(locale: american).then(.within(0...1.5))
    let issue = ValidationIssue(
      .outOfRange, params: ["least": .text("0"), "most": .text("1.5")])
    #expect(rule.validate("1.5") == .valid(1.5, warnings: []))
    #expect(rule.validate("1.6") == .invalid([issue]))
  }
}

@Suite("Validator, of typed dates")
struct ValidatorDateTests {
  private let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  @Test(arguments: [
    (DateOrder.yearMonthDay, "2026-03-05"), (.yearMonthDay, "2026. 3. 5."),
    (.yearMonthDay, " 2026/3/5 "), (.dayMonthYear, "5.3.2026"), (.monthDayYear, "03/05/2026"),
    (.dayMonthYear, "٥\u{200F}/٣\u{200F}/٢٠٢٦"),
  ])
  func aDateIsTheFirstMomentOfItsDay(order: DateOrder, text: String) {
    let day = calendar.date(from: DateComponents(year: 2026, month: 3, day: 5))
    #expect(outcome(.date(order, in: calendar), text).value == day)
  }

  @Test(arguments: [
    "2026-02-31", "2026-13-01", "2026-00-10", "26-03-05", "2026-3", "2026-3-5-1", "2026-03-05x",
    "20260305", "-2026-03-05", "2026-003-05", "5.3.2026", "March 5, 2026",
  ])
  func whatIsNoDateIsRefused(text: String) {
    #expect(outcome(.date(in: calendar), text).code == .invalidFormat)
  }

  @Test func nothingTypedIsBlankAndLeapYearsHaveTheirDay() {
    #expect(outcome(.date(in: calendar), " ").code == .blank)
    #expect(outcome(.date(in: calendar), "2028-02-29").value != nil)
    #expect(outcome(.date(in: calendar), "2026-02-29").code == .invalidFormat)
  }

  @Test func everyDayOfSomeYearsIsReadInEveryOrder() throws {
    var day = try #require(calendar.date(from: DateComponents(year: 2023, month: 12, day: 1)))
    for _ in 0..<800 {
      let parts = calendar.dateComponents([.year, .month, .day], from: day)
      let (y, m, d) = (try #require(parts.year), try #require(parts.month), try #require(parts.day))
      #expect(outcome(.date(.yearMonthDay, in: calendar), "\(y)-\(m)-\(d)").value == day)
      #expect(outcome(.date(.dayMonthYear, in: calendar), "\(d).\(m).\(y)").value == day)
      #expect(outcome(.date(.monthDayYear, in: calendar), "\(m)/\(d)/\(y)").value == day)
      day = try #require(calendar.date(byAdding: .day, value: 1, to: day))
    }
  }
}

@Suite("Validator, of typed texts")
struct ValidatorTextTests {
  @Test func aPatternIsMatchedByTheWholeText() {
    let rule = Validator.matches(/[a-z]+\d/, code: "login")
    #expect(rule.validate("kim7") == .valid("kim7", warnings: []))
    for text in ["kim", "kim77", " kim7", "kim7\n", ""] {
      #expect(rule.validate(text) == .invalid([ValidationIssue("login")]))
    }
    #expect(outcome(.matches(/a/), "b").code == .invalidFormat)
  }

  @Test func aPatternServesSeveralThreads() async {
    let rule = Validator.matches(/(?:ab)+/.ignoresCase())
    let matched = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<64 {
        group.addTask {
          let text = String(repeating: "aB", count: index) + (index.isMultiple(of: 2) ? "" : "a")
          return rule.validate(text) == .valid(text, warnings: [])
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    // The empty text matches nothing; of the others those without the odd letter do.
    #expect(matched == 31)
  }

  @Test func lengthsAreCountedInCharacters() {
    #expect(outcome(.minLength(2), "👨‍👩‍👧한").value == "👨‍👩‍👧한")
    let short = ValidationIssue(.tooShort, params: ["limit": .integer(2)])
    #expect(Validator.minLength(2).validate("👨‍👩‍👧") == .invalid([short]))
    let long = ValidationIssue(.tooLong, params: ["limit": .integer(2)])
    #expect(Validator.maxLength(2).validate("abc") == .invalid([long]))
    #expect(outcome(.maxLength(2), "e\u{301}e\u{301}").value == "e\u{301}e\u{301}")
  }

  @Test(arguments: [("", nil), (" \u{3000}\u{200B}", nil), (" a ", "a")])
  func aBlankTextIsNil(typed: String, text: String?) {
    #expect(Validator<String, String?>.nilIfBlank.validate(typed) == .valid(text, warnings: []))
  }

  @Test func aRuleOfANumberTakesBlankForNil() {
    let rule = Validator.integer(locale: american).then(.within(1...5_000)).nilIfBlank()
    #expect(rule.validate(" ") == .valid(nil, warnings: []))
    #expect(rule.validate("12") == .valid(12, warnings: []))
    #expect(rule.validate("0").issues.map(\.code) == [.outOfRange])
    #expect(rule.validate("x").issues.map(\.code) == [.invalidFormat])
  }
}
