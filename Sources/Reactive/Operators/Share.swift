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
    return Shared(asObservable(), replay: replay, scope: scope)
  }
}

/// Counts its subscribers and connects to the source while there are any.
private final class Shared<Element>: Observable<Element> {
  private struct State {
    var connection: Connection<Element>?
    /// What `forever` keeps from one connection to the next.
    var kept: Broadcast<Element>?
  }

  private let source: Observable<Element>
  private let replay: Int
  private let scope: SubjectLifetimeScope
  private let state = Guarded(State())

  init(_ source: Observable<Element>, replay: Int, scope: SubjectLifetimeScope) {
    self.source = source
    self.replay = replay
    self.scope = scope
  }

  override func run(_ sink: Sink<Element>) {
    let (connection, isFirst) = state.withLock { state in
      if let connection = state.connection {
        connection.subscribers += 1
        return (connection, false)
      }
      let connection = Connection(to: broadcast(&state), of: self)
      state.connection = connection
      return (connection, true)
    }
    connection.broadcast.add(SharedSink(sink, connection))
    if isFirst, !connection.isOver { source.run(connection) }
  }

  private func broadcast(_ state: inout State) -> Broadcast<Element> {
    if let kept = state.kept { return kept }
    let keeps = scope == .forever
    let broadcast = Broadcast<Element>(memory: Memory(capacity: replay, replaysAfterEnd: keeps))
    if keeps { state.kept = broadcast }
    return broadcast
  }

  func leave(_ connection: Connection<Element>) {
    let isLast = state.withLock { state in
      connection.subscribers -= 1
      guard connection.subscribers == 0 else { return false }
      if state.connection === connection { state.connection = nil }
      return true
    }
    if isLast { connection.dispose() }
  }

  func ended(_ connection: Connection<Element>) {
    state.withLock { state in
      if state.connection === connection { state.connection = nil }
    }
  }
}

// Unchecked: as every observable; what changes is guarded.
extension Shared: @unchecked Sendable where Element: Sendable {}

/// One subscription of the source, shared by everybody who came while it lasted.
private final class Connection<Element>: Sink<Element>, Disposable, @unchecked Sendable {
  // Unchecked: subscribers is reached under the shared observable's lock only.
  let broadcast: Broadcast<Element>
  var subscribers = 1
  private let shared: Shared<Element>
  private let upstream = Upstream()

  init(to broadcast: Broadcast<Element>, of shared: Shared<Element>) {
    self.broadcast = broadcast
    self.shared = shared
  }

  /// Whether there is nothing to connect for: everybody left already, or the end is known.
  var isOver: Bool { upstream.isDisposed || broadcast.recall { $0.ending != nil } }

  override func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  override func next(_ element: Element) {
    if !upstream.isDisposed { broadcast.next(element) }
  }

  override func done(_ error: (any Error)?) {
    if upstream.isDisposed { return }
    // Before anybody hears of the end: who subscribes again from there gets a new connection.
    shared.ended(self)
    broadcast.done(error)
    dispose()
  }

  func leave() { shared.leave(self) }

  func dispose() { upstream.dispose() }
}

/// One subscriber of a connection.
private final class SharedSink<Element>: Sink<Element>, Disposable, @unchecked Sendable {
  // Unchecked: the handle guards itself.
  private let down: Sink<Element>
  private let connection: Connection<Element>
  private let seat = Upstream()

  init(_ down: Sink<Element>, _ connection: Connection<Element>) {
    self.down = down
    self.connection = connection
  }

  override func attach(_ upstream: any Disposable) {
    seat.attach(upstream)
    down.attach(self)
  }

  override func next(_ element: Element) {
    if !seat.isDisposed { down.next(element) }
  }

  override func done(_ error: (any Error)?) {
    down.done(error)
    dispose()
  }

  func dispose() {
    guard seat.close() else { return }
    seat.release()
    connection.leave()
  }
}
