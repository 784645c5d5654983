public import Reactive

/// A form: takes what the user does, and says what to show and when it is sent.
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
/// The rule reads the whole draft and is applied at every change, so it is to be quick.
/// Whatever is wrong, no stream of the form ends because of it.
///
/// Threads: any; states are delivered as those of an ``IntentStore``.
public final class Form<Draft: Equatable & Sendable, Result: Sendable>: Sendable {
  enum Action: Sendable {
    case edit(@Sendable (inout Draft) -> Void)
    case blur(Int)
    case submit
    case settle(Int, Draft, [ValidationIssue])
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
  ///   - initial: What is entered at first.
  ///   - fields: The fields, in the order in which their issues are shown.
  ///   - rule: Makes of a draft what is handled; its issues are placed by their paths.
  ///   - crossFieldRules: Rules about several fields, beside the rule.
  ///   - policy: When issues are shown.
  ///   - submit: Handles what the rule made. An error that is a ``ValidationIssue`` is
  ///     attached to its field, if that is as it was sent; any other goes to ``errors``.
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
        return Self.actions(of: submit(output), results, errors)
      }
    }
  }

  /// The form now.
  public var state: FormState<Draft> { store.state }

  /// The form now, and then after everything that changed it.
  public var states: Observable<FormState<Draft>> { store.states.distinctUntilChanged() }

  /// What came of each submit that was handled, also of one that a reset left behind.
  public var results: Observable<Result> { resultRelay.asObservable() }

  /// Every error of handling that cannot be shown in the form.
  ///
  /// That is one that is no ``ValidationIssue``, and any that the form was reset before.
  public var errors: Observable<PresentableError> { errorRelay.asObservable() }

  /// Enters a value into a field.
  ///
  /// What was attached to the field is gone, and so is what was attached to the form.
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

  /// Handles what was entered, if nothing is wrong with it.
  ///
  /// All fields count as touched. Where checks are under way it waits for them; a
  /// change meanwhile calls it off. A submit that is not yet answered keeps others out.
  public func submit() { store.send(.submit) }

  /// Shows issues that were found elsewhere, each at its field until that is changed.
  public func attach(_ issues: [ValidationIssue]) { store.send(.attach(issues)) }

  /// Begins anew: nothing was entered, touched or submitted.
  ///
  /// What is being handled goes on: its result is told, and its error goes to ``errors``.
  ///
  /// - Parameter draft: What is entered at first; nil for what it was.
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
    case .settle(let index, let asked, let issues):
      consequence = state.settle(index, asked, issues)
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

  /// Hands on what handling sends, and says how it ended.
  ///
  /// An issue that it failed with is no error for a person, but something to show at a field.
  private static func actions(
    of handling: Observable<Result>, _ results: PublishRelay<Result>,
    _ errors: PublishRelay<PresentableError>
  ) -> Observable<Action> {
    handling.materialize().compactMap { event in
      switch event {
      case .next(let result):
        results.accept(result)
        return nil
      case .completed: return .finish([])
      case .error(let issue as ValidationIssue): return .finish([issue])
      case .error(let error):
        errors.accept(PresentableError(error))
        return .finish([])
      }
    }
  }

  private static func effect(
    of consequence: FormState<Draft>.Consequence, _ state: FormState<Draft>, isImmediate: Bool,
    handle: @escaping @Sendable (Draft) -> Observable<Action>
  ) -> Effect<Action> {
    let draft = state.draft
    var effects = consequence.stops.map { Effect<Action>.cancel(EffectID($0)) }
    for index in consequence.asks {
      guard let check = state.definition.fields[index].check else { continue }
      let answer = check(draft, isImmediate).map { Action.settle(index, draft, $0) }
      effects.append(.run(answer, id: EffectID(index)))
    }
    if consequence.submits { effects.append(.run(.deferred { handle(draft) }, id: "submit")) }
    return .merge(effects)
  }
}
