/// One field of a form at one time.
public struct FieldState<Value> {
  /// Where the field stands.
  public let path: FieldPath
  /// What is entered.
  public let value: Value
  /// What was there before anything was entered.
  public let initial: Value
  /// Whether the two differ.
  public let isDirty: Bool
  /// Whether the user has left the field, or tried to submit the form.
  public let isTouched: Bool
  /// Whether a check that takes time is under way.
  public let isValidating: Bool
  /// Everything that is found wrong with it, in the order of the rules.
  public let issues: [ValidationIssue]
  /// What of that is to be shown now.
  public let visibleIssues: [ValidationIssue]
}

extension FieldState: Sendable where Value: Sendable {}
extension FieldState: Equatable where Value: Equatable {}
