public import Reactive

/// The progress of loading a value, with the value to show meanwhile.
///
/// The last loaded value is shown while the next one is loaded, and when loading fails.
public enum LoadState<Value> {
  /// Nothing was requested.
  case idle
  /// A value is being loaded; the value is the last one, if there is one.
  case loading(stale: Value?)
  /// The value was loaded.
  case loaded(Value)
  /// Loading failed; the value is the last one, if there is one.
  case failed(PresentableError, stale: Value?)

  /// The value to show: the last one that was loaded.
  public var value: Value? {
    switch self {
    case .idle: nil
    case .loading(let stale), .failed(_, let stale): stale
    case .loaded(let value): value
    }
  }

  /// Whether a value is being loaded.
  public var isLoading: Bool { if case .loading = self { true } else { false } }

  /// The error of loading; nil unless loading has failed.
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
  /// Loads a value at each element, and emits the progress; errors do not end it.
  ///
  /// It begins with ``LoadState/idle``. An element that arrives during loading restarts it.
  ///
  /// - Parameter load: Called for each element; every value that it emits is shown.
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
