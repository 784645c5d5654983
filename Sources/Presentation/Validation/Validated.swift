/// The result of validating an input: a value, or the issues for which it was refused.
///
/// A program that has the value need not check it again.
public enum Validated<Value> {
  /// The input was accepted; warnings, if any, in the order the rules were declared.
  case valid(Value, warnings: [ValidationIssue])
  /// The input was refused; all issues, in the order the rules were declared.
  ///
  /// At least one is an error when a validator made it; warnings are among them.
  case invalid([ValidationIssue])

  /// Everything found, errors and warnings, in the order the rules were declared.
  public var issues: [ValidationIssue] {
    switch self {
    case .valid(_, let warnings): warnings
    case .invalid(let issues): issues
    }
  }

  /// The first issue that refuses the input; nil when the input was accepted.
  ///
  /// A front end with room for one message shows it.
  public var firstError: ValidationIssue? {
    issues.first { $0.severity == .error }
  }

  /// The value.
  ///
  /// - Throws: The first error, as a ``ValidationIssue``, when the input was refused.
  public func get() throws(ValidationIssue) -> Value {
    switch self {
    case .valid(let value, _): return value
    case .invalid:
      guard let firstError else {
        preconditionFailure("A refused input needs an issue of severity error that says why.")
      }
      throw firstError
    }
  }
}

extension Validated: Sendable where Value: Sendable {}
extension Validated: Equatable where Value: Equatable {}
