import Reactive

/// Declares a field of a form: which part of the draft it is, and where its issues belong.
///
/// ```swift
/// let name = FormField(\Account.name, at: "name", check: nameIsFree)
/// ```
public struct FormField<Draft: Sendable>: Sendable {
  /// The path of the field; issues at this path and below it are the field's.
  public let path: FieldPath
  let keyPath: any PartialKeyPath<Draft> & Sendable
  let isEqual: @Sendable (Draft, Draft) -> Bool
  /// Runs the asynchronous check of the field's value; the flag skips the delay.
  let check: (@Sendable (Draft, Bool) -> Observable<[ValidationIssue]>)?

  /// Declares a field.
  ///
  /// - Parameters:
  ///   - keyPath: Its part of the draft.
  ///   - path: Its path, as rules and messages name it.
  ///   - check: An asynchronous rule. It runs when no other rule has found an error in the field,
  ///     and its issues are attached to the field.
  public init<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<Draft, Value> & Sendable, at path: FieldPath,
    check: AsyncValidator<Value>? = nil
  ) {
    self.path = path
    self.keyPath = keyPath
    isEqual = { $0[keyPath: keyPath] == $1[keyPath: keyPath] }
    guard let check else {
      self.check = nil
      return
    }
    self.check = { draft, isImmediate in
      check.issues(of: draft[keyPath: keyPath], isImmediate: isImmediate)
        .map { issues in issues.map { $0.prefixed(by: path) } }
    }
  }
}

/// A rule about several fields of a form, which runs when one of them changes.
///
/// ```swift
/// let agree = CrossFieldRule(\Account.password, \.repeated) { account in
///   account.password == account.repeated ? [] : [ValidationIssue(.mismatch, at: "repeated")]
/// }
/// ```
public struct CrossFieldRule<Draft: Sendable>: Sendable {
  let fields: [any PartialKeyPath<Draft> & Sendable]
  let issues: @Sendable (Draft) -> [ValidationIssue]

  /// Declares a rule.
  ///
  /// - Parameters:
  ///   - fields: The fields it reads, each declared in the form.
  ///   - issues: Returns the issues; one without a path is about the form as a whole.
  public init(
    _ fields: any PartialKeyPath<Draft> & Sendable...,
    issues: @escaping @Sendable (Draft) -> [ValidationIssue]
  ) {
    self.fields = fields
    self.issues = issues
  }
}
