/// When a form shows the issues of a field.
///
/// The default waits until the user leaves a field, shows its issues then,
/// and from then on keeps up with every keystroke: late to blame, quick to praise.
public struct IssuePolicy: Hashable, Sendable {
  /// The event that makes a field show its issues before the form was submitted.
  public enum Mode: Hashable, Sendable, CaseIterable {
    /// Nothing but submitting.
    case onSubmit
    /// Leaving the field, each time.
    case onBlur
    /// Changing it.
    case onChange
    /// Leaving it for the first time; from then on every change too.
    case onTouched
    /// Whatever comes first, changing or leaving it.
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
