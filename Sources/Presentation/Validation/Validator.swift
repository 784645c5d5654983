/// A rule that turns raw input into a value of the domain, or says why it cannot.
///
/// Rules are parsers: what comes out is the trimmed, chosen, narrowed value, not
/// a promise about the input. They are pure, so the same input always gives the
/// same answer, and small ones are joined into large ones:
///
/// ```swift
/// let title = Validator<String, String>(.blank) { $0.isEmpty ? nil : $0 }
/// let age = Validator<String, Int>(.invalidFormat) { Int($0) }
///   .then(.check(.outOfRange) { (0...150).contains($0) })
/// let person = Validator.all(
///   title.pullback(\.name, at: "name"),
///   age.pullback(\.age, at: "age")
/// ).map(Person.init)
/// ```
///
/// Within a field a chain stops at its first error, because a title that is not
/// there is not also too short; across fields all errors are gathered. Their order
/// is the order of declaration.
///
/// Threads: any; a rule holds no state.
public struct Validator<Input, Output>: Sendable {
  /// Adds what it finds; gives nil exactly when one of these findings is an error.
  let run: @Sendable (Input, inout [ValidationIssue]) -> Output?

  init(run: @escaping @Sendable (Input, inout [ValidationIssue]) -> Output?) {
    self.run = run
  }

  /// Makes a rule that reads the input, and is broken where there is no reading.
  ///
  /// - Parameters:
  ///   - code: What is wrong when there is none.
  ///   - params: What the message may name, taken from the refused input.
  ///   - parse: The value the input stands for; nil when it stands for none.
  public init(
    _ code: ValidationIssue.Code,
    params: @escaping @Sendable (Input) -> [String: ValidationIssue.Value] = { _ in [:] },
    parse: @escaping @Sendable (Input) -> Output?
  ) {
    self.init { input, issues in
      if let output = parse(input) { return output }
      issues.append(ValidationIssue(code, params: params(input)))
      return nil
    }
  }

  /// Applies the rule to an input.
  public func validate(_ input: Input) -> Validated<Output> {
    var issues: [ValidationIssue] = []
    guard let output = run(input, &issues) else { return .invalid(issues) }
    return .valid(output, warnings: issues)
  }
}

extension Validator where Input == Output {
  /// A rule that lets the input pass as it is when a condition holds.
  ///
  /// - Parameters:
  ///   - code: What is wrong when it does not.
  ///   - severity: A broken warning is noted and lets the input pass all the same.
  ///   - params: What the message may name.
  ///   - holds: The condition.
  public static func check(
    _ code: ValidationIssue.Code, severity: ValidationIssue.Severity = .error,
    params: [String: ValidationIssue.Value] = [:],
    _ holds: @escaping @Sendable (Input) -> Bool
  ) -> Validator {
    Validator { input, issues in
      if holds(input) { return input }
      issues.append(ValidationIssue(code, params: params, severity: severity))
      return severity == .error ? nil : input
    }
  }
}
