/// A registered observer, which is removed when the token is cancelled or released.
///
/// Keep the token as long as changes are wanted. It keeps the store open.
///
/// Threads: any. After ``cancel()`` has returned on the observer's queue, the observer is not
/// called any more. After a call on another thread, a delivery that has begun may still end.
public final class ObservationToken: Sendable {
  let observer: any LiveObserver
  private let store: Store

  init(_ entry: ObserverEntry, of store: Store) {
    observer = entry.observer
    self.store = store
    // It has failed where its first values could not be read on the caller's thread.
    if observer.error == nil { store.live.add(entry, to: store) }
  }

  deinit { cancel() }

  /// The error that ended the observation; nil where none did.
  public var error: (any Error)? { observer.error }

  /// Ends the observation; ending it again does nothing.
  public func cancel() {
    observer.end()
    store.live.remove(observer.number)
  }
}

extension ObservationToken: CustomStringConvertible {
  /// The observation's number, and the error that ended it, where one did.
  public var description: String {
    "observation \(observer.number)" + (error.map { ", ended by: \($0)" } ?? "")
  }
}
