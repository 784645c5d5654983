/// A rule that turns raw input into a value of the domain, or into issues.
///
/// Rules are parsers: the output is a value, such as the trimmed text, and not a claim about the
/// input. They are pure functions, and small ones are combined into large ones:
///
/// ```swift
/// let title = Validator<String, String>(.blank) { $0.isEmpty ? nil : $0 }
/// let age = Validator<String, Int>(.invalidFormat) { Int($0) }
///   .then(.check(.outOfRange) { (0...150).contains($0) })
/// let person = Validator<PersonDraft, (String, Int)>.all(
///   title.pullback(\.name, at: "name"),
///   age.pullback(\.age, at: "age")
/// ).map { Person(name: $0, age: $1) }
/// ```
///
/// Within a field a chain stops at its first error: a missing title is not also too short. The
/// errors of several fields are all collected, in the order of declaration.
///
/// Threads: any; a rule has no state. The rules of texts take O(n) in their length.
public struct Validator<Input, Output>: Sendable {
  /// Appends issues; returns nil exactly when one of them is an error.
  let run: @Sendable (Input, inout [ValidationIssue]) -> Output?

  init(run: @escaping @Sendable (Input, inout [ValidationIssue]) -> Output?) {
    self.run = run
  }

  /// Makes a rule of a function that parses the input, and fails where it returns nil.
  ///
  /// - Parameters:
  ///   - code: The code of the issue when parsing fails.
  ///   - params: The parameters of the message, made from the refused input.
  ///   - parse: Returns the value of the input, or nil.
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
  /// A rule that accepts the unchanged input when a condition is true.
  ///
  /// - Parameters:
  ///   - code: The code of the issue when the condition is false.
  ///   - severity: A warning is added to the issues, and the input is accepted all the same.
  ///   - params: The parameters of the message.
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
  /// Applies the rule if a condition is true; otherwise the output is nil.
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
  /// Applies the rule if a condition is true; otherwise the input is accepted unchanged.
  public func when(_ condition: @escaping @Sendable (Input) -> Bool) -> Validator {
    Validator { input, issues in condition(input) ? run(input, &issues) : input }
  }

  /// Applies both rules to the same input and collects the errors of both.
  ///
  /// It is for a field whose errors are shown together, such as a password. The value is the output
  /// of the second rule.
  public func and(_ other: Validator) -> Validator {
    Validator { input, issues in
      let first = run(input, &issues)
      let second = other.run(input, &issues)
      return first == nil ? nil : second
    }
  }

  /// A rule that transforms every input and refuses none.
  public static func transform(_ change: @escaping @Sendable (Input) -> Input) -> Validator {
    Validator { input, _ in change(input) }
  }
}

extension Validator {
  /// Applies a second rule to the output of this one; stops at the first error.
  public func then<Next>(_ next: Validator<Output, Next>) -> Validator<Input, Next> {
    Validator<Input, Next> { input, issues in
      guard let output = run(input, &issues) else { return nil }
      return next.run(output, &issues)
    }
  }

  /// Applies every rule to the same input and collects all their errors.
  ///
  /// - Returns: A rule that gives the tuple of all values, or, when one of the
  ///   rules refuses, the issues of all of them in the order given here.
  public static func all<each Part>(
    _ rules: repeat Validator<Input, each Part>
  ) -> Validator<Input, Output> where Output == (repeat each Part) {
    Validator { input, issues in
      // Every rule runs before the first missing value is looked for.
      let parts = (repeat (each rules).run(input, &issues))
      do throws(Refusal) {
        return (repeat try accepted(each parts))
      } catch {
        return nil
      }
    }
  }

  /// Transforms the accepted value.
  public func map<Other>(
    _ transform: @escaping @Sendable (Output) -> Other
  ) -> Validator<Input, Other> {
    Validator<Input, Other> { input, issues in
      run(input, &issues).map(transform)
    }
  }

  /// Prefixes the path of every issue with the path of the input.
  public func at(_ path: FieldPath) -> Validator {
    Validator { input, issues in
      let known = issues.count
      let output = run(input, &issues)
      for index in known..<issues.count {
        issues[index] = issues[index].prefixed(by: path)
      }
      return output
    }
  }

  /// Applies the rule to one field of a larger input.
  ///
  /// - Parameters:
  ///   - field: The field to read.
  ///   - path: The path of that field, as messages and forms name it.
  public func pullback<Root>(
    _ field: any KeyPath<Root, Input> & Sendable, at path: FieldPath
  ) -> Validator<Root, Output> {
    let placed = at(path)
    return Validator<Root, Output> { root, issues in
      placed.run(root[keyPath: field], &issues)
    }
  }

  /// Applies the rule to an input that is not nil; nil is accepted.
  public func optional() -> Validator<Input?, Output?> {
    Validator<Input?, Output?> { input, issues in
      guard let input else { return .some(nil) }
      return run(input, &issues).map(Optional.some)
    }
  }

  /// Applies the rule to every element of a list; paths of issues contain the element's position.
  ///
  /// - Complexity: O(n) applications of the rule for n elements.
  public func each() -> Validator<[Input], [Output]> {
    Validator<[Input], [Output]> { inputs, issues in
      var outputs: [Output] = []
      outputs.reserveCapacity(inputs.count)
      for (index, input) in inputs.enumerated() {
        if let output = at([.index(index)]).run(input, &issues) { outputs.append(output) }
      }
      return outputs.count == inputs.count ? outputs : nil
    }
  }
}

/// One of several rules refused, and has appended its issues.
private struct Refusal: Error {}

private func accepted<Value>(_ value: Value?) throws(Refusal) -> Value {
  guard let value else { throw Refusal() }
  return value
}
