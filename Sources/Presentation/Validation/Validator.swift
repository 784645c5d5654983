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

extension Validator {
  /// Applies the rule where a condition holds, and accepts as nil what it is not for.
  @_disfavoredOverload
  public func when(
    _ condition: @escaping @Sendable (Input) -> Bool
  ) -> Validator<Input, Output?> {
    Validator<Input, Output?> { input, issues in
      guard condition(input) else { return .some(nil) }
      return run(input, &issues).map(Optional.some)
    }
  }
}

extension Validator where Input == Output {
  /// Applies the rule where a condition holds, and lets other inputs pass as they are.
  public func when(_ condition: @escaping @Sendable (Input) -> Bool) -> Validator {
    Validator { input, issues in condition(input) ? run(input, &issues) : input }
  }

  /// Applies both rules to the same input and gathers the errors of both.
  ///
  /// It is for a field whose errors are shown together, such as a password's. The value is
  /// what the second rule makes of it.
  public func and(_ other: Validator) -> Validator {
    Validator { input, issues in
      let first = run(input, &issues)
      let second = other.run(input, &issues)
      return first == nil ? nil : second
    }
  }

  /// A rule that changes the input and accepts all of it.
  public static func transform(_ change: @escaping @Sendable (Input) -> Input) -> Validator {
    Validator { input, _ in change(input) }
  }
}
