import CPostgres
import Dispatch
import Foundation

/// One connection to a server: statements go out together, and their answers come back in order.
///
/// The actor runs on a queue of its own, and all calls of libpq are made there. None of them waits, but for the
/// look-up of a host's name: the queue is told when the socket can be read or written.
actor PostgresConnection {
  private let executor = QueueExecutor(label: "croft.postgres")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// One element for each time that something was announced on a channel, or several at once.
  nonisolated let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  /// Nil once the connection is closed.
  private var handle: PostgresHandle?
  /// Why it is closed.
  private var failure: (any Error)?

  /// The flight, or the connecting, that waits for the socket.
  private var waiter: CheckedContinuation<Void, Never>?
  private let events = SocketEvents()

  private var isInFlight = false
  private var line: [CheckedContinuation<Void, Never>] = []

  private init() { (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  deinit { wake.finish() }

  /// Ends the connection; statements under way fail.
  func close() { close(PostgresError.connectionLost(reason: "it was closed")) }
}

// MARK: - Connecting

extension PostgresConnection {
  /// Connects to the first host that takes writes.
  static func open(_ server: PostgresServer) async throws -> PostgresConnection {
    let password = try await server.password?()
    let connection = PostgresConnection()
    try await connection.connect(server, password)
    return connection
  }

  private func connect(_ server: PostgresServer, _ password: String?) async throws {
    try await flight(within: server.deadline) {
      let handle = try PostgresHandle(server, password: password)
      self.handle = handle
      guard PQstatus(handle.pointer) != CONNECTION_BAD else { throw handle.connectionError }
      // The manual: begin as if the last call had asked for writing.
      var step = PGRES_POLLING_WRITING
      while step != PGRES_POLLING_OK {
        guard step == PGRES_POLLING_READING || step == PGRES_POLLING_WRITING else {
          throw handle.connectionError
        }
        // A source of its own for each step: the next host has another socket.
        await waitOnce(for: try handle.copySocket(), writing: step == PGRES_POLLING_WRITING)
        try checkIsOpen()
        step = PQconnectPoll(handle.pointer)
      }
      guard PQsetnonblocking(handle.pointer, 1) == 0 else { throw handle.connectionError }
      startReading(try handle.copySocket())
    }
  }

  /// Returns once the socket is ready or the connection is closed, and closes the socket.
  private func waitOnce(for socket: Int32, writing: Bool) async {
    await withCheckedContinuation { continuation in
      let ended: @Sendable () -> Void = {
        Foundation.close(socket)
        continuation.resume()
      }
      if writing {
        let source = DispatchSource.makeWriteSource(fileDescriptor: socket, queue: executor.queue)
        source.setEventHandler { source.cancel() }
        source.setCancelHandler(handler: ended)
        events.writer = source
        source.activate()
      } else {
        let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: executor.queue)
        source.setEventHandler { source.cancel() }
        source.setCancelHandler(handler: ended)
        events.reader = source
        source.activate()
      }
    }
    (events.reader, events.writer) = (nil, nil)
  }

  /// Follows the socket as long as the connection is open, for what comes unasked too.
  private func startReading(_ socket: Int32) {
    let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: executor.queue)
    source.setEventHandler { [weak self] in self?.assumeIsolated { $0.readSocket() } }
    source.setCancelHandler { Foundation.close(socket) }
    events.reader = source
    source.activate()
  }
}

// MARK: - Flights

extension PostgresConnection {
  /// Runs statements, each a transaction of its own unless they begin one; all are sent before the first answer.
  ///
  /// - Returns: What each gave, or why it was refused; a refused one does not stop those after it.
  /// - Throws: Where the connection failed: then nothing is known of any of them.
  func run(
    _ statements: [PostgresStatement], within deadline: Duration
  ) async throws -> [Result<PostgresRows, PostgresError>] {
    try await flight(within: deadline) {
      guard let handle else { return [] }
      guard PQenterPipelineMode(handle.pointer) == 1 else { throw handle.lost }
      for statement in statements {
        guard handle.send(statement), PQpipelineSync(handle.pointer) == 1 else { throw handle.lost }
      }
      var answers: [Result<PostgresRows, PostgresError>] = []
      var answer: Result<PostgresRows, PostgresError>?
      while answers.count < statements.count {
        guard let result = try await next(of: handle) else { continue }
        switch PQresultStatus(result) {
        case PGRES_PIPELINE_SYNC:
          PQclear(result)
          answers.append(
            answer ?? .failure(.invalidAnswer(reason: "a statement has no answer")))
          answer = nil
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK: answer = .success(PostgresRows(result))
        case PGRES_FATAL_ERROR, PGRES_PIPELINE_ABORTED: answer = .failure(PostgresError(result))
        default: throw Self.unexpected(result)
        }
      }
      guard PQexitPipelineMode(handle.pointer) == 1 else { throw handle.lost }
      return answers
    }
  }

  /// Runs a statement.
  @discardableResult
  func run(_ statement: PostgresStatement, within deadline: Duration) async throws -> PostgresRows {
    guard let answer = try await run([statement], within: deadline).first else {
      throw PostgresError.invalidAnswer(reason: "a statement has no answer")
    }
    return try answer.get()
  }

  /// Runs a text of several statements without values: one transaction, unless it has others in it.
  func run(script: String, within deadline: Duration) async throws {
    try await flight(within: deadline) {
      guard let handle else { return }
      guard PQsendQuery(handle.pointer, script) == 1 else { throw handle.lost }
      var error: PostgresError?
      while let result = try await next(of: handle) {
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK: PQclear(result)
        case PGRES_FATAL_ERROR: error = error ?? PostgresError(result)
        default: throw Self.unexpected(result)
        }
      }
      if let error { throw error }
    }
  }

  /// A result of another kind, such as a request to copy, which libpq would repeat for ever.
  private static func unexpected(_ result: OpaquePointer) -> PostgresError {
    defer { PQclear(result) }
    return .invalidAnswer(reason: "a result of kind \(PQresultStatus(result).rawValue)")
  }

  /// The next result, nil where those of a statement end.
  private func next(of handle: PostgresHandle) async throws -> OpaquePointer? {
    while true {
      let isUnsent = PQflush(handle.pointer)
      guard isUnsent >= 0 else { throw handle.lost }
      if PQisBusy(handle.pointer) == 0 { break }
      await waitForSocket(unsent: isUnsent > 0 ? try handle.copySocket() : nil)
      try checkIsOpen()
    }
    guard let result = PQgetResult(handle.pointer) else {
      // A connection that ended has no more results, whatever is missing.
      if PQstatus(handle.pointer) == CONNECTION_BAD { throw handle.lost }
      return nil
    }
    return result
  }

  /// Does something alone on this connection, which is closed where that fails or takes too long.
  private func flight<R>(
    within deadline: Duration, _ body: () async throws -> R
  ) async throws -> R {
    if isInFlight { await withCheckedContinuation { line.append($0) } }
    isInFlight = true
    defer {
      stopTimer()
      // The next in line is in flight from now on, so that nobody comes before it.
      if line.isEmpty { isInFlight = false } else { line.removeFirst().resume() }
    }
    try checkIsOpen()
    startTimer(deadline)
    return try await withTaskCancellationHandler {
      do {
        handle?.notices = []
        let result = try await body()
        // "canceling wait for synchronous replication": it comes with a success.
        if let handle, handle.notices.contains("01000") { throw PostgresError.unconfirmed }
        return result
      } catch let error as PostgresError where !error.endsConnection {
        throw error
      } catch {
        close(error)
        throw failure ?? error
      }
    } onCancel: {
      executor.queue.async { self.assumeIsolated { $0.close(CancellationError()) } }
    }
  }

  private func checkIsOpen() throws {
    if let failure { throw failure }
  }
}

// MARK: - The socket

extension PostgresConnection {
  /// Returns once something was read, or the connection is closed.
  ///
  /// - Parameter unsent: A socket to close, where it also returns once that can be written.
  private func waitForSocket(unsent: Int32?) async {
    await withCheckedContinuation { continuation in
      waiter = continuation
      guard let unsent else { return }
      let source = DispatchSource.makeWriteSource(fileDescriptor: unsent, queue: executor.queue)
      source.setEventHandler { [weak self] in self?.assumeIsolated { $0.resume() } }
      source.setCancelHandler { Foundation.close(unsent) }
      events.writer = source
      source.activate()
    }
  }

  private func resume() {
    events.writer?.cancel()
    events.writer = nil
    let continuation = waiter
    waiter = nil
    continuation?.resume()
  }

  private func readSocket() {
    guard let handle else { return }
    // The end of a connection is told once, perhaps together with bytes before it.
    repeat {
      guard PQconsumeInput(handle.pointer) == 1 else { return close(handle.lost) }
    } while handle.isHungUp
    var isAnnounced = false
    while let notification = PQnotifies(handle.pointer) {
      // A push of this connection is no news to it.
      if notification.pointee.be_pid != PQbackendPID(handle.pointer) { isAnnounced = true }
      PQfreemem(notification)
    }
    if isAnnounced { wake.yield() }
    resume()
  }

  private func startTimer(_ deadline: Duration) {
    let source = DispatchSource.makeTimerSource(queue: executor.queue)
    source.setEventHandler { [weak self] in
      self?.assumeIsolated { $0.close(PostgresError.unanswered) }
    }
    let (seconds, attoseconds) = deadline.components
    source.schedule(
      deadline: .now() + .milliseconds(Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)))
    events.timer = source
    source.activate()
  }

  private func stopTimer() {
    events.timer?.cancel()
    events.timer = nil
  }

  /// Ends the connection for a reason, which all later calls throw; the first one counts.
  private func close(_ error: any Error) {
    if failure != nil { return }
    failure = error
    handle = nil
    events.cancel()
    wake.finish()
    resume()
  }
}

extension PostgresError {
  /// Whether nothing can be asked afterwards.
  fileprivate var endsConnection: Bool {
    switch self {
    case .refused, .forbidden, .notInstalled: false
    default: true
    }
  }
}
