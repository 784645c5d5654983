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
  private typealias Step =
    @Sendable (inout FormState<Draft>) -> FormState<Draft>.Consequence

  private let definition: FormDefinition<Draft>
  private let store: IntentStore<FormState<Draft>, Step>
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
    store = IntentStore(FormState(initial, definition: definition)) { state, step in
      Self.effect(of: step(&state), state, errors) { draft in
        guard case .valid(let output, _) = rule.validate(draft) else {
          return .just { $0.finish(with: []) }
        }
        // Issues that it failed with are shown at their fields, and not emitted as errors.
        return submit(output).relayed(to: results) { error in
          let issues = (error as? any FieldError)?.validationIssues ?? []
          if let error, issues.isEmpty { errors.accept(PresentableError(error)) }
          return { $0.finish(with: issues) }
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
    store.send { $0.edit(change) }
  }

  /// Notes that the user has left a field.
  ///
  /// - Precondition: The field is declared in the form.
  public func blur(_ keyPath: PartialKeyPath<Draft>) {
    let index = definition.index(of: keyPath)
    store.send { $0.blur(index) }
  }

  /// Handles the draft, if it has no errors.
  ///
  /// All fields count as touched. A submit waits for checks that run; a change meanwhile cancels
  /// it. Until a submit is answered, further ones are dropped.
  public func submit() { store.send { $0.submit() } }

  /// Shows issues that were found elsewhere, each at its field until the field is changed.
  public func attach(_ issues: [ValidationIssue]) { store.send { $0.attach(issues) } }

  /// Resets the form: no field is touched, and nothing was submitted.
  ///
  /// A submit that is being handled continues: ``results`` or ``errors`` emits its outcome.
  ///
  /// - Parameter draft: The new initial draft; nil for the one before.
  public func reset(to draft: Draft? = nil) { store.send { $0.reset(to: draft) } }

  private static func effect(
    of consequence: FormState<Draft>.Consequence, _ state: FormState<Draft>,
    _ errors: PublishRelay<PresentableError>,
    handle: @escaping @Sendable (Draft) -> Observable<Step>
  ) -> Effect<Step> {
    let draft = state.draft
    var effects = consequence.stops.map { Effect<Step>.cancel(EffectID($0)) }
    for index in consequence.asks {
      guard let check = state.definition.fields[index].check else { continue }
      let answer = check(draft, consequence.isImmediate).map { issues -> Step in
        { $0.finishCheck(index, draft, issues) }
      }
      effects.append(.run(answer, id: EffectID(index)))
    }
    if consequence.submits { effects.append(.run(.deferred { handle(draft) }, id: "submit")) }
    if !consequence.unshown.isEmpty {
      effects.append(
        .run(
          .deferred {
            for issue in consequence.unshown { errors.accept(PresentableError(issue)) }
            return .empty()
          }))
    }
    return .merge(effects)
  }
}
