public import Reactive

/// How far loading a value is, and the value that can be shown meanwhile.
///
/// A value that was loaded stays to be shown while the next one is loaded, and when
/// that fails.
public enum LoadState<Value> {
  /// Nothing was asked for.
  case idle
  /// It is being loaded; the value is the one before, if there is one.
  case loading(stale: Value?)
  /// It was loaded.
  case loaded(Value)
  /// It could not be loaded; the value is the one before, if there is one.
  case failed(PresentableError, stale: Value?)

  /// The value to show: the one that was loaded, or the one before.
  public var value: Value? {
    switch self {
    case .idle: nil
    case .loading(let stale), .failed(_, let stale): stale
    case .loaded(let value): value
    }
  }

  /// Whether it is being loaded.
  public var isLoading: Bool { if case .loading = self { true } else { false } }

  /// Why it could not be loaded; nil unless that is so.
  public var error: PresentableError? {
    if case .failed(let error, _) = self { error } else { nil }
  }

  /// The state when loading begins.
  public func loading() -> LoadState { .loading(stale: value) }

  /// The state when loading has failed.
  public func failing(with error: any Error) -> LoadState {
    .failed(PresentableError(error), stale: value)
  }
}

extension LoadState: Sendable where Value: Sendable {}
extension LoadState: Equatable where Value: Equatable {}

extension ObservableType where Element: Sendable {
  /// Loads a value at each element, and sends how far that is; errors do not end it.
  ///
  /// It begins with ``LoadState/idle``. An element that comes while a value is loaded has it
  /// loaded anew.
  ///
  /// - Parameter load: Called for each element; every value that it sends is shown.
  public func loadStates<Value: Sendable>(
    _ load: @escaping @Sendable (Element) -> Observable<Value>
  ) -> Observable<LoadState<Value>> {
    asObservable()
      .flatMapLatest { (element: Element) -> Observable<LoadState<Value>> in
        Observable<Value>.deferred { load(element) }
          .map { LoadState<Value>.loaded($0) }
          .catch { .just(LoadState<Value>.failed(PresentableError($0), stale: nil)) }
          .startWith(LoadState<Value>.loading(stale: nil))
      }
      .scan(LoadState<Value>.idle) { (state, step) -> LoadState<Value> in
        switch step {
        case .idle, .loaded: step
        case .loading: state.loading()
        case .failed(let error, _): state.failing(with: error)
        }
      }
      .startWith(.idle)
  }
}
