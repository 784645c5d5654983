extension ObservableType {
  /// Emits the source's events through a subject, once it is connected.
  ///
  /// The subject outlives a connection: a replay subject keeps its elements for the next one.
  ///
  /// - Parameter subject: receives the source's events; observers are subscribed to it.
  public func multicast<Subject: SubjectType>(
    _ subject: Subject
  ) -> ConnectableObservable<Subject.Element> where Subject.Observer.Element == Element {
    ConnectableObservable(asObservable()) { subject }
  }

  /// Emits the source's events through a new subject for each connection, once it is connected.
  ///
  /// - Parameter makeSubject: called before the first subscription or connection, and then after
  ///   the end of each connection. When several threads are first, it may be called for each of
  ///   them, and one of the subjects is used.
  @preconcurrency
  public func multicast<Subject: SubjectType>(
    makeSubject: @escaping @Sendable () -> Subject
  ) -> ConnectableObservable<Subject.Element> where Subject.Observer.Element == Element {
    ConnectableObservable(asObservable(), makeSubject)
  }

  /// Lets a closure use the sequence several times with one subscription of the source.
  ///
  /// Each subscription of the result makes a subject, passes it to the selector as an observable,
  /// subscribes the selector's result, and then connects the source.
  ///
  /// - Parameters:
  ///   - subjectSelector: makes the subject; an error that it throws is emitted.
  ///   - selector: makes the result of the shared sequence; an error that it throws is emitted.
  @preconcurrency
  public func multicast<Subject: SubjectType, Result>(
    _ subjectSelector: @escaping @Sendable () throws -> Subject,
    selector: @escaping @Sendable (Observable<Subject.Element>) throws -> Observable<Result>
  ) -> Observable<Result> where Subject.Observer.Element == Element {
    let source = asObservable()
    return Producer { down in
      do {
        let connectable = source.multicast(try subjectSelector())
        let result = try selector(connectable)
        let sink = PassingSink(down)
        down.attach(sink)
        result.run(sink)
        if sink.isDisposed { return }
        // The source may end, and the result with it, while it is being subscribed.
        let hook = sink.disposalHook
        hook?.wait()
        let connection = connectable.connection()
        sink.other.attach(connection)
        connection.connect()
        hook?.stopped()
      } catch {
        down.done(error)
      }
    }
  }

  /// Emits the source's events to all observers, once it is connected.
  public func publish() -> ConnectableObservable<Element> {
    multicast { PublishSubject() }
  }

  /// Emits the latest elements to a new observer, and then later ones, once it is connected.
  ///
  /// - Parameter bufferSize: how many of the latest elements are replayed; 0 or more.
  public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
    multicast { ReplaySubject.create(bufferSize: bufferSize) }
  }

  /// Emits all earlier elements to a new observer, and then later ones, once it is connected.
  public func replayAll() -> ConnectableObservable<Element> {
    multicast { ReplaySubject.createUnbounded() }
  }

  /// Shares one subscription of the source between all observers.
  ///
  /// It is short for `replay(_:)` and `refCount()`, with one subject for all connections when
  /// the scope is `forever`.
  ///
  /// The first observer subscribes the source, and the disposal of the last one disposes it. After
  /// the end of the source, `whileConnected` subscribes it again for the next observer; `forever`
  /// replays the elements that it keeps, and the end.
  ///
  /// - Parameters:
  ///   - replay: how many of the latest elements a new observer receives first; 0 or more.
  ///   - scope: how long these are kept.
  public func share(
    replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected
  ) -> Observable<Element> {
    precondition(replay >= 0, "replay counts elements: 0 or more.")
    if scope == .forever { return multicast(ReplaySubject.create(bufferSize: replay)).refCount() }
    return self.replay(replay).refCount()
  }
}
