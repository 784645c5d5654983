public import Reactive

/// A form: receives the user's input, and emits the state to show and the results of submits.
///
/// ```swift
/// let form = Form(
///   Draft(), fields: [FormField(\.title, at: "title"), FormField(\.priority, at: "priority")],
///   rule: .draft
/// ) { repository.add($0) }
/// form.states.subscribe(onNext: { draw($0) }).disposed(by: bag)
/// form.set(\.title, to: "Buy milk")
/// form.blur(\.title)
/// form.submit()
/// ```
///
/// The rule reads the whole draft at every change, so it should be quick. No stream of the form
/// ends because of an issue or an error.
///
/// Threads: any; states are delivered as an ``IntentStore`` delivers them.
public final class Form<Draft: Equatable & Sendable, Result: Sendable>: Sendable {
  enum Action: Sendable {
    case edit(@Sendable (inout Draft) -> Void)
    case blur(Int)
    case submit
    case finishCheck(Int, Draft, [ValidationIssue])
    case finish([ValidationIssue])
    case attach([ValidationIssue])
    case reset(Draft?)
  }

  private let definition: FormDefinition<Draft>
  private let store: IntentStore<FormState<Draft>, Action>
  private let resultRelay = PublishRelay<Result>()
  private let errorRelay = PublishRelay<PresentableError>()

  /// Makes a form.
  ///
  /// - Parameters:
  ///   - initial: The draft before any input.
  ///   - fields: The fields, in the order in which their issues are shown.
  ///   - rule: Turns a draft into the value to handle; the paths of its issues name the fields.
  ///   - crossFieldRules: Rules about several fields, beside the rule.
  ///   - policy: When issues are shown.
  ///   - submit: Handles the value of the rule. The issues of a ``FieldError`` are attached to their
  ///     fields, if these still have the values that were sent; ``errors`` emits any other error.
  public init<Output>(
    _ initial: Draft, fields: [FormField<Draft>], rule: Validator<Draft, Output>,
    crossFieldRules: [CrossFieldRule<Draft>] = [], policy: IssuePolicy = IssuePolicy(),
    submit: @escaping @Sendable (Output) -> Observable<Result>
  ) {
    let definition = FormDefinition(
      fields: fields, crossFieldRules: crossFieldRules, policy: policy
    ) {
      rule.validate($0).issues
    }
    let errors = errorRelay
    let results = resultRelay
    self.definition = definition
    store = IntentStore(FormState(initial, definition: definition)) { state, action in
      Self.reduce(&state, action, errors) { draft in
        guard case .valid(let output, _) = rule.validate(draft) else { return .just(.finish([])) }
        // Issues that it failed with are shown at their fields, and not emitted as errors.
        return submit(output).relayed(to: results) { error in
          let issues = (error as? any FieldError)?.validationIssues ?? []
          if let error, issues.isEmpty { errors.accept(PresentableError(error)) }
          return .finish(issues)
        }
      }
    }
  }

  /// The current state of the form.
  public var state: FormState<Draft> { store.state }

  /// The current state of the form, and then the state after each change.
  public var states: Observable<FormState<Draft>> { store.states.distinctUntilChanged() }

  /// The result of each submit that was handled, even when the form was reset meanwhile.
  public var results: Observable<Result> { resultRelay.asObservable() }

  /// The errors of submits that the form cannot show at a field.
  ///
  /// These are errors without issues, and the issues of submits before a reset.
  public var errors: Observable<PresentableError> { errorRelay.asObservable() }

  /// Enters a value into a field.
  ///
  /// Issues that were attached to the field, or to the form as a whole, are removed.
  public func set<Value: Sendable>(
    _ keyPath: any WritableKeyPath<Draft, Value> & Sendable, to value: Value
  ) {
    update { $0[keyPath: keyPath] = value }
  }

  /// Changes several fields at once.
  public func update(_ change: @escaping @Sendable (inout Draft) -> Void) {
    store.send(.edit(change))
  }

  /// Notes that the user has left a field.
  ///
  /// - Precondition: The field is declared in the form.
  public func blur(_ keyPath: PartialKeyPath<Draft>) {
    store.send(.blur(definition.index(of: keyPath)))
  }

  /// Handles the draft, if it has no errors.
  ///
  /// All fields count as touched. A submit waits for checks that run; a change meanwhile cancels
  /// it. Until a submit is answered, further ones are dropped.
  public func submit() { store.send(.submit) }

  /// Shows issues that were found elsewhere, each at its field until the field is changed.
  public func attach(_ issues: [ValidationIssue]) { store.send(.attach(issues)) }

  /// Resets the form: no field is touched, and nothing was submitted.
  ///
  /// A submit that is being handled continues: ``results`` or ``errors`` emits its outcome.
  ///
  /// - Parameter draft: The new initial draft; nil for the one before.
  public func reset(to draft: Draft? = nil) { store.send(.reset(draft)) }
}

extension Form {
  private static func reduce(
    _ state: inout FormState<Draft>, _ action: Action, _ errors: PublishRelay<PresentableError>,
    handle: @escaping @Sendable (Draft) -> Observable<Action>
  ) -> Effect<Action> {
    var consequence = FormState<Draft>.Consequence()
    switch action {
    case .edit(let change): consequence = state.edit(change)
    case .blur(let index): state.blur(index)
    case .submit: consequence = state.submit()
    case .finishCheck(let index, let asked, let issues):
      consequence = state.finishCheck(index, asked, issues)
    case .finish(let issues):
      let unshown = state.finish(with: issues).map { PresentableError($0) }
      return .run(
        .deferred {
          for error in unshown { errors.accept(error) }
          return .empty()
        })
    case .attach(let issues): state.attach(issues)
    case .reset(let draft): consequence = state.reset(to: draft)
    }
    var isSubmit = false
    if case .submit = action { isSubmit = true }
    return effect(of: consequence, state, isImmediate: isSubmit, handle: handle)
  }

  private static func effect(
    of consequence: FormState<Draft>.Consequence, _ state: FormState<Draft>, isImmediate: Bool,
    handle: @escaping @Sendable (Draft) -> Observable<Action>
  ) -> Effect<Action> {
    let draft = state.draft
    var effects = consequence.stops.map { Effect<Action>.cancel(EffectID($0)) }
    for index in consequence.asks {
      guard let check = state.definition.fields[index].check else { continue }
      let answer = check(draft, isImmediate).map { Action.finishCheck(index, draft, $0) }
      effects.append(.run(answer, id: EffectID(index)))
    }
    if consequence.submits { effects.append(.run(.deferred { handle(draft) }, id: "submit")) }
    return .merge(effects)
  }
}
