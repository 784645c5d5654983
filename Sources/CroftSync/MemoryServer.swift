import CroftFoundation
import Synchronization

/// The server's rules in memory: one sequence of pushes, each compared with what is there.
///
/// It is to PostgreSQL's function what a twin is to a store: written on its own, for tests. It keeps one space.
///
/// Threads: any; the state has a lock.
final class MemoryServer: Sendable {
  fileprivate struct State {
    var version: UInt64 = 0
    var floor: UInt64 = 0
    var rows: [SyncObject: SyncRow] = [:]
    /// The pushes that made the versions.
    var pushes: [UInt64: UUID] = [:]
    /// The last push of each replica by its identity then.
    var lastPushes: [UUID: UUID] = [:]
    var replicas: [UUID: UInt16] = [:]
    var numbers: UInt16 = 0
    /// Uploaded parts of pushes that have yet to come.
    var parts: [UUID: [Int: SyncPush.Part]] = [:]
    /// The replica that may push next, and until when.
    var holder: (replica: UUID, until: UInt64)?
    var isWritable = true
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastListener = 0
  }

  private let state = Mutex(State())
  private let laws: Laws
  /// With so many bytes of rows an answer ends.
  private let mostBytes: Int
  private let milliseconds: @Sendable () -> UInt64
  /// How long a replica may push first that was refused, in milliseconds.
  private static let patience: UInt64 = 2_000

  init(
    laws: Laws = .all, mostBytes: Int = SyncPullAnswer.mostBytes,
    milliseconds: @escaping @Sendable () -> UInt64
  ) {
    (self.laws, self.mostBytes) = (laws, mostBytes)
    self.milliseconds = milliseconds
  }

  var version: UInt64 { state.withLock { $0.version } }
  var rows: [SyncObject: SyncRow] { state.withLock { $0.rows } }

  /// Forgets rows of deletions up to a version, and the pushes before it but for the last one of each replica.
  func collect(before version: UInt64) {
    state.withLock { state in
      state.floor = max(state.floor, version)
      let floor = state.floor
      state.rows = state.rows.filter { !$0.value.isDeleted || $0.value.version > floor }
      let asked = Set(state.replicas.keys.compactMap { state.lastPushes[$0] })
      state.pushes = state.pushes.filter { $0.key >= floor || asked.contains($0.value) }
    }
  }
}

// MARK: - Restoring

extension MemoryServer {
  /// What a backup has.
  struct Backup: Sendable {
    fileprivate let version: UInt64
    fileprivate let floor: UInt64
    fileprivate let rows: [SyncObject: SyncRow]
    fileprivate let pushes: [UInt64: UUID]
    fileprivate let lastPushes: [UUID: UUID]
    fileprivate let replicas: [UUID: UInt16]
    fileprivate let numbers: UInt16
  }

  func backUp() -> Backup {
    state.withLock { state in
      Backup(
        version: state.version, floor: state.floor, rows: state.rows, pushes: state.pushes,
        lastPushes: state.lastPushes, replicas: state.replicas, numbers: state.numbers)
    }
  }

  /// Puts a backup in the place of what there is.
  func restore(_ backup: Backup) {
    state.withLock { state in
      (state.version, state.floor) = (backup.version, backup.floor)
      (state.rows, state.pushes) = (backup.rows, backup.pushes)
      state.lastPushes = backup.lastPushes
      (state.replicas, state.numbers) = (backup.replicas, backup.numbers)
      (state.parts, state.holder) = ([:], nil)
    }
  }
}

// MARK: - Requests

extension MemoryServer {
  func hello(_ hello: SyncHello) throws -> SyncServerState {
    try state.withLock { state in
      let known =
        state.replicas.removeValue(forKey: hello.replica) ?? state.replicas[hello.next]
      if known == nil {
        guard state.numbers < .max else {
          throw SyncError.serverInvalid(reason: "the space has no number for another replica")
        }
        state.numbers += 1
      }
      let number = known ?? state.numbers
      state.replicas[hello.next] = number
      let asked = Set(hello.versions)
      return SyncServerState(
        version: state.version, floor: state.floor, time: milliseconds(), number: number,
        isWritable: state.isWritable,
        pushes: state.pushes.filter { asked.contains($0.key) || $0.value == hello.unanswered })
    }
  }

  func upload(_ part: SyncPush.Part, number: Int, of push: UUID) {
    state.withLock { $0.parts[push, default: [:]][number] = part }
  }

  /// - Parameter listener: The number of the session's own listener, to which its push is no news.
  func push(_ push: SyncPush, limit: Int = .max, from listener: Int? = nil) -> SyncPushAnswer {
    let answer = pushSilently(push, limit: limit)
    if answer.status == .accepted {
      for (number, other) in state.withLock(\.listeners) where number != listener { other.yield() }
    }
    return answer
  }

  /// The same, and no session is woken.
  func pushSilently(_ push: SyncPush, limit: Int = .max) -> SyncPushAnswer {
    state.withLock { state in
      let now = milliseconds()
      let status = write(push, at: now, &state)
      let own = status == .accepted ? state.version(of: push) : nil
      return SyncPushAnswer(
        status: status, version: own ?? state.version, time: now,
        pull: state.pull(
          after: SyncPosition(push.cursor), cursor: push.cursor, limit: (limit, mostBytes),
          besides: own, at: now))
    }
  }

  private func write(
    _ push: SyncPush, at now: UInt64, _ state: inout State
  ) -> SyncPushAnswer.Status {
    guard state.replicas[push.replica] != nil else {
      state.parts[push.id] = nil
      return .unknownReplica
    }
    if state.version(of: push) != nil { return .accepted }
    if let holder = state.holder, holder.replica != push.replica, holder.until > now {
      return .held
    }
    func refuse(_ status: SyncPushAnswer.Status) -> SyncPushAnswer.Status {
      state.holder = (push.replica, now + Self.patience)
      // One that was overtaken may come once more, with another cursor.
      if status != .overtaken { state.parts[push.id] = nil }
      return status
    }
    if push.isStrict, push.cursor != state.version { return refuse(.overtaken) }
    var parts = (0..<push.uploadedParts).compactMap { state.parts[push.id]?[$0] }
    guard parts.count == push.uploadedParts else { return refuse(.conflict) }
    parts.append(push.last)
    let rows = parts.flatMap(\.rows)
    if laws.contains(.compareAndSet) {
      for row in rows where state.rows[row.object]?.version ?? 0 != row.base {
        return refuse(.conflict)
      }
    }
    let before = rows.map { ($0.object, state.rows[$0.object]) }
    for row in rows {
      state.rows[row.object] = SyncRow(
        object: row.object, version: state.version + 1, isDeleted: row.isDeleted,
        stamps: row.stamps, fields: row.fields)
    }
    for object in parts.flatMap(\.references) where laws.contains(.references) {
      if state.rows[object]?.isDeleted ?? true {
        for (object, row) in before { state.rows[object] = row }
        state.parts[push.id] = nil
        return .missingReference
      }
    }
    state.version += 1
    state.pushes[state.version] = push.id
    state.lastPushes[push.replica] = push.id
    state.parts[push.id] = nil
    if state.holder?.replica == push.replica { state.holder = nil }
    return .accepted
  }

  func pull(
    after position: SyncPosition, cursor: UInt64, limit: Int
  ) -> SyncPullAnswer {
    state.withLock {
      $0.pull(
        after: position, cursor: cursor, limit: (limit, mostBytes), besides: nil,
        at: milliseconds())
    }
  }

  /// The rows that come with the answer to a push, where they are read some time after it.
  func pull(with push: SyncPush, limit: Int) -> SyncPullAnswer {
    state.withLock {
      $0.pull(
        after: SyncPosition(push.cursor), cursor: push.cursor, limit: (limit, mostBytes),
        besides: $0.version(of: push), at: milliseconds())
    }
  }
}

extension MemoryServer.State {
  /// The version that a push made; nil for one that was not accepted.
  fileprivate func version(of push: SyncPush) -> UInt64? {
    pushes.first { $0.value == push.id }?.key
  }

  /// The rows after a position, but for those of one version.
  fileprivate func pull(
    after position: SyncPosition, cursor: UInt64, limit: (rows: Int, bytes: Int),
    besides version: UInt64?, at time: UInt64
  ) -> SyncPullAnswer {
    let later = rows.values.filter { $0.version != version }
      .map { (position: SyncPosition($0.version, $0.object), row: $0) }
      .filter { $0.position > position }.sorted { $0.position < $1.position }
    var rows: [SyncRow] = []
    var size = 0
    for (_, row) in later {
      if rows.count >= limit.rows || size >= limit.bytes { break }
      rows.append(row)
      size += row.byteCount
    }
    return SyncPullAnswer(
      rows: rows, isPart: later.count > rows.count, version: self.version,
      floor: floor, time: time, push: pushes[self.version], pushAtCursor: pushes[cursor])
  }
}

// MARK: - Listeners

extension MemoryServer {
  /// A stream with an element after each push of others, the listener's number, and how to end it.
  func listen() -> (wakes: AsyncStream<Void>, number: Int, end: @Sendable () -> Void) {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = continuation
      return state.lastListener
    }
    return (
      stream, number,
      {
        self.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        continuation.finish()
      }
    )
  }
}
