/// The state of a form: its draft, its issues and its phase.
///
/// It is a value. A ``Form`` makes the next one from each action of the user.
public struct FormState<Draft: Equatable & Sendable>: Sendable {
  /// The phase of a form.
  public enum Phase: Hashable, Sendable {
    /// The user edits it.
    case editing
    /// It was submitted and waits for asynchronous checks.
    case waiting
    /// The draft is being handled.
    case submitting
  }

  let definition: FormDefinition<Draft>
  /// The current value.
  public internal(set) var draft: Draft
  /// The value before the first change.
  public internal(set) var initial: Draft
  /// The phase of the form.
  public internal(set) var phase = Phase.editing
  /// How often it was submitted, with or without success.
  public internal(set) var submitCount = 0
  /// The status of each field, in the order of their declaration.
  var statuses: [FieldStatus]
  var ruleIssues: [ValidationIssue] = []
  var crossFieldIssues: [[ValidationIssue]] = []
  /// The draft that is being handled; nil when there is none, or when the form was reset since.
  var handled: Draft?
  /// The issues about the form as a whole that a write found.
  var attached: [ValidationIssue] = []

  init(_ initial: Draft, definition: FormDefinition<Draft>) {
    self.definition = definition
    self.initial = initial
    draft = initial
    statuses = definition.fields.map { _ in FieldStatus() }
    ruleIssues = definition.rule(initial)
    crossFieldIssues = definition.crossFieldRules.map { $0.issues(initial) }
  }

  /// All issues in the order of the rules; those that a write found come last.
  public var issues: [ValidationIssue] { ownIssues + attached + statuses.flatMap(\.attached) }

  /// The issues of the form as a whole.
  public var formIssues: [ValidationIssue] {
    ownIssues.filter { definition.field(of: $0) == nil } + attached
  }

  /// The issues of the form as a whole to be shown now: all of them once it was submitted.
  public var visibleFormIssues: [ValidationIssue] { submitCount > 0 ? formIssues : attached }

  /// All issues to be shown now: those of the fields in their order, then those of the form.
  public var visibleIssues: [ValidationIssue] {
    statuses.indices.flatMap { visibleIssues(at: $0) } + visibleFormIssues
  }

  /// Whether no rule or check found an error; issues that a write found do not count.
  public var isValid: Bool { !ownIssues.contains { $0.severity == .error } }

  /// Whether an asynchronous check runs.
  public var isValidating: Bool { statuses.contains { $0.check == .pending } }

  /// Whether it was submitted and has no result yet.
  public var isSubmitting: Bool { phase != .editing }

  /// Whether the draft differs from the initial one.
  public var isDirty: Bool { draft != initial }

  /// Whether the form can be submitted now; for the state of a button.
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

  /// The issues of the form's own rules and checks.
  private var ownIssues: [ValidationIssue] {
    ruleIssues + crossFieldIssues.flatMap(\.self) + statuses.flatMap(\.check.issues)
  }

  /// The issues of the form's own rules and checks about a field.
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
