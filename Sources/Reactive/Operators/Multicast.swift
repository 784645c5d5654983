extension ObservableType {
  /// Sends through a subject, once it is connected.
  ///
  /// The subject outlives connections: one that remembers goes on remembering.
  ///
  /// - Parameter subject: takes what the source sends, and is what is subscribed.
  public func multicast<Subject: SubjectType>(
    _ subject: Subject
  ) -> ConnectableObservable<Subject.Element> where Subject.Observer.Element == Element {
    ConnectableObservable(asObservable()) { subject }
  }

  /// Sends through a subject made for each connection, once it is connected.
  ///
  /// - Parameter makeSubject: called before the first subscription or connection, and then
  ///   after each connection's end. Where several threads come first it may be called for
  ///   each of them, and only one subject is used.
  @preconcurrency
  public func multicast<Subject: SubjectType>(
    makeSubject: @escaping @Sendable () -> Subject
  ) -> ConnectableObservable<Subject.Element> where Subject.Observer.Element == Element {
    ConnectableObservable(asObservable(), makeSubject)
  }

  /// Lets a closure use the sequence several times with one subscription of it.
  ///
  /// Each subscription of the result makes a subject, hands it to the selector as an
  /// observable, subscribes what that returns, and then connects the source.
  ///
  /// - Parameters:
  ///   - subjectSelector: makes the subject; what it throws is sent.
  ///   - selector: makes the result of the shared sequence; what it throws is sent.
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
        let sink = MulticastSink(down)
        down.attach(sink)
        result.run(sink)
        if sink.isDisposed { return }
        // The source may end, and the result with it, before the source can be stopped.
        let hook = sink.disposalHook
        hook?.wait()
        sink.connection.attach(connectable.connect())
        hook?.stopped()
      } catch {
        down.done(error)
      }
    }
  }

  /// Sends to everybody who is subscribed at that time, once it is connected.
  public func publish() -> ConnectableObservable<Element> {
    multicast { PublishSubject() }
  }

  /// Sends the latest elements first and then what comes, once it is connected.
  ///
  /// - Parameter bufferSize: how many a late subscriber gets; 0 or more.
  public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
    multicast { ReplaySubject.create(bufferSize: bufferSize) }
  }

  /// Sends every earlier element first and then what comes, once it is connected.
  public func replayAll() -> ConnectableObservable<Element> {
    multicast { ReplaySubject.createUnbounded() }
  }
}

/// The stage behind a selector's result: its handle disposes that and the connection.
private final class MulticastSink<Element>: DisposableSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  let connection = SingleAssignmentHandle()

  override func didDispose() { connection.dispose() }

  override func next(_ element: Element) {
    if !isDisposed { emit(element) }
  }
}

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
