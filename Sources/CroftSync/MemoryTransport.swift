import CroftFoundation
import Synchronization

/// A way to a ``MemoryServer`` on which messages may be lost, doubled, late and out of order.
///
/// What becomes of a message follows from random numbers alone: with a seed, a run is repeated.
///
/// Threads: any; the state has a lock.
final class MemoryTransport: SyncTransport {
  /// Of how many messages one has a fate, on average; 0 for none.
  struct Faults: Sendable {
    /// The server never gets it.
    var lost = 0
    /// The server gets it, and its answer is lost.
    var unanswered = 0
    /// The server gets it twice.
    var doubled = 0
    /// The server gets it later, after other ones, and the answer is lost.
    var late = 0
    /// There is no connection when one is asked for.
    var unconnected = 0
  }

  private struct State {
    var random: any RandomNumberGenerator & Sendable
    /// Messages that are under way.
    var late: [@Sendable () -> Void] = []
  }

  let server: MemoryServer
  private let faults: Faults
  private let state: Mutex<State>

  init(
    to server: MemoryServer, _ faults: Faults = Faults(),
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.server = server
    self.faults = faults
    state = Mutex(State(random: random))
  }

  func connect(to space: UUID) throws -> any SyncSession {
    if draw(faults.unconnected) { throw SyncError.unreachable(reason: "there is no connection") }
    return Session(self)
  }

  /// The server gets all messages that are under way.
  func deliverAll() {
    while deliverOne() {}
  }

  @discardableResult
  private func deliverOne() -> Bool {
    let message = state.withLock { state in
      state.late.indices.randomElement(using: &state.random).map { state.late.remove(at: $0) }
    }
    message?()
    return message != nil
  }

  private func draw(_ oneOf: Int) -> Bool {
    oneOf > 0 && state.withLock { Int.random(in: 0..<oneOf, using: &$0.random) == 0 }
  }

  fileprivate func send<Answer>(
    _ message: @escaping @Sendable () throws -> Answer
  ) throws -> Answer {
    if draw(faults.late) { deliverOne() }
    if draw(faults.late) {
      state.withLock { state in
        state.late.append {
          // There is nobody to tell an error to.
          _ = try? message()
        }
      }
      throw SyncError.unreachable(reason: "the message is late")
    }
    if draw(faults.lost) { throw SyncError.unreachable(reason: "the message is lost") }
    if draw(faults.doubled) { _ = try message() }
    let answer = try message()
    if draw(faults.unanswered) { throw SyncError.unreachable(reason: "the answer is lost") }
    return answer
  }

  /// A session; it is over after a message whose answer never came.
  private final class Session: SyncSession {
    let wakes: AsyncStream<Void>
    private let transport: MemoryTransport
    private let isOpen = Mutex(true)
    private let listener: Int
    private let end: @Sendable () -> Void

    init(_ transport: MemoryTransport) {
      self.transport = transport
      (wakes, listener, end) = transport.server.listen()
    }

    deinit { end() }

    private func send<Answer>(
      _ message: @escaping @Sendable () throws -> Answer
    ) throws -> Answer {
      guard isOpen.withLock({ $0 }) else {
        throw SyncError.unreachable(reason: "the session is closed")
      }
      do { return try transport.send(message) } catch let error as SyncError {
        if error.isRetryable { close() }
        throw error
      }
    }

    func hello(_ hello: SyncHello) throws -> SyncServerState {
      let server = transport.server
      return try send { try server.hello(hello) }
    }

    func upload(_ part: SyncPush.Part, number: Int, of push: UUID) throws {
      let server = transport.server
      try send { server.upload(part, number: number, of: push) }
    }

    func push(_ push: SyncPush, limit: Int) throws -> SyncPushAnswer {
      let (server, listener) = (transport.server, listener)
      return try send { server.push(push, limit: limit, from: listener) }
    }

    func pull(after position: SyncPosition, cursor: UInt64, limit: Int) throws -> SyncPullAnswer {
      let server = transport.server
      return try send { server.pull(after: position, cursor: cursor, limit: limit) }
    }

    func close() {
      isOpen.withLock { $0 = false }
      end()
    }
  }
}
