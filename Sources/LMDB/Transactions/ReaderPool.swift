/// A read transaction of the C library, made once and used again and again.
final class Reader {
  /// The transaction.
  let handle: TransactionHandle
  /// The pages of the commit that the transaction sees.
  var pages: CommitPages

  init(_ handle: TransactionHandle, _ map: PageMap) {
    self.handle = handle
    pages = CommitPages(map)
  }
}

/// The readers of an environment, at work and at rest, and the gate before them.
///
/// Beginning a read transaction anew costs a lock that all processes share; renewing one does
/// not. While the map is moved there must be no transaction at all in this process, so each
/// begins and ends under the gate's eyes. Moving waits for short reads, which end by
/// themselves, and never for snapshots.
///
/// Threads: any; everything that changes stands in `state`.
final class ReaderPool: Sendable {
  private struct State {
    /// Readers that rest.
    var idle: [Reader] = []
    /// How many transactions are at work that end by themselves soon.
    var shortReads = 0
    /// The names of the snapshots that are open.
    var snapshots: [Int: String] = [:]
    /// The number of the last snapshot.
    var lastSnapshot = 0
    /// Whether a write transaction is at work.
    var isWriting = false
    /// Whether the map is about to be moved, so that nobody begins.
    var isClosed = false
  }

  /// Why the map cannot be moved now.
  enum Obstacle {
    /// Snapshots are open, by these names.
    case snapshots([String])
    /// Some read or write transaction did not end in time.
    case transaction
  }

  /// How many processes at least find room in the lock table for all their resting readers.
  static let leastProcesses = 16

  /// How many readers rest at most; each keeps one of the places that all processes share, and
  /// nobody else can take back what belongs to a living process.
  let maxIdle: Int
  private let state = Monitor(State())

  /// A pool whose readers have their places in a lock table of so many.
  init(places: Int) {
    maxIdle = min(Threshold.idleReaders.value, max(1, places / Self.leastProcesses))
  }

  /// Enters the gate for a short read, with a resting reader if there is one.
  func enter() -> Reader? {
    // Whoever closed the gate opens it again within its patience.
    let reader = state.withLock(when: { !$0.isClosed }, before: .farAhead) { state in
      state.shortReads += 1
      return state.idle.popLast()
    }
    return reader ?? nil
  }

  /// Leaves the gate after a short read, and lets its reader rest.
  func leave(_ reader: Reader?) {
    if let reader { reader.handle.reset() }
    let surplus = state.withLock { state in
      state.shortReads -= 1
      guard let reader else { return false }
      guard state.idle.count < maxIdle else { return true }
      state.idle.append(reader)
      return false
    }
    if surplus {
      CoverageMark.hit(.readerDropped)
      reader?.handle.abort()
    }
  }

  /// Runs a body that looks into the map without a transaction.
  func whileMapStays<R>(_ body: () -> R) -> R {
    state.withLock(when: { !$0.isClosed }, before: .farAhead) { $0.shortReads += 1 }
    defer { state.withLock { $0.shortReads -= 1 } }
    return body()
  }

  /// Turns the short read that the caller entered for into a snapshot; its number.
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

  /// Enters the gate as the writer.
  func beginWriting() {
    let isSet: Void? = state.withLock(when: { !$0.isClosed }, before: .farAhead) {
      $0.isWriting = true
    }
    precondition(isSet != nil, "The gate opens again within its patience.")
  }

  /// Leaves the gate as the writer, at once: whoever has closed it waits for that.
  func endWriting() { state.withLock { $0.isWriting = false } }

  /// Whether the gate is closed for those who would begin.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Runs a body while no transaction of this process is at work, or tells what is in the way.
  func whileAlone(patience: Duration, _ body: () -> Void) -> Obstacle? {
    let deadline = Deadline(after: patience)
    let isMine: Bool? = state.withLock(when: { !$0.isClosed }, before: deadline) { state in
      guard state.snapshots.isEmpty else { return false }
      state.isClosed = true
      return true
    }
    guard isMine == true else { return obstacle }
    // A read that was at work when the gate was closed may become a snapshot, which stays.
    let isAlone: Bool? = state.withLock(
      when: { $0.shortReads == 0 && !$0.isWriting || !$0.snapshots.isEmpty }, before: deadline
    ) { $0.snapshots.isEmpty }
    if isAlone == true { body() }
    let found = obstacle
    state.withLock { $0.isClosed = false }
    return isAlone == true ? nil : found
  }

  /// Gives up all resting readers, for the environment closes.
  func drain() {
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
