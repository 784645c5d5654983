/// The declaration of a form, which never changes.
final class FormDefinition<Draft: Equatable & Sendable>: Sendable {
  let fields: [FormField<Draft>]
  let crossFieldRules: [CrossFieldRule<Draft>]
  let policy: IssuePolicy
  /// All issues that the form's rule finds in a draft.
  let rule: @Sendable (Draft) -> [ValidationIssue]
  /// For each cross-field rule, the indices of the fields that it reads.
  let readFields: [[Int]]

  init(
    fields: [FormField<Draft>], crossFieldRules: [CrossFieldRule<Draft>], policy: IssuePolicy,
    rule: @escaping @Sendable (Draft) -> [ValidationIssue]
  ) {
    precondition(
      Set(fields.map(\.path)).count == fields.count
        && Set(fields.map { $0.keyPath as AnyKeyPath }).count == fields.count,
      "Each field of a form is declared once: remove the second declaration.")
    self.fields = fields
    self.crossFieldRules = crossFieldRules
    self.policy = policy
    self.rule = rule
    readFields = crossFieldRules.map { $0.fields.map { Self.index(of: $0, in: fields) } }
  }

  func index(of keyPath: PartialKeyPath<Draft>) -> Int { Self.index(of: keyPath, in: fields) }

  private static func index(
    of keyPath: PartialKeyPath<Draft>, in fields: [FormField<Draft>]
  ) -> Int {
    guard let index = fields.firstIndex(where: { ($0.keyPath as AnyKeyPath) == keyPath }) else {
      preconditionFailure("The form has no such field: declare \(keyPath) among its fields.")
    }
    return index
  }

  /// The field that an issue belongs to: the one with the longest path that leads to it.
  func field(of issue: ValidationIssue) -> Int? {
    let steps = issue.path.components
    let owners = fields.indices.filter { steps.starts(with: fields[$0].path.components) }
    return owners.max { fields[$0].path.components.count < fields[$1].path.components.count }
  }
}
