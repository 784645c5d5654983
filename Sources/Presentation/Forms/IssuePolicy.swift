/// When a form shows the issues of a field.
///
/// By default a field shows its issues when the user leaves it for the first time, and from then on
/// updates them at every change.
public struct IssuePolicy: Hashable, Sendable {
  /// The event that makes a field show its issues before the form was submitted.
  public enum Mode: Hashable, Sendable, CaseIterable {
    /// Only submitting.
    case onSubmit
    /// Leaving the field, each time.
    case onBlur
    /// Changing it.
    case onChange
    /// Leaving it for the first time; from then on every change too.
    case onTouched
    /// Changing or leaving it, whichever comes first.
    case all
  }

  /// The event that updates shown issues after the form was submitted.
  public enum Revalidation: Hashable, Sendable, CaseIterable {
    /// Submitting again.
    case onSubmit
    /// Leaving the field.
    case onBlur
    /// Every change.
    case onChange
  }

  /// The event that makes a field show its issues before the form was submitted.
  public var mode: Mode
  /// The event that updates shown issues after the form was submitted.
  public var revalidation: Revalidation

  /// Makes a policy.
  public init(_ mode: Mode = .onTouched, then revalidation: Revalidation = .onChange) {
    self.mode = mode
    self.revalidation = revalidation
  }
}
