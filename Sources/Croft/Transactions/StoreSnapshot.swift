import LMDB
import Synchronization

/// A view of one version of a store, for as long as it is held.
///
/// ```swift
/// let snapshot = try store.snapshot(named: "report")
/// let total = try snapshot.count(TodoItem.all)
/// ```
/// It has the same functions to read as the store, and sees no later commit. The pages that it sees
/// are not reused while it is held, so the file grows with each write: make one for a task, and
/// release it afterwards. One older than ``Store/Options/snapshotWarningAge`` is reported to
/// ``Store/onDiagnostic``.
///
/// Threads: any; several may read at once.
public final class StoreSnapshot: ReadableStore {
  /// The name of the snapshot in warnings and errors, such as its purpose.
  public let name: String
  private let base: LMDB.Snapshot
  private let catalog: Catalog
  private let store: Store
  private let number: Int

  init(of store: Store, named name: String) throws {
    self.store = store
    self.name = name
    (base, catalog) = try StoreError.mapping { try Self.begin(store, name) }
    number = store.snapshots.add(named: name, version: base.version)
    store.snapshots.reportOld()
  }

  deinit { store.snapshots.remove(number) }

  private static func begin(
    _ store: Store, _ name: String
  ) throws -> (LMDB.Snapshot, Catalog) {
    let base = try store.environment.snapshot(named: name)
    let transaction = try base.beginRead()
    return (base, try store.catalog(in: transaction, publishes: false).0)
  }

  /// How long the snapshot has been open.
  public var age: Duration { store.snapshots.age(of: number) }

  /// How much of the file cannot be used again because of the snapshot.
  ///
  /// - Returns: The bytes of the pages of its version that later commits have freed.
  /// - Throws: ``StoreError/readersFull(reason:)``, or what keeps the file from being read.
  /// - Complexity: O(rows of the list of free pages).
  public func pinnedBytes() throws -> Int {
    try StoreError.mapping { try store.snapshots.pinnedBytes(since: base.version) }
  }

  /// Reads the version of the snapshot.
  ///
  /// Threads: the closure runs on the calling thread.
  public func read<R>(_ body: (inout ReadTransaction) throws -> R) throws -> R {
    store.snapshots.reportOld()
    var transaction = try StoreError.mapping { ReadTransaction(try base.beginRead(), catalog) }
    return try body(&transaction)
  }

  /// Reads the version of the snapshot, off the caller's thread.
  ///
  /// Threads: never blocks a cooperative thread.
  public func read<R: Sendable>(
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> R
  ) async throws -> R {
    try await store.run { cancellation in
      try self.read { transaction in
        try cancellation.check()
        return try body(&transaction)
      }
    }
  }
}

extension Store {
  /// A view of the store's last version, for as long as it is held.
  ///
  /// - Parameter name: What it is for; warnings and errors name it.
  /// - Throws: ``StoreError/readersFull(reason:)``, or what keeps the file from being read.
  public func snapshot(named name: String = "snapshot") throws -> StoreSnapshot {
    try StoreSnapshot(of: self, named: name)
  }
}

/// Keeps a list of a store's open snapshots, and warns of those that stay open too long.
///
/// Nothing runs in the background: it checks after each write, and when a snapshot is made or read.
///
/// Threads: any.
final class SnapshotWatch: Sendable {
  struct Entry: Sendable {
    let name: String
    /// The commit that it sees, by the engine's number.
    let version: Int
    let openedAt: Duration
    var isReported = false
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var lastNumber = 0
    var handler: (@Sendable (StoreDiagnostic) -> Void)?
    /// The time since the store was opened; tests have a clock of their own.
    var now: @Sendable () -> Duration
  }

  private let environment: Environment
  private let warningAge: Duration?
  private let state: Mutex<State>
  /// How many snapshots are open, so that a write need not take the lock to find none.
  private let count = Atomic(0)

  init(of environment: Environment, warningAge: Duration?) {
    self.environment = environment
    self.warningAge = warningAge
    let origin = ContinuousClock.now
    state = Mutex(State(now: { origin.duration(to: .now) }))
  }

  /// Called with each diagnostic; nil writes them to the standard error.
  var handler: (@Sendable (StoreDiagnostic) -> Void)? {
    get { state.withLock { $0.handler } }
    set { state.withLock { $0.handler = newValue } }
  }

  /// Replaces the clock, for tests.
  func setClock(_ now: @escaping @Sendable () -> Duration) {
    state.withLock { $0.now = now }
  }

  /// Notes a new snapshot; its number.
  func add(named name: String, version: Int) -> Int {
    count.add(1, ordering: .relaxed)
    return state.withLock { state in
      state.lastNumber += 1
      state.entries[state.lastNumber] = Entry(
        name: name, version: version, openedAt: state.now())
      return state.lastNumber
    }
  }

  func remove(_ number: Int) {
    count.subtract(1, ordering: .relaxed)
    state.withLock { $0.entries[number] = nil }
  }

  /// How long a snapshot has been open.
  func age(of number: Int) -> Duration {
    state.withLock { state in
      state.entries[number].map { state.now() - $0.openedAt } ?? .zero
    }
  }

  /// The snapshot of a version that has been open for longest: its name and its age.
  func oldest(ofVersion version: Int) -> (name: String, age: Duration)? {
    state.withLock { state in
      let entry = state.entries.values.filter { $0.version == version }
        .min { $0.openedAt < $1.openedAt }
      return entry.map { ($0.name, state.now() - $0.openedAt) }
    }
  }

  /// Reports each snapshot past the age, once.
  func reportOld() {
    guard let warningAge, count.load(ordering: .relaxed) > 0 else { return }
    let (old, handler) = state.withLock { state in
      let now = state.now()
      let old = state.entries.filter { !$1.isReported && now - $1.openedAt > warningAge }
        .sorted { $0.key < $1.key }
      for (number, _) in old { state.entries[number]?.isReported = true }
      return (old.map { ($1, now - $1.openedAt) }, state.handler)
    }
    for (entry, age) in old {
      // A warning without its figure is better than a write that fails for it.
      let pinnedBytes = try? pinnedBytes(since: entry.version)
      Self.tell(.oldSnapshot(name: entry.name, age: age, pinnedBytes: pinnedBytes), handler)
    }
  }

  func report(_ diagnostic: StoreDiagnostic) { Self.tell(diagnostic, handler) }

  private static func tell(
    _ diagnostic: StoreDiagnostic, _ handler: (@Sendable (StoreDiagnostic) -> Void)?
  ) {
    if let handler {
      handler(diagnostic)
    } else {
      StoreDiagnostic.StandardError.write("\(diagnostic)")
    }
  }

  /// The bytes that the version of a snapshot keeps from being used again.
  func pinnedBytes(since version: Int) throws -> Int {
    let figures = try environment.read { try $0.fileStatistics() }
    return figures.pagesFreed(since: version) * figures.pageBytes
  }
}
