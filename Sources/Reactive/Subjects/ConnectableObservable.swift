import Synchronization

/// Sends to its subscribers through a subject, once somebody has connected it to its source.
///
///     let prices = feed.publish()
///     prices.subscribe(chart).disposed(by: bag)
///     prices.subscribe(table).disposed(by: bag)
///     prices.connect().disposed(by: bag)
///
/// A connection ends with the source, or when it is disposed. After that, subscribers get a
/// subject anew, and `connect()` subscribes the source anew.
///
/// Threads: may be used from any thread when its elements are `Sendable`. However many threads
/// connect at a time, the source is subscribed once.
public final class ConnectableObservable<Element>: Observable<Element>, ConnectableObservableType {
  private let makeConnection: (ConnectableObservable) -> Connection<Element>
  private let current = Locked<Connection<Element>?>(nil)

  /// Connects a source to the subjects that a closure makes, one for each connection.
  init<Source, Subject: SubjectType<Element>>(
    _ source: Observable<Source>, _ makeSubject: @escaping () -> Subject
  ) where Subject.Observer.Element == Source {
    makeConnection = { SubjectConnection(source, to: makeSubject(), of: $0) }
  }

  /// Subscribes to the subject of the connection that there is, or that there will be.
  public override func run(_ sink: Sink<Element>) { connection().exit.run(sink) }

  /// Subscribes the source, unless that is so already.
  ///
  /// - Returns: what disposes the source's subscription, however often it was connected.
  public func connect() -> any Disposable {
    let connection = connection()
    connection.connect()
    return connection
  }

  /// The connection that there is, or a new one, whose source is not subscribed yet.
  func connection() -> Connection<Element> {
    if let connection = current.withLock({ $0 }) { return connection }
    // Made outside of the lock, because that is user code. Another thread may be faster; then
    // this one goes away unused.
    let fresh = makeConnection(self)
    return current.withLock { current in
      let connection = current ?? fresh
      current = connection
      return connection
    }
  }

  fileprivate func leave(_ connection: Connection<Element>) {
    // Released outside of the lock: its subject may remember elements with deinitialisers.
    _ = current.withLock { current in
      guard current === connection else { return nil as Connection<Element>? }
      defer { current = nil }
      return current
    }
  }
}

// Unchecked: as every observable; what changes is guarded.
extension ConnectableObservable: @unchecked Sendable where Element: Sendable {}

/// One subscription of a source, for everybody who came while it lasted.
class Connection<Element>: Disposable, @unchecked Sendable {
  // Unchecked: set once, and the rest guards itself.
  /// Where subscribers hear the source.
  final let exit: Observable<Element>
  private let isConnected = Atomic<Bool>(false)
  private let upstream = SingleAssignmentHandle()
  /// Weak, because it holds this: a source that is never done would keep both.
  private weak let owner: ConnectableObservable<Element>?

  init(exit: Observable<Element>, of owner: ConnectableObservable<Element>?) {
    self.exit = exit
    self.owner = owner
  }

  /// Whether it ended or was disposed.
  final var isDisposed: Bool { upstream.isDisposed }

  /// Subscribes the source, the first time.
  final func connect() {
    if !isConnected.exchange(true, ordering: .acquiringAndReleasing), !isDisposed { start() }
  }

  /// What subclasses do to subscribe the source.
  func start() {}

  /// Takes the handle of the source's subscription.
  final func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  /// Makes room for the next connection.
  final func leaveOwner() { owner?.leave(self) }

  final func dispose() {
    leaveOwner()
    upstream.dispose()
  }
}

/// A connection through a subject.
private final class SubjectConnection<Source, Subject: SubjectType>: Connection<Subject.Element>,
  @unchecked Sendable
where Subject.Observer.Element == Source {
  // Unchecked: as its superclass.
  private let source: Observable<Source>
  private let entrance: Subject.Observer

  init(
    _ source: Observable<Source>, to subject: Subject,
    of owner: ConnectableObservable<Subject.Element>
  ) {
    self.source = source
    entrance = subject.asObserver()
    super.init(exit: subject.asObservable(), of: owner)
  }

  override func start() { source.run(EntranceSink(self)) }

  /// Hands the source's events to the subject.
  private final class EntranceSink: Sink<Source> {
    private let connection: SubjectConnection

    init(_ connection: SubjectConnection) {
      self.connection = connection
    }

    override func attach(_ upstream: any Disposable) { connection.attach(upstream) }

    override func next(_ element: Source) {
      if !connection.isDisposed { connection.entrance.onNext(element) }
    }

    override func done(_ error: (any Error)?) {
      if connection.isDisposed { return }
      // Before anybody hears of the end: who subscribes again from there gets a new connection.
      connection.leaveOwner()
      connection.entrance.on(error.map { .error($0) } ?? .completed)
      connection.dispose()
    }
  }
}

/// A sequence whose source is only subscribed when somebody says so.
public protocol ConnectableObservableType<Element>: ObservableType {
  /// Subscribes the source for everybody who is subscribed here.
  ///
  /// - Returns: what disposes the source's subscription again.
  func connect() -> any Disposable
}
