public import Reactive

/// Tells whether any of several sequences is running.
///
/// ```swift
/// let activity = ActivityIndicator()
/// repository.load().trackActivity(activity)
/// activity.isActive.subscribe(onNext: { spinner.isVisible = $0 })
/// ```
///
/// Threads: any.
public final class ActivityIndicator: Sendable {
  private let store = IntentStore<Int, Int>(0) { count, change in
    count += change
    return .none
  }

  /// Makes an indicator that does not track any sequence yet.
  public init() {}

  /// Whether any of the sequences is running: now, and whenever that changes.
  public var isActive: Observable<Bool> { store.states.map { $0 > 0 }.distinctUntilChanged() }

  /// The number of running sequences: now, and whenever it changes.
  public var count: Observable<Int> { store.states.distinctUntilChanged() }

  fileprivate func add(_ change: Int) { store.send(change) }
}

extension ObservableType where Element: Sendable {
  /// The same sequence; an indicator tracks each of its subscriptions.
  ///
  /// A subscription is active until the end was delivered, or until it was disposed.
  public func trackActivity(_ indicator: ActivityIndicator) -> Observable<Element> {
    self.do(onSubscribe: { indicator.add(1) }, onDispose: { indicator.add(-1) })
  }
}
