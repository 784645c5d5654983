public import Croft
public import CroftFoundation

/// Keeps the objects of some models the same in all stores of a space, by way of a server.
///
/// ```swift
/// let sync = try Sync(store, with: transport, space: household, models: [Group.self, Item.self])
/// try await sync.now()
/// for await status in sync.status { show(status) }
/// ```
/// From then on every change of the models is noted in the store, by whichever program it is made, and sent when
/// the server can be reached. Changes of others are written as any other changes are: queries, live queries and
/// unique indexes see them. It runs until ``stop()``.
///
/// Threads: any. It writes on a queue of its own.
public actor Sync {
  /// How long a synchronization waits for what.
  public struct Options: Sendable, Hashable {
    /// How long commits gather after a push, to be sent together; the first one is sent at once.
    public var commitDelay = Duration.milliseconds(50)
    /// How often the server is asked for changes, where it has not told of any.
    public var pollInterval = Duration.seconds(30)
    /// How long an answer of the server may take.
    public var answerTimeout = Duration.seconds(20)
    /// The longest time until the server is tried again.
    public var longestRetryDelay = Duration.seconds(60)
    /// The most rows that are asked for at a time.
    ///
    /// Two answers may be in memory together, each of 8 MiB and a row at most.
    public var pullLimit = 10_000
    /// The most rows of a push that are sent at a time; a longer one, or one over 8 MiB, is sent in parts.
    public var pushLimit = 10_000

    /// The defaults.
    public init() {}
  }

  /// What becomes of the objects when a store leaves its space.
  public enum Leaving: Sendable {
    /// They stay in the store.
    case keep
    /// They are deleted here; the space keeps them.
    case erase
  }

  /// Called in a transaction that changes objects because others did, with the objects.
  public typealias ChangeHandler =
    @Sendable (_ changes: SyncChanges, _ transaction: inout WriteTransaction) throws -> Void

  let store: Store
  private let onChange: ChangeHandler?
  private let transport: any SyncTransport
  private let space: UUID
  private let options: Options
  let time: any SyncTime
  var replica: Replica
  private let executor = SyncExecutor()
  let board = StatusBoard()
  private var signals = SyncSignals()
  private var session: (any SyncSession)?
  private var lease: (any Sendable)?
  private var watch: (any Sendable)?
  private var loop: Task<Void, Never>?
  private var isStopping = false
  /// Cancels the call to the server that is under way.
  private var cancelCall: (@Sendable () -> Void)?
  /// Whether the last session ended because it was of another lineage.
  private var isBroken = false
  /// When the server last answered a pull or a push, both of which bring what others have pushed.
  private var pulled = Duration.zero
  /// How often in a row the server could not be reached.
  private var failures = 0
  /// The error that ended it, or ends it now.
  private var failure: SyncError?
  /// Calls of ``now()`` that wait.
  private var callers: [CheckedContinuation<Int, any Error>] = []
  /// How many of them called before the present attempt began, which answers them.
  private var covered = 0
  /// How many objects had changes that were not sent, when they were last counted.
  private var pending = 0
  var eventReaders: [CheckedContinuation<Void, Never>] = []

  /// The queue on which it runs.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Begins to synchronize a store with a space.
  ///
  /// The models are marked in the store, for all programs: the first call sends all their objects.
  ///
  /// - Parameters:
  ///   - store: The store; it was opened with the models.
  ///   - transport: The way to the server.
  ///   - space: The space's identity, which is the same for all its stores.
  ///   - models: The models. A model that refers to another one, or is referred to by it, goes with that one.
  ///   - options: How long it waits for what.
  ///   - onChange: Called at the end of each transaction that changes objects because others did. So what a program
  ///     derives from them is committed with them: it may write models that are not shared. Reads of the store see
  ///     the state before it.
  /// - Throws: ``SyncError/anotherSpace``; ``SyncError/schemaMismatch(model:field:reason:)`` where the space is
  ///   known to have other models; `StoreError` for models that cannot be shared alone, or a store that cannot be
  ///   written.
  public init(
    _ store: Store, with transport: any SyncTransport, space: UUID, models: [any Model.Type],
    options: Options = Options(), onChange: ChangeHandler? = nil
  ) throws {
    try self.init(store, transport, space, models, options, SystemTime(), onChange: onChange)
  }

  init(
    _ store: Store, _ transport: any SyncTransport, _ space: UUID, _ models: [any Model.Type],
    _ options: Options, _ time: any SyncTime, onChange: ChangeHandler? = nil
  ) throws {
    (self.store, self.onChange) = (store, onChange)
    self.transport = transport
    self.space = space
    self.options = options
    self.time = time
    try store.replicate(models, as: 0)
    replica = try Replica(store, of: space, onChange: onChange)
    Task { await self.start() }
  }
}

// MARK: - For programs

extension Sync {
  /// The present status, and then each one from now on; it ends with ``Status/stopped(_:)``.
  public nonisolated var status: AsyncStream<Status> { board.stream() }

  /// What was decided where changes of two stores excluded each other.
  ///
  /// Events are kept in the store until they are read: one is forgotten when the next one is asked for. There is
  /// one reader at a time.
  public nonisolated var events: AsyncStream<SyncEvent> {
    let reader = EventReader()
    return AsyncStream {
      await self.nextEvent(for: reader)
    } onCancel: {
      Task { await self.wakeEventReaders() }
    }
  }

  /// How many of the server's objects are out of sight, because they cannot be objects of this program.
  ///
  /// They are kept, and come back when a program can read them, or when they are changed.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  /// - Complexity: O(*n*) for *n* such objects.
  public func asideCount() throws -> Int { try replica.asideCount() }

  /// Sends all changes as of now, and applies all of others that the server has.
  ///
  /// - Returns: How many objects have changes that are not sent, because objects that are out of sight exclude
  ///   them: one refers to what was deleted, or has a unique value. See ``asideCount()``.
  /// - Throws: ``SyncError`` where it cannot; changes are kept, and sent when the server can be reached.
  @discardableResult
  public func now() async throws -> Int {
    if let failure { throw failure }
    if isStopping { throw SyncError.unreachable(reason: "the synchronization was stopped") }
    return try await withCheckedThrowingContinuation { caller in
      callers.append(caller)
      signals.set(.now)
    }
  }

  /// Ends the synchronization, and waits until it has ended; changes are noted further.
  public func stop() async {
    isStopping = true
    signals.set(.stop)
    cancelCall?()
    await session?.close()
    await loop?.value
  }

  /// Ends the synchronization for good: changes of the models are not noted any more.
  ///
  /// Changes that were not sent are lost to the space; ``now()`` before sends them.
  ///
  /// - Throws: ``SyncError/anotherProgram``; `StoreError`. The store is a replica as before then.
  public func leave(_ leaving: Leaving) async throws {
    await stop()
    guard let lease = try store.lease() else { throw SyncError.anotherProgram }
    defer { _ = lease }
    try store.leaveReplication(erases: leaving == .erase)
  }
}

// MARK: - The loop

extension Sync {
  private func start() {
    guard !isStopping else { return board.set(.stopped(nil)) }
    watch = store.onCommit { [weak self] in
      Task { await self?.note(.commit) }
    }
    loop = Task { await run() }
  }

  private func run() async {
    while !isStopping {
      covered = callers.count
      do {
        guard try takeLease() else {
          board.set(.elsewhere)
          answer(with: .failure(.anotherProgram))
          await pause(for: options.pollInterval)
          continue
        }
        board.set(.connecting)
        try await connect()
      } catch {
        await session?.close()
        session = nil
        if isStopping { break }
        // A new session finds out what the server and the replica have in common.
        if error is Replica.LineageBroken, !isBroken {
          isBroken = true
          continue
        }
        let error = countPending(after: SyncError(error))
        answer(first: covered, with: .failure(error))
        // A call that came during the attempt has the next one made at once, which answers it.
        if callers.isEmpty { _ = signals.take(.now) }
        guard error.isRetryable else {
          failure = error
          break
        }
        board.set(.offline(error, pending: pending))
        await pause(for: delay)
        failures += 1
      }
    }
    isStopping = true
    await session?.close()
    (session, watch, lease) = (nil, nil, nil)
    answer(with: .failure(failure ?? .unreachable(reason: "the synchronization was stopped")))
    board.set(.stopped(failure))
    wakeEventReaders()
  }

  /// Takes the right to synchronize the store; false while another program has it.
  private func takeLease() throws -> Bool {
    if lease != nil { return true }
    guard let lease = try store.lease() else { return false }
    // The program that had it has changed what the replica remembers.
    replica = try Replica(store, of: space, onChange: onChange)
    self.lease = lease
    return true
  }

  private func note(_ signal: SyncSignals.Reasons) { signals.set(signal) }

  /// Between a half and the whole of twice the last delay, from half a second on.
  private var delay: Duration {
    let longest = min(
      options.longestRetryDelay, .milliseconds(500 << min(failures, Self.doublings)))
    return longest * Double.random(in: 0.5...1)
  }

  /// After so many failures the delay grows no more, whatever the options are.
  private static let doublings = 20

  /// Waits until some time is over, or somebody asks for a synchronization now.
  private func pause(for duration: Duration) async {
    _ = await signals(for: [.now, .stop], within: duration)
  }

  /// Waits for signals, which are taken back.
  private func signals(
    for wanted: SyncSignals.Reasons, within duration: Duration
  ) async -> SyncSignals.Reasons {
    let number = signals.begin(wanted)
    let timer = Task { [time] in
      try await time.wait(for: duration)
      self.signals.end(number)
    }
    defer { timer.cancel() }
    await withCheckedContinuation { signals.wait($0) }
    return signals.take(wanted)
  }

  private func connect() async throws {
    let (transport, space) = (transport, space)
    let session = try await limited { try await transport.connect(to: space) }
    self.session = session
    let wakes = Task { [weak self] in
      for await _ in session.wakes { await self?.note(.wake) }
    }
    defer { wakes.cancel() }
    let hello = try replica.makeHello()
    let server = try await limited { try await session.hello(hello) }
    if server.format > Self.format { throw SyncError.newerServer(format: server.format) }
    if server.format < Self.format { throw SyncError.olderServer(format: server.format) }
    try tell(replica.receive(server, local: store.milliseconds))
    failures = 0
    var pulls = true
    while !isStopping {
      covered = callers.count
      if pulls { try await pull(session) }
      let hasPushed = server.isWritable ? try await push(session) : false
      // Rows may only be staged, and changes not be sent.
      if isStopping { break }
      let (pending, version) = (try countPending(), replica.cursor)
      board.set(
        server.isWritable
          ? .live(pending: pending, version: version)
          : .readOnly(pending: pending, version: version))
      let waiting = covered > 0 && server.isWritable ? try replica.waitingCount() : 0
      // A user who may only read cannot send anything.
      answer(
        first: covered,
        with: server.isWritable || pending == 0 ? .success(waiting) : .failure(.forbidden))
      isBroken = false
      var seen: SyncSignals.Reasons = []
      // Other commits may follow.
      if hasPushed { seen = await signals(for: [.now, .stop, .wake], within: options.commitDelay) }
      if seen.isEmpty { seen = await signals(for: .all, within: untilPoll) }
      // A push pulls as well; commits of models that are not shared make none.
      pulls = seen != .commit || untilPoll == .zero
    }
  }

  /// The version of what a server keeps that this program knows.
  private static let format = 2

  /// How long it is until the server is asked for changes, whatever is committed here meanwhile.
  private var untilPoll: Duration { max(.zero, pulled + options.pollInterval - time.now) }

  /// Waits for an answer; closes the session where it takes too long.
  ///
  /// - Parameter parts: How many uploaded parts the server has to write first.
  private func limited<Answer: Sendable>(
    parts: Int = 0, _ call: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    let task = Task { try await call() }
    cancelCall = { task.cancel() }
    let timer = Task { [time, session, options] in
      try await time.wait(for: options.answerTimeout + Self.timePerPart * parts)
      task.cancel()
      await session?.close()
    }
    defer {
      timer.cancel()
      cancelCall = nil
    }
    return try await task.value
  }

  private func pull(_ session: any SyncSession) async throws {
    var count = 0
    var next: (position: SyncPosition, answer: Task<SyncPullAnswer, any Error>)?
    repeat {
      let position = replica.position
      if let unwanted = next, unwanted.position != position {
        // Whatever it is, the next call begins when it has come.
        _ = try await limited { await unwanted.answer.cancellableResult }
        next = nil
      }
      let request = next?.answer ?? ask(session, after: position)
      let answer = try await limited { try await request.cancellableResult.get() }
      next = nil
      if answer.isPart, let last = answer.rows.last {
        // The next rows are on their way while these are written.
        let end = SyncPosition(last.version, last.object)
        next = (end, ask(session, after: end))
      }
      pulled = time.now
      try tell(replica.receive(answer, after: position))
      count += answer.rows.count
      if replica.state.staged != nil { board.set(.loading(rows: count)) }
    } while replica.state.staged != nil && !isStopping
  }

  /// Asks for rows, on a queue of its own.
  private func ask(
    _ session: any SyncSession, after position: SyncPosition
  ) -> Task<SyncPullAnswer, any Error> {
    let (cursor, limit) = (replica.cursor, options.pullLimit)
    return Task.detached {
      try await session.pull(after: position, cursor: cursor, limit: limit)
    }
  }

  /// Sends what was changed until now, and applies what others have pushed until then.
  ///
  /// - Returns: Whether there was something to send.
  private func push(_ session: any SyncSession) async throws -> Bool {
    // A push that may be sent again, whose parts the server has.
    var kept: OutgoingPush?
    for attempt in 0..<Self.mostAttempts {
      let changes = replica.entryChanges
      guard !isStopping, try countPending() > 0 || !replica.schema.isComplete,
        let outgoing = try kept ?? replica.makePush(limit: max(1, options.pushLimit))
      else { return attempt > 0 }
      let push = outgoing.push
      for number in 0..<(kept == nil ? push.uploadedParts : 0) {
        let part = try outgoing.part(number)
        try await limited { try await session.upload(part, number: number, of: push.id) }
      }
      let limit = options.pullLimit
      let answer = try await limited(parts: push.uploadedParts) {
        try await session.push(push, limit: limit)
      }
      kept = nil
      if answer.status == .unknownReplica { throw Replica.LineageBroken() }
      pulled = time.now
      try tell(replica.receive(answer, to: outgoing))
      if replica.state.staged != nil { try await pull(session) }
      switch answer.status {
      case .accepted:
        // What the space did not know is described, and the objects come next.
        if push.last.rows.first?.object.model != SpaceSchema.model { return true }
      case .held, .overtaken:
        if answer.status == .held {
          _ = await signals(for: .stop, within: .milliseconds(Int.random(in: 20...100)))
        }
        // What others have pushed since may leave all of it as it is.
        if push.uploadedParts > 0, replica.entryChanges == changes, replica.state.staged == nil {
          kept = outgoing.moved(to: replica.cursor)
        }
      // All that was missing is there by now.
      case .conflict, .missingReference, .unknownReplica: continue
      }
    }
    throw SyncError.unreachable(reason: "the server refuses every push")
  }

  /// How much longer an answer may take for each uploaded part, which the server writes with the push.
  private static let timePerPart = Duration.seconds(2)

  /// How often a push is tried in one session, before the server is left for a while.
  private static let mostAttempts = 100

  private func countPending() throws -> Int {
    pending = try store.unsentCount()
    return pending
  }

  /// Counts what is not sent after an error that ends nothing.
  ///
  /// - Returns: The error; that of the store where it cannot be read either.
  private func countPending(after error: SyncError) -> SyncError {
    guard error.isRetryable else { return error }
    do { _ = try countPending() } catch { return SyncError(error) }
    return error
  }

  /// Ends the synchronization because the store cannot be read.
  func fail(with error: any Error) {
    let error = SyncError(error)
    failure = failure ?? error
    if board.current.isStopped { return board.set(.stopped(failure)) }
    isStopping = true
    signals.set(.stop)
    cancelCall?()
    Task { [session] in await session?.close() }
  }

  /// Ends calls of ``now()``.
  private func answer(first count: Int = .max, with result: Result<Int, SyncError>) {
    let (answered, rest) = (callers.prefix(count), callers.dropFirst(count))
    callers = Array(rest)
    for caller in answered { caller.resume(with: result) }
  }
}

extension Task {
  /// Its result; it is cancelled with the task that waits for it.
  fileprivate var cancellableResult: Result<Success, Failure> {
    get async {
      await withTaskCancellationHandler {
        await result
      } onCancel: {
        cancel()
      }
    }
  }
}

extension SyncError {
  /// What an error of a session or of the store means for the synchronization.
  init(_ error: any Error) {
    switch error {
    case let error as SyncError: self = error
    case let error as InvalidRow: self = .serverInvalid(reason: error.reason)
    case is Rebase.Unrepaired:
      self = .serverInvalid(reason: "its objects violate the rules of their models")
    case is Replica.LineageBroken:
      self = .unreachable(reason: "the server has another history than before")
    case let error as StoreError where error.mayPass: self = .storeBusy(reason: "\(error)")
    case let error as StoreError: self = .storeFailed(reason: "\(error)")
    default: self = .unreachable(reason: "\(error)")
    }
  }
}
