import Presentation
import Testing

private let number = Validator<String, Int>(.invalidFormat, params: { ["word": .text($0)] }) {
  Int($0)
}
private let name = Validator<String, String>(.blank) { $0.isEmpty ? nil : $0.uppercased() }

@Suite("Validator")
struct ValidatorTests {
  @Test func parsingGivesTheValueAndNotTheInput() {
    #expect(number.validate("12") == .valid(12, warnings: []))
  }

  @Test func aRefusedInputIsNamedInTheParameters() {
    let issue = ValidationIssue(.invalidFormat, params: ["word": .text("twelve")])
    #expect(number.validate("twelve") == .invalid([issue]))
  }

  @Test func theSameInputGivesTheSameAnswer() {
    #expect(number.validate("x") == number.validate("x"))
    #expect(number.validate("7") == number.validate("7"))
  }

  @Test func aFailedConditionRefuses() {
    let short = Validator<String, String>.check(.tooLong, params: ["limit": .integer(3)]) {
      $0.count <= 3
    }
    #expect(short.validate("abc") == .valid("abc", warnings: []))
    let issue = ValidationIssue(.tooLong, params: ["limit": .integer(3)])
    #expect(short.validate("abcd") == .invalid([issue]))
  }

  @Test func aWarningLetsTheInputPass() {
    let short = Validator<String, String>.check(.tooLong, severity: .warning) { $0.count <= 3 }
    let answer = short.validate("abcd")
    #expect(answer == .valid("abcd", warnings: [ValidationIssue(.tooLong, severity: .warning)]))
    #expect(answer.firstError == nil)
  }

  @Test func theValueIsThereOrItsFirstErrorIsThrown() throws {
    #expect(try number.validate("12").get() == 12)
    let rule = Validator<String, String>.check(.tooShort, severity: .warning) { $0.count > 3 }
      .then(number)
    #expect(throws: ValidationIssue(.invalidFormat, params: ["word": .text("abc")])) {
      try rule.validate("abc").get()
    }
  }

  @Test func warningsStandAmongTheIssuesOfARefusedInput() {
    let rule = Validator<String, String>.check(.tooShort, severity: .warning) { $0.count > 3 }
      .then(number)
    let answer = rule.validate("abc")
    #expect(answer.issues.map(\.code) == [.tooShort, .invalidFormat])
    #expect(answer.firstError?.code == .invalidFormat)
  }

  @Test func aRefusalThatNamesNoErrorIsAMistake() async {
    await #expect(processExitsWith: .failure) { _ = try Validated<Int>.invalid([]).get() }
  }

  @Test func mapChangesTheValueAndNoIssue() {
    let doubled = number.map { $0 * 2 }
    #expect(doubled.validate("21") == .valid(42, warnings: []))
    #expect(doubled.validate("x").issues == number.validate("x").issues)
  }
}

@Suite("Validator, stopping at the first error")
struct ValidatorThenTests {
  private let adult = number.then(.check(.outOfRange) { $0 >= 18 })

  @Test func theSecondRuleSeesWhatTheFirstOneMade() {
    #expect(adult.validate("18") == .valid(18, warnings: []))
    #expect(adult.validate("17").issues.map(\.code) == [.outOfRange])
  }

  @Test func theSecondRuleIsNotAskedWhenTheFirstRefuses() {
    let never = Validator<Int, Int>(.mismatch) { _ in
      Issue.record("a rule behind a refused one was asked")
      return nil
    }
    #expect(number.then(never).validate("x").issues.map(\.code) == [.invalidFormat])
  }
}

@Suite("Validator, gathering all errors")
struct ValidatorAllTests {
  private struct Form {
    var name: String
    var age: String
    var size: String = "1"
  }

  private let form = Validator.all(
    name.pullback(\Form.name, at: "name"),
    number.pullback(\.age, at: "age"),
    number.pullback(\.size, at: "size"))

  @Test func allValuesComeOutTogether() {
    let answer = form.map { "\($0) \($1) \($2)" }.validate(Form(name: "kim", age: "30"))
    #expect(answer == .valid("KIM 30 1", warnings: []))
  }

  @Test func issuesComeInTheOrderOfDeclaration() {
    let answer = form.map { "\($0)" }.validate(Form(name: "", age: "?", size: "!"))
    #expect(answer.issues.map(\.path) == ["name", "age", "size"])
    #expect(answer.firstError == ValidationIssue(.blank, at: "name"))
  }

  @Test func oneRefusedFieldRefusesTheForm() {
    for (input, path) in [
      (Form(name: "", age: "30"), "name" as FieldPath), (Form(name: "kim", age: "?"), "age"),
      (Form(name: "kim", age: "30", size: "?"), "size"),
    ] {
      let answer = form.map { "\($0)" }.validate(input)
      guard case .invalid(let issues) = answer else {
        Issue.record("\(path) was accepted")
        continue
      }
      #expect(issues.map(\.path) == [path])
    }
  }

  @Test func formsNest() {
    struct Order {
      var buyer: Form
    }
    let order = form.map { "\($0)" }.pullback(\Order.buyer, at: "buyer")
    let answer = order.validate(Order(buyer: Form(name: "", age: "?")))
    #expect(answer.issues.map(\.path) == [["buyer", "name"], ["buyer", "age"]])
  }
}

@Suite("Validator, places")
struct ValidatorPlaceTests {
  @Test func aPathIsPutInFrontOfTheRulesOwnIssuesOnly() {
    let rule = Validator<String, String>.check(.tooShort, severity: .warning) { _ in false }
      .then(number.at("number"))
    #expect(rule.validate("x").issues.map(\.path) == [[], "number"])
  }

  @Test func whatIsAbsentPassesAnOptionalRule() {
    #expect(number.optional().validate(nil) == .valid(nil, warnings: []))
    #expect(number.optional().validate("3") == .valid(3, warnings: []))
    #expect(number.optional().validate("x").issues.map(\.code) == [.invalidFormat])
  }

  @Test func everyElementIsAskedAndNamedByItsPosition() {
    let numbers = number.each().at("numbers")
    #expect(numbers.validate(["1", "2"]) == .valid([1, 2], warnings: []))
    #expect(numbers.validate([]) == .valid([], warnings: []))
    #expect(
      numbers.validate(["1", "x", "3", "y"]).issues.map(\.path) == [
        ["numbers", 1], ["numbers", 3],
      ])
  }
}
