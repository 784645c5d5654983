/// How long a shared subscription remembers.
public enum SubjectLifetimeScope: Sendable {
  /// As long as somebody is subscribed: the next first subscriber starts with nothing.
  case whileConnected
  /// For as long as the shared observable lives, also past its end.
  case forever
}

extension ObservableType {
  /// Lets all subscribers share one subscription of the source.
  ///
  /// It is short for `replay(_:)` and `refCount()`, with one subject for all connections when
  /// the scope is `forever`.
  ///
  /// The first subscriber subscribes the source, the last one to leave disposes that. After
  /// its end, `whileConnected` subscribes the source again for the next subscriber; `forever`
  /// hands out what it remembers, and the end.
  ///
  /// - Parameters:
  ///   - replay: how many of the latest elements a late subscriber gets first; 0 or more.
  ///   - scope: how long these are remembered.
  public func share(
    replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected
  ) -> Observable<Element> {
    precondition(replay >= 0, "replay counts elements: 0 or more.")
    if scope == .forever { return multicast(ReplaySubject.create(bufferSize: replay)).refCount() }
    return self.replay(replay).refCount()
  }
}
