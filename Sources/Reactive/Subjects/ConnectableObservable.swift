import Synchronization

/// Emits the events of its source through a subject, once it is connected.
///
/// ```swift
/// let prices = feed.publish()
/// prices.subscribe(chart).disposed(by: bag)
/// prices.subscribe(table).disposed(by: bag)
/// prices.connect().disposed(by: bag)
/// ```
///
/// A connection ends with the source, or when it is disposed. After that, observers get a new
/// subject, and `connect()` subscribes the source again.
///
/// Threads: may be used from any thread when its elements are `Sendable`. When several threads
/// connect at the same time, the source is subscribed once.
public final class ConnectableObservable<Element>: Observable<Element>, ConnectableObservableType {
  private let makeConnection: (ConnectableObservable) -> Connection<Element>
  private let current = Locked<Connection<Element>?>(nil)

  /// Makes an observable of a source, with a closure that makes the subject of each connection.
  init<Source, Subject: SubjectType<Element>>(
    _ source: Observable<Source>, _ makeSubject: @escaping () -> Subject
  ) where Subject.Observer.Element == Source {
    makeConnection = { owner in
      let subject = makeSubject()
      let input = subject.asObserver()
      return Connection(observable: subject.asObservable(), of: owner) { connection in
        source.run(ConnectionSink(connection, input))
      }
    }
  }

  /// Subscribes to the subject of the current connection, or of the next one.
  public override func run(_ sink: Sink<Element>) { connection().observable.run(sink) }

  /// Subscribes the source, unless it is connected already.
  ///
  /// - Returns: the connection; disposing it disposes the subscription of the source.
  public func connect() -> any Disposable {
    let connection = connection()
    connection.connect()
    return connection
  }

  /// The current connection, or a new one whose source is not subscribed yet.
  func connection() -> Connection<Element> {
    if let connection = current.withLock({ $0 }) { return connection }
    // Made outside of the lock, because this calls user code. When another thread is faster, this
    // one is released unused.
    let fresh = makeConnection(self)
    return current.withLock { current in
      let connection = current ?? fresh
      current = connection
      return connection
    }
  }

  fileprivate func leave(_ connection: Connection<Element>) {
    // Released outside of the lock: its subject may keep elements with deinitialisers.
    _ = current.withLock { current in
      guard current === connection else { return nil as Connection<Element>? }
      defer { current = nil }
      return current
    }
  }
}

// Unchecked: as every observable; the lock guards what changes.
extension ConnectableObservable: @unchecked Sendable where Element: Sendable {}

/// One subscription of a source, shared by the observers that subscribed while it lasted.
final class Connection<Element>: StoppableDisposable, @unchecked Sendable {
  // Unchecked: set once, and the rest guards itself.
  /// The observable that observers are subscribed to.
  let observable: Observable<Element>
  private let isConnected = Atomic<Bool>(false)
  private let isLeaving = Atomic<Bool>(false)
  private let upstream = SingleAssignmentHandle()
  /// Weak, because it retains this: a source that never ends would keep both alive.
  private weak let owner: ConnectableObservable<Element>?
  /// Subscribes the source, and attaches its handle to the connection.
  private let start: (Connection) -> Void

  init(
    observable: Observable<Element>, of owner: ConnectableObservable<Element>?,
    _ start: @escaping (Connection) -> Void
  ) {
    self.observable = observable
    self.owner = owner
    self.start = start
  }

  /// Whether it ended or was disposed.
  var isDisposed: Bool { upstream.isDisposed }

  /// Subscribes the source, the first time.
  func connect() {
    if !isConnected.exchange(true, ordering: .acquiringAndReleasing), !isDisposed { start(self) }
  }

  func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  /// Removes it from the owner, which then makes another connection.
  func leaveOwner() {
    isLeaving.store(true, ordering: .releasing)
    owner?.leave(self)
  }

  /// Whether it was removed from the owner, or is about to be.
  var hasLeftOwner: Bool { isLeaving.load(ordering: .acquiring) }

  func stop() {
    leaveOwner()
    upstream.stop()
  }

  func dispose() {
    leaveOwner()
    upstream.dispose()
  }
}

/// Passes the events of a connection's source to its subject.
private final class ConnectionSink<Element, Observer: ObserverType>: Sink<Observer.Element> {
  private let connection: Connection<Element>
  private let input: Observer

  init(_ connection: Connection<Element>, _ input: Observer) {
    self.connection = connection
    self.input = input
  }

  override func attach(_ upstream: any Disposable) { connection.attach(upstream) }

  override var isDisposed: Bool { connection.isDisposed }

  override func next(_ element: Observer.Element) {
    if !connection.isDisposed { input.onNext(element) }
  }

  override func done(_ error: (any Error)?) {
    if connection.isDisposed { return }
    // Before the end is emitted: an observer that subscribes again then gets a new connection.
    connection.leaveOwner()
    input.on(error.map { .error($0) } ?? .completed)
    connection.dispose()
  }
}

/// A sequence whose source is subscribed by a method of its own.
public protocol ConnectableObservableType<Element>: ObservableType {
  /// Subscribes the source for all observers.
  ///
  /// - Returns: the handle that disposes the subscription of the source.
  func connect() -> any Disposable
}
