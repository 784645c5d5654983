internal import Dispatch
import LMDB
import Synchronization

/// Notices commits to a file, whoever makes them, for as long as somebody wants to hear of them.
///
/// The system tells of writes to the file. A write comes a moment before its commit can be seen, and
/// may belong to none at all; so what is told is the sequence, which only commits move. It is looked
/// at when a write is told, and again in pauses that grow from a millisecond to a second: that
/// is all there is where the system tells nothing. Writes are heard of once a millisecond at most,
/// so that a busy writer does not keep the watcher busy.
///
/// Threads: any. There is one watcher to a file in a process, and one queue of its own.
final class CommitWatcher: Sendable {
  /// What a listener is told: the sequence of the last commit, or why it cannot be read.
  typealias Listener = @Sendable (Result<UInt64, any Error>) -> Void

  private struct Entry {
    let body: Listener
    /// The sequence that it knows of; nil after it heard of an error.
    var known: UInt64?
  }

  private struct State {
    var listeners: [Int: Entry] = [:]
    var lastNumber = 0
    var pause: Duration
    var isDeaf = false
    var writes: (any DispatchSourceProtocol)?
    var timer: (any DispatchSourceTimer)?

    /// Those who have to be told, which are then taken to know.
    mutating func takeUninformed(of current: Result<UInt64, any Error>) -> [Listener] {
      var known: UInt64?
      if case .success(let sequence) = current { known = sequence }
      var bodies: [Listener] = []
      for (number, entry) in listeners where entry.known != known {
        listeners[number]?.known = known
        bodies.append(entry.body)
      }
      return bodies
    }
  }

  /// Everything is looked at and told on it.
  private let queue = DispatchQueue(label: "croft.watch", qos: .userInitiated)
  private let sequence: @Sendable () throws -> UInt64
  private let pauses: ClosedRange<Duration>
  private let state: Mutex<State>

  /// A watcher that has yet to start.
  ///
  /// - Parameters:
  ///   - pauses: The shortest and the longest pause between two looks.
  ///   - sequence: Reads the sequence of the file's last commit.
  init(
    pauses: ClosedRange<Duration> = .milliseconds(1) ... .seconds(1),
    _ sequence: @escaping @Sendable () throws -> UInt64
  ) {
    self.sequence = sequence
    self.pauses = pauses
    state = Mutex(State(pause: pauses.lowerBound))
  }

  /// Begins to watch a file; without a path, or where the system does not help, by looking alone.
  func start(path: String?) {
    state.withLock { state in
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { [weak self] in self?.pauseIsOver() }
      timer.activate()
      state.timer = timer
      guard let path else { return }
      state.writes = FileEvents.source(ofWritesTo: path, on: queue) { [weak self] in
        self?.fileIsWritten()
      }
      state.writes?.activate()
    }
  }

  /// Ends the watch.
  func stop() {
    state.withLock { state in
      state.timer?.cancel()
      // A source must not go while it is suspended.
      if state.isDeaf { state.writes?.resume() }
      state.writes?.cancel()
      (state.timer, state.writes) = (nil, nil)
    }
  }

  /// Takes a listener; its number.
  ///
  /// - Parameters:
  ///   - known: The sequence that it knows of: any other is told, also if it is there already.
  ///   - body: Called on the watcher's queue, which must not be kept.
  func add(knowing known: UInt64, _ body: @escaping Listener) -> Int {
    defer { queue.async { [weak self] in self?.look() } }
    return state.withLock { state in
      state.lastNumber += 1
      state.listeners[state.lastNumber] = Entry(body: body, known: known)
      return state.lastNumber
    }
  }

  /// Lets a listener go, which may be told once more by a look that is under way.
  ///
  /// - Returns: Whether it was the last.
  func remove(_ number: Int) -> Bool {
    state.withLock { state in
      state.listeners[number] = nil
      return state.listeners.isEmpty
    }
  }

  /// Takes a listener to know nothing, so that the next look tells it.
  func forget(_ number: Int) { state.withLock { $0.listeners[number]?.known = nil } }

  /// How many listeners there are.
  var listenerCount: Int { state.withLock { $0.listeners.count } }

  private func fileIsWritten() {
    state.withLock { state in
      state.pause = pauses.lowerBound
      guard let writes = state.writes else { return }
      writes.suspend()
      state.isDeaf = true
    }
    look()
  }

  private func pauseIsOver() {
    state.withLock { state in
      guard state.isDeaf else { return }
      state.isDeaf = false
      state.writes?.resume()
    }
    look()
  }

  /// Tells whom the sequence is new to, and sees to the next look.
  private func look() {
    let current = Result { try sequence() }
    let bodies = state.withLock { state in
      state.timer?.schedule(deadline: .now() + state.pause.dispatchInterval)
      state.pause = min(state.pause * 2, pauses.upperBound)
      return state.takeUninformed(of: current)
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
