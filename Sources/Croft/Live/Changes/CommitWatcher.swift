import CroftLibc
internal import Dispatch
import LMDB
import Synchronization

extension Store {
  /// Subscribes the live queries to commits of other stores and processes.
  ///
  /// The subscription reports this store's own commits too, which the hub knows already. The first
  /// one of the process needs descriptors; see ``EventLoop``.
  func watchCommits() -> CommitSubscription {
    let (environment, path, meta) = (environment, schemaUpdate.path, knownCatalog.meta)
    return CommitSubscription(to: environment, knowing: 0) {
      try environment.read { try StoreHeader(in: meta, $0, path: path).sequence }
    } _: { [weak self] outcome in
      guard let self else { return }
      switch outcome {
      case .success(let sequence): live.didFindCommit(sequence, in: self)
      case .failure: live.didFindCommit(nil, in: self)
      }
    }
  }
}

/// A subscription to the commits of a file, which ends when it is cancelled or released.
///
/// The first subscription to a file starts its ``CommitWatcher``, and the last one stops it.
///
/// Threads: any; watchers are shared under a lock.
final class CommitSubscription: Sendable {
  private static let watchers = Mutex<[ObjectIdentifier: CommitWatcher]>([:])

  private let file: ObjectIdentifier
  private let number: Int
  private let isCancelled = Atomic(false)

  /// Subscribes.
  ///
  /// - Parameters:
  ///   - known: The sequence that the subscriber knows; any other is reported.
  ///   - sequence: Reads the sequence of the file's last commit.
  ///   - body: Called on the watcher's queue; it must return soon.
  init(
    to environment: Environment, knowing known: UInt64,
    _ sequence: @escaping @Sendable () throws -> UInt64, _ body: @escaping CommitWatcher.Handler
  ) {
    file = environment.file
    number = Self.watchers.withLock { [file] watchers in
      if let watcher = watchers[file] { return watcher.add(knowing: known, body) }
      let watcher = CommitWatcher(sequence)
      watchers[file] = watcher
      watcher.start(path: environment.realPath)
      return watcher.add(knowing: known, body)
    }
  }

  deinit { cancel() }

  /// Asks for another report of the last commit, once it can be read.
  func requestReport() {
    Self.watchers.withLock { $0[file]?.forget(number) }
  }

  /// How many subscriptions a file has, for tests; its watcher runs while there are any.
  static func count(of environment: Environment) -> Int {
    watchers.withLock { $0[environment.file]?.handlerCount ?? 0 }
  }

  /// Waits until reads of the file that have begun are over, for tests.
  ///
  /// Not for the watcher's queue.
  func drain() { Self.watchers.withLock { $0[file] }?.drain() }

  /// Ends the subscription; a call that has begun may still end.
  func cancel() {
    guard !isCancelled.exchange(true, ordering: .relaxed) else { return }
    Self.watchers.withLock { watchers in
      guard let watcher = watchers[file], watcher.remove(number) else { return }
      watchers[file] = nil
      watcher.stop()
    }
  }
}

/// Finds commits to a file by any process, while there are subscriptions.
///
/// The system reports writes to the file. A write is reported a moment before its commit can be
/// read, and some writes belong to no commit. So the watcher reports the header's sequence, which
/// only commits change. It reads the sequence when a write is reported, and again in intervals
/// that grow from a millisecond to a second. Where the system reports no writes, the intervals
/// alone find a commit. Reports of writes are suspended for the interval after each one, so that a
/// busy writer does not keep the watcher busy.
///
/// Threads: any. A process has one watcher for each file, with a queue of its own.
final class CommitWatcher: Sendable {
  /// Receives the sequence of the last commit, or why it cannot be read.
  typealias Handler = @Sendable (Result<UInt64, any Error>) -> Void

  private struct Entry {
    let body: Handler
    /// The sequence that was reported last; nil after an error was.
    var known: UInt64?
  }

  private struct State {
    var handlers: [Int: Entry] = [:]
    var lastNumber = 0
    var pause: Duration
    /// Whether reports of writes are suspended.
    var isSuspended = false
    var writes: (any DispatchSourceProtocol)?
    var timer: (any DispatchSourceTimer)?

    /// The handlers that do not know an outcome, which are marked to know it.
    mutating func takeOutdated(by current: Result<UInt64, any Error>) -> [Handler] {
      var known: UInt64?
      if case .success(let sequence) = current { known = sequence }
      var bodies: [Handler] = []
      for (number, entry) in handlers where entry.known != known {
        handlers[number]?.known = known
        bodies.append(entry.body)
      }
      return bodies
    }
  }

  /// The queue on which the file is read and handlers are called.
  private let queue = DispatchQueue(label: "croft.watch", qos: .userInitiated)
  private let sequence: @Sendable () throws -> UInt64
  private let pauses: ClosedRange<Duration>
  private let state: Mutex<State>

  /// Makes a watcher that is not started, with the shortest and longest pause between two reads.
  init(
    pauses: ClosedRange<Duration> = .milliseconds(1) ... .seconds(1),
    _ sequence: @escaping @Sendable () throws -> UInt64
  ) {
    self.sequence = sequence
    self.pauses = pauses
    state = Mutex(State(pause: pauses.lowerBound))
  }

  /// Starts to watch a file; by intervals alone without a path, or where the system cannot help.
  func start(path: String?) {
    state.withLock { state in
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { [weak self] in self?.intervalDidEnd() }
      timer.activate()
      state.timer = timer
      guard let path else { return }
      state.writes = FileEvents.source(ofWritesTo: path, on: queue) { [weak self] in
        self?.fileDidChange()
      }
      state.writes?.activate()
    }
  }

  func stop() {
    state.withLock { state in
      state.timer?.cancel()
      // A source must be resumed before it is released.
      if state.isSuspended { state.writes?.resume() }
      state.writes?.cancel()
      (state.timer, state.writes) = (nil, nil)
    }
  }

  /// Adds a handler.
  ///
  /// - Parameters:
  ///   - known: The sequence that it knows: any other is reported, also one that exists already.
  ///   - body: Called on the watcher's queue; it must return soon.
  func add(knowing known: UInt64, _ body: @escaping Handler) -> Int {
    defer { queue.async { [weak self] in self?.check() } }
    return state.withLock { state in
      state.lastNumber += 1
      state.handlers[state.lastNumber] = Entry(body: body, known: known)
      return state.lastNumber
    }
  }

  /// Removes a handler, which a check that has begun may still call once; whether it was the last.
  func remove(_ number: Int) -> Bool {
    state.withLock { state in
      state.handlers[number] = nil
      return state.handlers.isEmpty
    }
  }

  /// Forgets what a handler knows, so that the next check calls it.
  func forget(_ number: Int) { state.withLock { $0.handlers[number]?.known = nil } }

  /// Waits until a check that has begun is over, for tests.
  func drain() { queue.sync {} }

  var handlerCount: Int { state.withLock { $0.handlers.count } }

  private func fileDidChange() {
    state.withLock { state in
      state.pause = pauses.lowerBound
      guard let writes = state.writes else { return }
      writes.suspend()
      state.isSuspended = true
    }
    check()
  }

  private func intervalDidEnd() {
    state.withLock { state in
      guard state.isSuspended else { return }
      state.isSuspended = false
      state.writes?.resume()
    }
    check()
  }

  /// Reads the sequence, schedules the next check, and calls the handlers that it is new to.
  private func check() {
    let current = Result { try sequence() }
    let bodies = state.withLock { state in
      state.timer?.schedule(deadline: .now() + state.pause.dispatchInterval)
      state.pause = min(state.pause * 2, pauses.upperBound)
      return state.takeOutdated(by: current)
    }
    for body in bodies { body(current) }
  }
}

extension Duration {
  fileprivate var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}

/// The system's reports of writes to a file by any process: inotify, or kqueue.
private enum FileEvents {
  /// A source that fires on a queue when a file is written to; nil where the system has none left.
  ///
  /// The source is inactive. It may report several writes as one; each report follows its write.
  static func source(
    ofWritesTo path: String, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) -> sending (any DispatchSourceProtocol)? {
    guard let descriptor = watch(path) else { return nil }
    #if canImport(Darwin)
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend], queue: queue)
      source.setEventHandler(handler: handler)
    #else
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler {
        drain(descriptor)
        handler()
      }
    #endif
    source.setCancelHandler { close(descriptor) }
    return source
  }

  #if canImport(Darwin)
    /// A descriptor of the file, which does not keep its volume from being unmounted.
    private static func watch(_ path: String) -> Int32? {
      // Safety: the system copies the path.
      let descriptor = unsafe open(path, O_EVTONLY | O_CLOEXEC)
      return descriptor < 0 ? nil : descriptor
    }
  #else
    /// A descriptor that has something to read when the file was written to.
    private static func watch(_ path: String) -> Int32? {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      // Safety: the system copies the path.
      if unsafe inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 { return descriptor }
      close(descriptor)
      return nil
    }

    /// Discards the events that wait: only their arrival matters.
    private static func drain(_ descriptor: Int32) {
      // Safety: the system writes no more than there is room for.
      unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { room in
        while unsafe read(descriptor, room.baseAddress, room.count) > 0 {}
      }
    }
  #endif
}
