/// A read transaction of the C library, made once and used again and again.
final class Reader {
  /// The transaction.
  let handle: TransactionHandle
  /// The pages of the commit that the transaction sees.
  // A reader is used by one thread at a time, which makes the checks of exclusivity unnecessary.
  @safe @exclusivity(unchecked) var pages: CommitPages

  init(_ handle: TransactionHandle, _ map: PageMap) {
    self.handle = handle
    pages = CommitPages(map)
  }
}

/// The readers of an environment, and the lock that keeps the map in place while transactions run.
///
/// Beginning a new read transaction of the C library takes a lock of all processes; renewing an
/// ended one does not. So ended readers are kept for the next read. The map is moved only while
/// this process has no transaction: moving it waits for short reads and for the writer, but not
/// for snapshots, which may be open for long.
///
/// Threads: any; what changes is in `state`.
final class ReaderPool: Sendable {
  private struct State {
    /// Readers that have ended and can be renewed.
    var idle: [Reader] = []
    /// How many short reads are running.
    var shortReads = 0
    /// The names of the open snapshots.
    var snapshots: [Int: String] = [:]
    /// The number of the last snapshot.
    var lastSnapshot = 0
    /// Whether a write transaction is running.
    var isWriting = false
    /// Whether the map is about to be moved, so that no transaction may begin.
    var isMapMoving = false
  }

  /// Why the map cannot be moved now.
  enum Obstacle {
    /// Snapshots are open, by these names.
    case snapshots([String])
    /// A read or write transaction did not end in time.
    case transaction
  }

  /// The number of processes for whose idle readers the lock table has room at least.
  static let leastProcesses = 16

  /// The most idle readers; each keeps a reader slot, of which all processes share a fixed number.
  let maxIdle: Int
  private let state = ConditionMutex(State())

  /// A pool for a lock table with so many reader slots.
  init(slots: Int) {
    maxIdle = min(Threshold.idleReaders.value, max(1, slots / Self.leastProcesses))
  }

  /// Begins a short read, with an idle reader if there is one.
  func beginShortRead() -> Reader? {
    // The map is moved within a timeout.
    let reader = state.withLock(when: { !$0.isMapMoving }, before: .farAhead) { state in
      state.shortReads += 1
      return state.idle.popLast()
    }
    return reader ?? nil
  }

  /// Ends a short read, and keeps its reader for the next one.
  func endShortRead(_ reader: Reader?) {
    if let reader { reader.handle.reset() }
    let surplus = state.withLock { state in
      state.shortReads -= 1
      guard let reader else { return false }
      guard state.idle.count < maxIdle else { return true }
      state.idle.append(reader)
      return false
    }
    if surplus {
      CoverageMark.hit(.idleReaderEnded)
      reader?.handle.abort()
    }
  }

  /// Runs a body that reads the map without a transaction.
  func withMapHeld<R>(_ body: () -> R) -> R {
    state.withLock(when: { !$0.isMapMoving }, before: .farAhead) { $0.shortReads += 1 }
    defer { state.withLock { $0.shortReads -= 1 } }
    return body()
  }

  /// Turns the caller's short read into a snapshot, and returns the snapshot's number.
  func becomeSnapshot(named name: String) -> Int {
    state.withLock { state in
      state.shortReads -= 1
      state.lastSnapshot += 1
      state.snapshots[state.lastSnapshot] = name
      return state.lastSnapshot
    }
  }

  /// Ends a snapshot.
  func endSnapshot(_ number: Int, _ reader: Reader) {
    reader.handle.abort()
    state.withLock { $0.snapshots[number] = nil }
  }

  /// The names of the open snapshots.
  var snapshotNames: [String] {
    state.withLock { $0.snapshots.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Begins a write, which keeps the map in place like a read.
  func beginWriting() {
    let isSet: Void? = state.withLock(when: { !$0.isMapMoving }, before: .farAhead) {
      $0.isWriting = true
    }
    precondition(isSet != nil, "The map is moved within a timeout.")
  }

  /// Ends a write, without waiting: the thread that moves the map may be waiting for it.
  func endWriting() { state.withLock { $0.isWriting = false } }

  /// Whether the map is about to be moved, so that no transaction may begin.
  var isMapMoving: Bool { state.withLock { $0.isMapMoving } }

  /// Runs a body while this process has no transaction, or returns what prevented it.
  func withNoTransaction(timeout: Duration, _ body: () -> Void) -> Obstacle? {
    let deadline = Deadline(after: timeout)
    let isMine: Bool? = state.withLock(when: { !$0.isMapMoving }, before: deadline) { state in
      guard state.snapshots.isEmpty else { return false }
      state.isMapMoving = true
      return true
    }
    guard isMine == true else { return obstacle }
    // A read that began before may become a snapshot, which may stay open for long.
    let isAlone: Bool? = state.withLock(
      when: { $0.shortReads == 0 && !$0.isWriting || !$0.snapshots.isEmpty }, before: deadline
    ) { $0.snapshots.isEmpty }
    if isAlone == true { body() }
    let found = obstacle
    state.withLock { $0.isMapMoving = false }
    return isAlone == true ? nil : found
  }

  /// Aborts all idle readers, because the environment is closed.
  func closeIdle() {
    state.withLock { state in
      for reader in state.idle { reader.handle.abort() }
      state.idle.removeAll()
    }
  }

  private var obstacle: Obstacle {
    let names = snapshotNames
    return names.isEmpty ? .transaction : .snapshots(names)
  }
}

extension ReaderPool.Obstacle: CustomStringConvertible {
  var description: String {
    switch self {
    case .snapshots(let names): "open snapshots: \(names.joined(separator: ", "))"
    case .transaction: "a read transaction did not end in time"
    }
  }
}

extension EnvironmentCore {
  /// How often a reader tries to read its meta page before the page is taken for damaged.
  private static var mostAttempts: Int { 100 }

  /// Begins a read of the last commit.
  ///
  /// When another process has grown the file, the map is enlarged first; when the lock table is
  /// full, the slots of dead processes are cleared.
  func beginRead(
    for operation: LMDBError.Operation = .beginRead
  ) throws(LMDBError) -> Reader {
    try checkUsable(for: operation)
    let isDue = operation != .copy ? try checkNotReplacedWhenDue(for: operation) : false
    let earlier = isDue ? readers.withMapHeld { handle.lastTransaction } : nil
    try sharedLock?.enter(within: options.writerTimeout)
    do throws(LMDBError) {
      let reader = try beginReadBesideWriters()
      if let earlier, isOverwritten(reader, since: earlier) {
        readers.endShortRead(reader)
        throw overwritten(for: operation)
      }
      return reader
    } catch {
      sharedLock?.leave()
      throw error
    }
  }

  private func beginReadBesideWriters() throws(LMDBError) -> Reader {
    var hasAdopted = false
    var hasCleared = false
    while true {
      let (reader, code) = renewed(readers.beginShortRead())
      if let reader { return reader }
      readers.endShortRead(nil)
      switch LMDBError.Code(rawValue: code) {
      case .mapResized where !hasAdopted:
        hasAdopted = true
        try growth.adopt(for: .beginRead)
        try checkUsable(for: .beginRead)
      case .readersFull where !hasCleared:
        hasCleared = true
        // Also when none was found: another thread may have cleared them in between.
        if handle.clearStaleReaders().count > 0 { CoverageMark.hit(.staleReadersCleared) }
      case .fileReplaced: throw overwritten(for: .beginRead)
      default: throw LMDBError(.beginRead, code, path)
      }
    }
  }

  /// Ends a short read.
  func endRead(_ reader: Reader) {
    // In a child of a fork the reader's slot in the lock table is the parent's.
    guard isOfThisProcess else { return }
    readers.endShortRead(reader)
    sharedLock?.leave()
  }

  /// Renews an idle reader, or begins one, and loads the meta page of its commit.
  private func renewed(_ idle: Reader?) -> (Reader?, Int32) {
    let reader: Reader
    if let idle {
      let code = idle.handle.renew()
      guard code == 0 else {
        idle.handle.abort()
        return (nil, code)
      }
      reader = idle
    } else {
      let (begun, code) = handle.begin(isReadOnly: true)
      guard let begun else { return (nil, code) }
      reader = Reader(begun, pages)
    }
    // Two commits after the reader's own overwrite its meta page.
    let first = reader.handle.id
    for _ in 0..<Self.mostAttempts {
      if reader.pages.load(reader.handle.id) { return (reader, 0) }
      reader.handle.reset()
      let code = reader.handle.renew()
      guard code == 0 else {
        reader.handle.abort()
        return (nil, code)
      }
    }
    let code: LMDBError.Code =
      reader.handle.id != first ? .busy : isOverwritten(reader) ? .fileReplaced : .corrupted
    reader.handle.abort()
    return (nil, code.rawValue)
  }
}
