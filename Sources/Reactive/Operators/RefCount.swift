extension ConnectableObservableType {
  /// Connects for the first observer, and disconnects when the last one is disposed.
  public func refCount() -> Observable<Element> {
    RefCounted { Connection(observable: asObservable(), of: nil) { $0.attach(connect()) } }
  }
}

extension ConnectableObservable {
  /// Connects for the first observer, and disconnects when the last one is disposed.
  public func refCount() -> Observable<Element> {
    RefCounted { self.connection() }
  }
}

/// Counts its observers and keeps a connection while there are any.
private final class RefCounted<Element>: Observable<Element> {
  private let makeConnection: () -> Connection<Element>
  /// The connection that the current observers share, with their number.
  private let current = Locked<RefCountState<Element>?>(nil)

  init(_ makeConnection: @escaping () -> Connection<Element>) {
    self.makeConnection = makeConnection
  }

  override func run(_ sink: Sink<Element>) {
    let (state, isFirst) = join()
    state.connection.observable.run(RefCountSink(sink, state, of: self))
    guard isFirst, !state.connection.hasLeftOwner else { return }
    // The source may end, and this subscription with it, before the source's handle is known.
    let hook = sink.disposalHook
    hook?.wait()
    state.connection.connect()
    hook?.stopped()
  }

  private func join() -> (RefCountState<Element>, isFirst: Bool) {
    while true {
      if let state = current.withLock({ $0?.retained() }) { return (state, false) }
      // Made outside of the lock, because this calls user code.
      let fresh = RefCountState(makeConnection())
      // Released outside of the lock as well: its subject may keep elements with deinitialisers.
      var outgoing: RefCountState<Element>?
      defer { withExtendedLifetime(outgoing) {} }
      let joined = current.withLock { current -> (RefCountState<Element>, isFirst: Bool)? in
        if let state = current?.retained() { return (state, false) }
        // The last observer of this connection left meanwhile, and its thread will dispose it.
        if fresh.connection.hasLeftOwner { return nil }
        outgoing = current
        current = fresh
        return (fresh, true)
      }
      if let joined { return joined }
    }
  }

  /// An observer was stopped or disposed, perhaps one after the other.
  ///
  /// - Returns: whether no observer is left.
  func release(_ sink: RefCountSink<Element>) -> Bool {
    let state = sink.state
    return current.withLock { current in
      if !sink.wasReleased { state.subscribers -= 1 }
      sink.wasReleased = true
      guard state.subscribers == 0 else { return false }
      if current === state { current = nil }
      // Within the lock, so that who subscribes next gets another connection.
      state.connection.leaveOwner()
      return true
    }
  }

  /// The connection ended; the next observer gets a new one.
  func ended(_ state: RefCountState<Element>) {
    state.connection.leaveOwner()
    current.withLock { current in
      if current === state { current = nil }
    }
  }
}

// Unchecked: as every observable; the lock guards what changes.
extension RefCounted: @unchecked Sendable where Element: Sendable {}

/// A connection, and the number of its observers.
private final class RefCountState<Element>: @unchecked Sendable {
  // Unchecked: subscribers is reached under the lock of its observable only.
  let connection: Connection<Element>
  var subscribers = 1

  init(_ connection: Connection<Element>) {
    self.connection = connection
  }

  /// Adds an observer and returns this; nil when the connection was disposed.
  func retained() -> RefCountState? {
    if connection.isDisposed { return nil }
    subscribers += 1
    return self
  }
}

/// The stage of one subscriber.
private final class RefCountSink<Element>: DisposableSink<Element, Element>, @unchecked Sendable {
  // Unchecked: as its superclass; wasReleased is touched under the lock of the owner only.
  let state: RefCountState<Element>
  /// Whether it is no longer counted.
  var wasReleased = false
  private let owner: RefCounted<Element>

  init(_ down: Sink<Element>, _ state: RefCountState<Element>, of owner: RefCounted<Element>) {
    self.state = state
    self.owner = owner
    super.init(down)
  }

  override func attach(_ upstream: any Disposable) {
    super.attach(upstream)
    down.attach(self)
  }

  override func next(_ element: Element) {
    if !isDisposed { emit(element) }
  }

  override func done(_ error: (any Error)?) {
    // Before the end is emitted: an observer that subscribes again then gets a new connection.
    owner.ended(state)
    finish(error)
  }

  override func didStop() {
    if owner.release(self) { state.connection.stop() }
  }

  override func didDispose() {
    if owner.release(self) { state.connection.dispose() }
  }
}
