import Presentation
import Testing

private let short = Validator<String, String>.check(.tooShort) { $0.count >= 8 }
private let digit = Validator<String, String>.check(.invalidFormat) { $0.contains { $0.isNumber } }

@Suite("Validator, on conditions")
struct ValidatorConditionsTests {
  @Test func andGathersTheErrorsOfBothAndStopsAtNeither() {
    let rule = short.and(digit)
    #expect(rule.validate("abc").issues.map(\.code) == [.tooShort, .invalidFormat])
    #expect(digit.and(short).validate("abc").issues.map(\.code) == [.invalidFormat, .tooShort])
    #expect(rule.validate("abcdefgh") == .invalid([ValidationIssue(.invalidFormat)]))
    #expect(rule.validate("abc1") == .invalid([ValidationIssue(.tooShort)]))
    #expect(rule.validate("abcdefg8") == .valid("abcdefg8", warnings: []))
  }

  @Test func andIsThenWhereNothingIsWrong() {
    let upper = Validator<String, String>.transform { $0.uppercased() }
    #expect(digit.and(upper).validate("a1") == .valid("A1", warnings: []))
  }

  @Test func whenAppliesARuleOnlyWhereItsConditionHolds() {
    let rule = short.when { $0.hasPrefix("x") }
    #expect(rule.validate("abc") == .valid("abc", warnings: []))
    #expect(rule.validate("xbc").issues.map(\.code) == [.tooShort])
  }

  @Test func whenOfAParserGivesNothingWhereItsConditionDoesNotHold() {
    let number = Validator<String, Int>(.invalidFormat) { Int($0) }
    let rule: Validator<String, Int?> = number.when { !$0.isEmpty }
    #expect(rule.validate("") == .valid(nil, warnings: []))
    #expect(rule.validate("7") == .valid(7, warnings: []))
    #expect(rule.validate("x").issues.map(\.code) == [.invalidFormat])
  }

  @Test func aTransformRefusesNothing() {
    let rule = Validator<Int, Int>.transform { max(0, $0) }
    #expect(rule.validate(-5) == .valid(0, warnings: []))
  }
}

@Suite("Validator, ready-made")
struct ValidatorRulesTests {
  @Test(arguments: [("  a b ", "a b"), ("\u{3000}한글\n", "한글"), (" ", ""), ("", "")])
  func trimmedTakesWhiteSpaceOffBothEnds(typed: String, trimmed: String) {
    #expect(Validator.trimmed.validate(typed) == .valid(trimmed, warnings: []))
  }

  @Test func notBlankGivesTheTrimmedTextOrBlank() {
    #expect(Validator.notBlank.validate(" a ") == .valid("a", warnings: []))
    #expect(Validator.notBlank.validate("\t\u{3000}") == .invalid([ValidationIssue(.blank)]))
  }

  @Test func lengthCountsCharactersAsPeopleDo() {
    let rule = Validator<String, String>.length(2...3)
    #expect(rule.validate("👨‍👩‍👧한") == .valid("👨‍👩‍👧한", warnings: []))
    let short = ValidationIssue(.tooShort, params: ["limit": .integer(2)])
    let long = ValidationIssue(.tooLong, params: ["limit": .integer(3)])
    #expect(rule.validate("a") == .invalid([short]))
    #expect(rule.validate("abcd") == .invalid([long]))
  }

  @Test func withinNamesBothBounds() {
    let rule = Validator<Int, Int>.within(1...5)
    #expect(rule.validate(5) == .valid(5, warnings: []))
    let issue = ValidationIssue(.outOfRange, params: ["least": .integer(1), "most": .integer(5)])
    #expect(rule.validate(6) == .invalid([issue]))
  }

  @Test func chosenGivesWhatIsThereOrRequired() {
    let rule = Validator<Int?, Int>.chosen
    #expect(rule.validate(3) == .valid(3, warnings: []))
    #expect(rule.validate(nil) == .invalid([ValidationIssue(.required)]))
  }
}
