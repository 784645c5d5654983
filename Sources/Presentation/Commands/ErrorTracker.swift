public import Reactive

/// The last error, until something succeeds or the user has seen it.
///
/// ```swift
/// let tracker = ErrorTracker()
/// repository.load().trackErrors(tracker)
/// tracker.current.subscribe(onNext: { alert.show($0) })      // nil: hide it
/// alert.onDismiss = { tracker.dismiss() }
/// ```
///
/// Threads: any.
public final class ErrorTracker: Sendable {
  private let store = IntentStore<PresentableError?, PresentableError?>(nil) { current, change in
    current = change
    return .none
  }
  private let reports = PublishRelay<PresentableError>()

  /// Makes a tracker without an error.
  public init() {}

  /// The error to show: now, and whenever that changes; nil for none.
  public var current: Observable<PresentableError?> { store.states.distinctUntilChanged() }

  /// Each error when it is reported, also when it is the same as before.
  public var errors: Observable<PresentableError> { reports.asObservable() }

  /// Reports an error.
  public func report(_ error: any Error) {
    let error = PresentableError(error)
    store.send(error)
    reports.accept(error)
  }

  /// Reports a success, which clears the last error.
  public func succeed() { store.send(nil) }

  /// Runs a closure, and reports its error or its success.
  ///
  /// - Returns: The result of the closure; nil when it failed.
  @discardableResult
  public func track<Value>(_ work: () throws -> Value) -> Value? {
    do {
      let value = try work()
      succeed()
      return value
    } catch {
      report(error)
      return nil
    }
  }

  /// Notes that the user has seen the error.
  public func dismiss() { store.send(nil) }
}

extension ObservableType where Element: Sendable {
  /// Reports an error of the sequence to a tracker, and each element as a success.
  ///
  /// The tracker is updated before the sequence's own observer. A completion is a success too.
  public func trackErrors(_ tracker: ErrorTracker) -> Observable<Element> {
    asObservable().do(
      onNext: { _ in tracker.succeed() }, onError: { tracker.report($0) },
      onCompleted: { tracker.succeed() })
  }
}
