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

/// What a form's state knows of a field beside its value.
struct FieldStatus: Equatable, Sendable {
  /// What a field shows of its issues.
  enum Display: Equatable, Sendable {
    /// Nothing yet.
    case hidden
    /// What was wrong when they were last brought up to date; current until the next change.
    case frozen([ValidationIssue], isCurrent: Bool)
    /// Whatever is wrong.
    case live
  }

  /// How far the check that takes time is.
  enum Check: Equatable, Sendable {
    /// The value was not asked about.
    case unasked
    /// The answer is to come.
    case pending
    /// The answer about the value that is entered.
    case settled([ValidationIssue])

    var issues: [ValidationIssue] {
      if case .settled(let issues) = self { issues } else { [] }
    }
  }

  var isTouched = false
  var display = Display.hidden
  var check = Check.unasked
  /// What a write found wrong with the value; gone with the next change.
  var attached: [ValidationIssue] = []
}
