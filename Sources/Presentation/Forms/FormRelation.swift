/// A rule about how fields of a form go together, which is asked when one of them changes.
///
/// ```swift
/// FormRelation(\.password, \.repeated) { draft in
///   draft.password == draft.repeated ? [] : [ValidationIssue(.mismatch, at: "repeated")]
/// }
/// ```
public struct FormRelation<Draft: Sendable>: Sendable {
  let fields: [any PartialKeyPath<Draft> & Sendable]
  let issues: @Sendable (Draft) -> [ValidationIssue]

  /// Declares a rule.
  ///
  /// - Parameters:
  ///   - fields: The fields it reads, each declared in the form.
  ///   - issues: What is wrong; an issue without a path is about the form as a whole.
  public init(
    _ fields: any PartialKeyPath<Draft> & Sendable...,
    issues: @escaping @Sendable (Draft) -> [ValidationIssue]
  ) {
    self.fields = fields
    self.issues = issues
  }
}
