/// The state of one field of a form.
public struct FieldState<Value> {
  /// The path of the field.
  public let path: FieldPath
  /// The current value.
  public let value: Value
  /// The value before the first change.
  public let initial: Value
  /// Whether the value differs from the initial one.
  public let isDirty: Bool
  /// Whether the user has left the field, or tried to submit the form.
  public let isTouched: Bool
  /// Whether an asynchronous check runs.
  public let isValidating: Bool
  /// All issues of the field, in the order of the rules.
  public let issues: [ValidationIssue]
  /// The issues to be shown now.
  public let visibleIssues: [ValidationIssue]
}

extension FieldState: Sendable where Value: Sendable {}
extension FieldState: Equatable where Value: Equatable {}

/// The state of a field beside its value.
struct FieldStatus: Equatable, Sendable {
  /// Which issues a field shows.
  enum Display: Equatable, Sendable {
    /// None yet.
    case hidden
    /// The issues of the last update; current until the next change.
    case frozen([ValidationIssue], isCurrent: Bool)
    /// All current issues.
    case live
  }

  /// The progress of the asynchronous check.
  enum Check: Equatable, Sendable {
    /// The value is not checked.
    case unasked
    /// The check runs.
    case pending
    /// The result for the current value.
    case finished([ValidationIssue])

    var issues: [ValidationIssue] {
      if case .finished(let issues) = self { issues } else { [] }
    }
  }

  var isTouched = false
  var display = Display.hidden
  var check = Check.unasked
  /// The issues that a write found; removed with the next change.
  var attached: [ValidationIssue] = []
}
