public import Reactive

/// A state that is changed by intents alone, one at a time, through one pure function.
///
/// ```swift
/// let store = IntentStore(0) { (count: inout Int, intent: CounterIntent) in
///   switch intent {
///   case .add(let amount): count += amount
///   case .reset: count = 0
///   }
///   return .none
/// }
/// store.states.subscribe(onNext: { draw($0) }).disposed(by: bag)
/// store.send(.add(2))
/// ```
///
/// Intents are handled in the order in which they are sent. An intent that is sent from within an
/// observer, a reducer or an effect waits until the current one is handled: until its new state
/// is published and its effects are started. So all observers see the same states in the same
/// order, and the stack does not grow.
///
/// Effects that still run are stopped when the store is deallocated.
///
/// Threads: any. States are delivered on the thread that sent the intent, or on
/// one that is handling an intent already.
public final class IntentStore<State: Sendable, Intent: Sendable>: Sendable {
  /// Changes the state for an intent and returns further work.
  ///
  /// It is called for one intent at a time, and should depend on its arguments alone.
  public typealias Reducer = @Sendable (inout State, Intent) -> Effect<Intent>

  /// An intent that waits, with the effect that sent it; dropped when that effect was stopped.
  private struct QueuedIntent: Sendable {
    let intent: Intent
    let sender: (any Cancelable)?
  }

  private let current: BehaviorRelay<State>
  private let queue = PublishSubject<QueuedIntent>()
  private let effects = EffectTasks()
  private let bag = DisposeBag()

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - initial: The state before any intent.
  ///   - reduce: Changes the state.
  public init(_ initial: State, reduce: @escaping Reducer) {
    let current = BehaviorRelay(value: initial)
    self.current = current
    queue.subscribe(onNext: { [current, effects, weak queue] queued in
      if queued.sender?.isDisposed ?? false { return }
      var state = current.value
      let effect = reduce(&state, queued.intent)
      current.accept(state)
      effects.perform(effect) { [weak queue] in
        queue?.onNext(QueuedIntent(intent: $0, sender: $1))
      }
    }).disposed(by: bag)
  }

  deinit { effects.close() }

  /// The state after the intent that was handled last.
  public var state: State { current.value }

  /// The state now, and then the state after each intent, also when it is equal.
  ///
  /// It does not end, and it does not retain the store.
  public var states: Observable<State> { current.asObservable() }

  /// Sends an intent.
  ///
  /// It returns when the intent was handled, unless another one is being handled, further up the
  /// stack or on another thread: then the intent waits its turn there.
  public func send(_ intent: Intent) { queue.onNext(QueuedIntent(intent: intent, sender: nil)) }
}
