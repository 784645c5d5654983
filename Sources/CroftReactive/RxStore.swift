public import Croft

/// A store's results as observables; ``Croft/Store/rx`` returns it.
///
/// ```swift
/// store.rx.observe(TodoItem.where { !$0.isDone })
///   .map { "\($0.count) to do" }
///   .subscribe(onNext: { title.text = $0 })
///   .disposed(by: bag)
/// ```
/// All of them are cold: nothing is read before the subscription, each subscription observes or
/// reads by itself, and disposing ends it. An error of the store ends the sequence.
///
/// Threads: any.
public struct RxStore: Sendable {
  let store: Store
}

extension Store {
  /// The store's results as observables.
  public var rx: RxStore { RxStore(store: self) }
}
