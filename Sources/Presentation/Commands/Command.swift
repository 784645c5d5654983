public import Reactive

/// An operation of the user, with its availability, its progress, its results and its errors.
///
/// ```swift
/// let save = Command(isEnabled: form.states.map(\.canSubmit)) { repository.save($0) }
/// save.isEnabled.subscribe(onNext: { button.isEnabled = $0 }).disposed(by: bag)
/// save.errors.subscribe(onNext: { alert.show($0) }).disposed(by: bag)
/// save.execute(draft)
/// ```
///
/// It runs once at a time: an input is dropped while the command is running or is not enabled. An
/// error is an element of ``errors``, and does not end any sequence.
///
/// Work that still runs is stopped when the command is deallocated.
///
/// Threads: any; values come on the thread of the work.
public final class Command<Input: Sendable, Output: Sendable>: Sendable {
  private struct Progress: Sendable {
    var isAllowed = false
    var isExecuting = false
  }

  private enum Signal: Sendable {
    case allow(Bool)
    case execute(Input)
    case end
  }

  private let store: IntentStore<Progress, Signal>
  private let valueRelay = PublishRelay<Output>()
  private let errorRelay = PublishRelay<PresentableError>()
  private let bag = DisposeBag()

  /// Makes a command.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether it can be executed; it cannot before the first element.
  ///   - work: Returns the work of an execution. It is called for each input that is not dropped.
  public init(
    isEnabled: Observable<Bool> = .just(true),
    work: @escaping @Sendable (Input) -> Observable<Output>
  ) {
    let values = valueRelay
    let errors = errorRelay
    let store = IntentStore<Progress, Signal>(Progress()) { progress, signal in
      switch signal {
      case .allow(let isAllowed): progress.isAllowed = isAllowed
      case .end: progress.isExecuting = false
      case .execute(let input) where progress.isAllowed && !progress.isExecuting:
        progress.isExecuting = true
        let signals = Observable.deferred { work(input) }.relayed(to: values) { error -> Signal in
          if let error { errors.accept(PresentableError(error)) }
          return .end
        }
        return .run(signals)
      case .execute: break
      }
      return .none
    }
    self.store = store
    isEnabled.subscribe(onNext: { [weak store] in store?.send(.allow($0)) }).disposed(by: bag)
  }

  /// Whether the command can be executed: now, and whenever that changes.
  public var isEnabled: Observable<Bool> {
    store.states.map { $0.isAllowed && !$0.isExecuting }.distinctUntilChanged()
  }

  /// Whether the work is running: now, and whenever that changes.
  public var isExecuting: Observable<Bool> {
    store.states.map(\.isExecuting).distinctUntilChanged()
  }

  /// The elements of the work, from the subscription on.
  public var values: Observable<Output> { valueRelay.asObservable() }

  /// The errors of the work, from the subscription on.
  public var errors: Observable<PresentableError> { errorRelay.asObservable() }

  /// Starts the work, unless it is running or the command is not enabled.
  public func execute(_ input: Input) { store.send(.execute(input)) }
}

extension Observable where Element: Sendable {
  /// Passes the elements to a relay, and emits one element made of the error, or of nil for the end.
  func relayed<End: Sendable>(
    to values: PublishRelay<Element>, _ end: @escaping @Sendable ((any Error)?) -> End
  ) -> Observable<End> {
    materialize().compactMap { event in
      switch event {
      case .next(let value):
        values.accept(value)
        return nil
      case .completed: return end(nil)
      case .error(let error): return end(error)
      }
    }
  }
}

extension Command where Input == Void {
  /// Starts the work, unless it is running or the command is not enabled.
  public func execute() { execute(()) }
}
