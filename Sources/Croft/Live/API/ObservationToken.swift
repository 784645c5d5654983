/// Somebody's wish to hear of changes, which ends when it is cancelled or gone.
///
/// Keep it for as long as you want to hear. It keeps the store open.
///
/// Threads: any. After ``cancel()`` has returned on the queue that the observer is called on, it
/// is not called any more; from another thread, a call that has begun may still end.
public final class ObservationToken: Sendable {
  let observer: any LiveObserver
  private let store: Store

  /// The observers of some tokens, by their numbers.
  ///
  /// - Precondition: They observe this very store.
  static func numbers(of tokens: [ObservationToken], in store: Store) -> Set<Int> {
    for token in tokens {
      precondition(
        token.store === store,
        "A write skips an observer of another Store, which would hear of it: write by the store "
          + "that the token observes.")
    }
    return Set(tokens.map(\.observer.number))
  }

  init(_ subject: ObserverEntry, of store: Store) {
    observer = subject.observer
    self.store = store
    store.live.add(subject, to: store)
  }

  deinit { cancel() }

  /// Why nothing more will be heard: what kept the result from being read; nil where nothing did.
  public var error: (any Error)? { observer.error }

  /// Ends the observation; ending it again does nothing.
  public func cancel() {
    observer.end()
    store.live.remove(observer.number)
  }
}

extension ObservationToken: CustomStringConvertible {
  /// The observation's number, and why it ended by itself, where it did.
  public var description: String {
    "observation \(observer.number)" + (error.map { ", ended by: \($0)" } ?? "")
  }
}
