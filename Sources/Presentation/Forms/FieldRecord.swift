/// What a form's state knows of a field beside its value.
struct FieldRecord: Equatable, Sendable {
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
