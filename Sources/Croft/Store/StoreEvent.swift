import Synchronization

/// Something that a store did, for those who measure it.
public enum StoreEvent: Sendable {
  /// A write got the writer's lock, after it waited for other writers.
  case writeBegan(waited: Duration)
  /// A commit is as safe as the store's durability says; it took so long, without its transaction.
  case committed(sequence: UInt64, duration: Duration)
  /// A query took as long as the threshold or longer, with what was done with its rows meanwhile.
  ///
  /// Its explanation says how many rows there were only where all were counted to choose the plan.
  case slowQuery(QueryExplanation, duration: Duration)
}

extension Store {
  /// Measures writes, commits and slow queries of this store, until nil is passed.
  ///
  /// A store has one handler, and a later one replaces it. Without one nothing is measured. Transactions and queries that
  /// are under way at the time may be left out. Lookups of single keys are no queries.
  ///
  /// Threads: called on the thread that writes or reads, within the transaction. It must not use the store.
  ///
  /// - Parameters:
  ///   - threshold: How long a query takes at least that is passed to the handler; nil for none.
  ///   - handler: Gets each event; nil for none.
  public func measure(
    slowQueriesFrom threshold: Duration? = nil, _ handler: (@Sendable (StoreEvent) -> Void)?
  ) {
    schemaUpdate.monitor.set(threshold, handler)
  }
}

/// Passes what a store does to its handler; all catalogs of the store share it.
///
/// Threads: any; the flags are atomic, and the handler has a lock.
final class StoreMonitor: Sendable {
  private struct State {
    var threshold: Duration?
    var handler: (@Sendable (StoreEvent) -> Void)?
  }

  private let measuresWrites = Atomic(false)
  private let measuresQueries = Atomic(false)
  private let state = Mutex(State())

  func set(_ threshold: Duration?, _ handler: (@Sendable (StoreEvent) -> Void)?) {
    state.withLock { $0 = State(threshold: threshold, handler: handler) }
    measuresWrites.store(handler != nil, ordering: .relaxed)
    measuresQueries.store(handler != nil && threshold != nil, ordering: .relaxed)
  }

  /// When a write or a commit begins; nil where nobody measures that.
  var startOfWrite: ContinuousClock.Instant? {
    measuresWrites.load(ordering: .relaxed) ? ContinuousClock.now : nil
  }

  /// When a query begins; nil where nobody measures that.
  var startOfQuery: ContinuousClock.Instant? {
    measuresQueries.load(ordering: .relaxed) ? ContinuousClock.now : nil
  }

  func report(_ event: StoreEvent) { state.withLock { $0.handler }?(event) }

  /// Reports a query that was slow.
  func ended(_ plan: Plan, since start: ContinuousClock.Instant) {
    let duration = start.duration(to: .now)
    let (threshold, handler) = state.withLock { ($0.threshold, $0.handler) }
    guard let threshold, let handler, duration >= threshold else { return }
    var plan = plan
    // An estimate may come from a count that ended when the plan was chosen; another needs a transaction.
    if plan.countedRows == nil { plan.rows = nil }
    handler(.slowQuery(plan.explanation, duration: duration))
  }
}
