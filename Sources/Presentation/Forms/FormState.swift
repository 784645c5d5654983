/// A form at one time: what was entered, what is wrong with it, and how far it is.
///
/// It is a value. A ``Form`` makes the next one from each thing that the user does.
public struct FormState<Draft: Equatable & Sendable>: Sendable {
  /// How far a form is.
  public enum Phase: Hashable, Sendable {
    /// The user is entering.
    case editing
    /// It was submitted and waits for checks that take time.
    case waiting
    /// What was entered is being handled.
    case submitting
  }

  let definition: FormDefinition<Draft>
  /// What is entered.
  public internal(set) var draft: Draft
  /// What was there before anything was entered.
  public internal(set) var initial: Draft
  /// How far the form is.
  public internal(set) var phase = Phase.editing
  /// How often it was submitted, whether or not that led to anything.
  public internal(set) var submitCount = 0
  /// One record for each field, in the order of their declaration.
  var statuses: [FieldStatus]
  var ruleIssues: [ValidationIssue] = []
  var crossFieldIssues: [[ValidationIssue]] = []
  /// What is being handled; nil when nothing is, and when the form was reset since.
  var handled: Draft?
  /// What was attached about the form as a whole.
  var attached: [ValidationIssue] = []

  init(_ initial: Draft, definition: FormDefinition<Draft>) {
    self.definition = definition
    self.initial = initial
    draft = initial
    statuses = definition.fields.map { _ in FieldStatus() }
    ruleIssues = definition.rule(initial)
    crossFieldIssues = definition.crossFieldRules.map { $0.issues(initial) }
  }

  /// Everything that is found wrong, in the order of the rules; what was attached comes last.
  public var issues: [ValidationIssue] { ownIssues + attached + statuses.flatMap(\.attached) }

  /// What is found wrong with the form as a whole.
  public var formIssues: [ValidationIssue] {
    ownIssues.filter { definition.field(of: $0) == nil } + attached
  }

  /// What of that is to be shown now: all of it once the form was submitted.
  public var visibleFormIssues: [ValidationIssue] { submitCount > 0 ? formIssues : attached }

  /// Everything that is to be shown now: the fields' issues in their order, then the form's.
  public var visibleIssues: [ValidationIssue] {
    statuses.indices.flatMap { visibleIssues(at: $0) } + visibleFormIssues
  }

  /// Whether nothing that was found stands in the way; attached issues do not count.
  public var isValid: Bool { !ownIssues.contains { $0.severity == .error } }

  /// Whether a check that takes time is under way.
  public var isValidating: Bool { statuses.contains { $0.check == .pending } }

  /// Whether it was submitted and is not yet answered.
  public var isSubmitting: Bool { phase != .editing }

  /// Whether what is entered differs from what was there before.
  public var isDirty: Bool { draft != initial }

  /// Whether submitting would lead to something; advice for a button.
  public var canSubmit: Bool { isValid && !isValidating && !isSubmitting }

  /// One field.
  ///
  /// - Precondition: The field is declared in the form.
  public func field<Value: Equatable>(_ keyPath: KeyPath<Draft, Value>) -> FieldState<Value> {
    let index = definition.index(of: keyPath)
    return FieldState(
      path: definition.fields[index].path, value: draft[keyPath: keyPath],
      initial: initial[keyPath: keyPath],
      isDirty: draft[keyPath: keyPath] != initial[keyPath: keyPath],
      isTouched: statuses[index].isTouched, isValidating: statuses[index].check == .pending,
      issues: issues(at: index) + statuses[index].attached,
      visibleIssues: visibleIssues(at: index))
  }

  /// What the form's own rules and checks have found.
  private var ownIssues: [ValidationIssue] {
    ruleIssues + crossFieldIssues.flatMap(\.self) + statuses.flatMap(\.check.issues)
  }

  /// What the form's own rules and checks have found about a field.
  func issues(at index: Int) -> [ValidationIssue] {
    ownIssues.filter { definition.field(of: $0) == index }
  }

  private func visibleIssues(at index: Int) -> [ValidationIssue] {
    let shown: [ValidationIssue] =
      switch statuses[index].display {
      case .hidden: []
      case .frozen(let issues, _): issues
      case .live: issues(at: index)
      }
    return shown + statuses[index].attached
  }
}

extension FormState: Equatable {
  /// Whether both are states of one form, and equal.
  public static func == (first: FormState, second: FormState) -> Bool {
    first.definition === second.definition && first.draft == second.draft
      && first.initial == second.initial
      && first.phase == second.phase && first.submitCount == second.submitCount
      && first.statuses == second.statuses && first.ruleIssues == second.ruleIssues
      && first.crossFieldIssues == second.crossFieldIssues && first.attached == second.attached
  }
}
