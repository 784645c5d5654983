import Croft

/// A store as one replica of a space: what it pushes, and what it makes of what it pulls.
///
/// It has no connection and no clock of its own: each function is one transaction, so that a process may die
/// between any two of them. Used by one thread at a time.
final class Replica {
  /// What a replica remembers of its last pull, in the tree `replica` under the key `state`.
  struct State: Equatable {
    /// The version of the server of which everything is applied.
    var cursor: UInt64 = 0
    /// Whether the clock was set by the server's.
    var isTimed = false
    /// Up to where rows are staged after that; nil for none.
    var staged: PullAnswer.Position?
    /// The server's floor when the first of them came.
    var stagedFloor: UInt64 = 0
  }

  let store: Store
  let laws: Laws
  private(set) var state: State

  /// Makes the replica of a store whose models are marked as replicated.
  init(_ store: Store, laws: Laws = .all) throws {
    self.store = store
    self.laws = laws
    state = try store.writeRemote { try State(in: &$0) }
  }

  /// The position after which the next pull begins, and the version that is applied.
  var position: PullAnswer.Position { state.staged ?? PullAnswer.Position(state.cursor) }
  var cursor: UInt64 { state.cursor }
}

// MARK: - The clock

extension Replica {
  /// Sets the store's clock by the server's.
  ///
  /// The first time the stamps of all unsent changes are shifted with it: nobody else has seen them. None is
  /// then later than the server's time, and their order is kept.
  func setClock(byServer milliseconds: UInt64, local: UInt64) throws {
    var next = state
    next.isTimed = true
    try write(next) { tx in
      var clock = try tx.clock()
      let offset = Int64(clamping: milliseconds) - Int64(clamping: local)
      if !state.isTimed {
        let shift = (offset - clock.offset) << ReplicaClock.counterBits
        let latest = Int64(clamping: milliseconds) << ReplicaClock.counterBits
        let distance = min(shift, latest - Int64(clamping: clock.last))
        for (object, entry) in try tx.entries() {
          try tx.setEntry(entry.shifted(by: distance), of: object)
        }
        clock.last = clock.last.shifted(by: distance)
      }
      clock.offset = offset
      try tx.setClock(clock)
    }
  }
}

extension OutboxEntry {
  fileprivate func shifted(by distance: Int64) -> OutboxEntry {
    var entry = self
    entry.stamp.time = stamp.time.shifted(by: distance)
    entry.stamps = stamps.mapValues { stamp in
      Stamp(time: stamp.time.shifted(by: distance), replica: stamp.replica)
    }
    return entry
  }
}

extension UInt64 {
  fileprivate func shifted(by distance: Int64) -> UInt64 {
    distance < 0 ? self - Swift.min(self, distance.magnitude) : self + distance.magnitude
  }
}

// MARK: - Pushing

extension Replica {
  /// All unsent changes as one push; nil where there are none.
  ///
  /// From now on they may be on the server, whatever is heard of it.
  func makePush() throws -> PushRequest? {
    try store.writeRemote { tx in
      var clock = try tx.clock()
      let entries = try tx.entries()
      guard !entries.isEmpty else { return nil }
      var push = PushRequest(
        replica: clock.replica, cursor: state.cursor, isStrict: false, rows: [], references: [])
      for (object, entry) in entries {
        let known = try tx.record(of: object)
        push.rows.append(
          PushRequest.Row(
            object: object, base: known?.version ?? 0,
            row: try row(of: object, entry, known, &tx)))
        if try isStrict(object, entry, known, &tx) { push.isStrict = true }
        guard entry.kind != .deletion else { continue }
        let changed = entry.kind == .update ? Set(entry.server.keys) : nil
        for reference in try tx.references(from: object)
        where changed?.contains(reference.field) ?? true {
          push.references.insert(reference.target)
        }
      }
      push.references.subtract(push.rows.filter { !$0.row.isDeleted }.map(\.object))
      // A deletion of an object that is sent now has to be told.
      if clock.sent < clock.last {
        clock.sent = clock.last
        try tx.setClock(clock)
      }
      return push
    }
  }

  private func row(
    of object: ObjectKey, _ entry: OutboxEntry, _ known: ServerRow?, _ tx: inout WriteTransaction
  ) throws -> ServerRow {
    switch entry.kind {
    case .deletion:
      return ServerRow(version: 0, isDeleted: true, born: known?.born ?? entry.stamp)
    case .insertion, .replacement:
      var row = ServerRow(version: 0, born: entry.stamp)
      (row.stamps, row.fields) = (entry.stamps, try tx.fields(of: object) ?? [:])
      return row
    case .update:
      var row = known ?? ServerRow(version: 0, born: entry.stamp)
      row.stamps.merge(entry.stamps) { $1 }
      row.fields = try tx.fields(of: object) ?? [:]
      return row
    }
  }

  /// Whether others' pushes could clash with a change, so that all of them have to be known.
  private func isStrict(
    _ object: ObjectKey, _ entry: OutboxEntry, _ known: ServerRow?, _ tx: inout WriteTransaction
  ) throws -> Bool {
    switch entry.kind {
    case .deletion: return laws.contains(.strictDeletions)
    case .replacement where !(known?.isDeleted ?? true): return laws.contains(.strictDeletions)
    case .insertion, .replacement:
      return try laws.contains(.strictUniqueValues)
        && !tx.uniqueFields(ofModel: object.model).isEmpty
    case .update:
      return try laws.contains(.strictUniqueValues)
        && !tx.uniqueFields(ofModel: object.model).isDisjoint(with: entry.server.keys)
    }
  }

  /// Takes the server's answer to a push; nothing is lost where it never comes.
  ///
  /// - Returns: What was decided about changes of both sides.
  @discardableResult
  func receive(_ answer: PushAnswer, to push: PushRequest) throws -> [ReplicaEvent] {
    guard case .accepted(let version) = answer else { return [] }
    // Its cursor was the server's version, if it was strict: nothing is between the two.
    let isNext = push.isStrict && push.cursor == state.cursor
    let rows = push.rows.map { row in
      var written = row.row
      written.version = version
      return (object: row.object, row: written)
    }
    var next = state
    if isNext || !laws.contains(.ownPush) { next.cursor = max(next.cursor, version) }
    return try apply(rows, next)
  }
}

// MARK: - Pulling

extension Replica {
  /// Takes an answer to a pull: stages its rows, and applies all that are staged once they are whole.
  ///
  /// - Returns: What was decided about changes of both sides.
  @discardableResult
  func receive(_ pull: PullAnswer) throws -> [ReplicaEvent] {
    // A late answer is of another position.
    if laws.contains(.onlyForward), pull.after != position { return [] }
    guard pull.isPart || state.staged != nil else { return try apply(pull.rows, of: pull) }
    if state.staged != nil, pull.floor != state.stagedFloor {
      // Tombstones of what is staged may be missing: begin again.
      try write(State(cursor: state.cursor, isTimed: state.isTimed)) {
        try $0.removeAll(in: .staging)
      }
      return []
    }
    if !laws.contains(.wholeSnapshots) { return try apply(pull.rows, of: pull) }
    guard pull.isPart, let last = pull.rows.last else {
      let staged = try store.writeRemote { try $0.staged() }
      return try apply(staged + pull.rows, of: pull)
    }
    var next = state
    next.staged = PullAnswer.Position(last.row.version, last.object)
    next.stagedFloor = pull.floor
    try write(next) { tx in
      for (object, row) in pull.rows { try tx.stage(object, row) }
    }
    return []
  }

  private func apply(
    _ rows: [(object: ObjectKey, row: ServerRow)], of pull: PullAnswer
  ) throws -> [ReplicaEvent] {
    var next = State(cursor: pull.version, isTimed: state.isTimed)
    if pull.isPart, let last = pull.rows.last {
      // Without law 7: more rows of the last version may follow.
      next.cursor = state.cursor
      next.staged = PullAnswer.Position(last.row.version, last.object)
      next.stagedFloor = pull.floor
    }
    // A row may have been staged, and written again since.
    let latest = Dictionary(rows.map { ($0.object, $0.row) }) { $0.version > $1.version ? $0 : $1 }
    return try apply(
      latest.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, next, floor: pull.floor,
      isFull: pull.isFull)
  }

  /// Applies rows of the server and repairs the unsent changes, in one transaction.
  private func apply(
    _ rows: [(object: ObjectKey, row: ServerRow)], _ next: State, floor: UInt64 = 0,
    isFull: Bool = false
  ) throws -> [ReplicaEvent] {
    try write(next) { tx in
      var rebase = Rebase(laws: laws, clock: try tx.clock())
      try rebase.apply(rows, isFull: isFull, through: next.cursor, &tx)
      if laws.contains(.absence) { try tx.forgetTombstones(through: floor) }
      try tx.setClock(rebase.clock)
      if next.staged == nil, state.staged != nil { try tx.removeAll(in: .staging) }
      return rebase.events
    }
  }

  /// Writes a state with what belongs to it; it is the replica's once it is committed.
  private func write<R>(
    _ next: State, _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    let result = try store.writeRemote { tx in
      try next.write(&tx)
      return try body(&tx)
    }
    state = next
    return result
  }
}

// MARK: - What a replica remembers

extension Replica.State {
  private static let key = Array("state".utf8)

  private static var unreadable: StoreError {
    .corrupt(model: nil, key: nil, reason: "the replica's state cannot be read")
  }

  init(in tx: inout WriteTransaction) throws {
    guard let bytes = try tx.value(at: Self.key, in: .replica) else { return }
    var reader = ByteReader(bytes[...])
    guard let cursor: UInt64 = reader.integer(), let timed: UInt8 = reader.integer(),
      let floor: UInt64 = reader.integer(), let isStaging: UInt8 = reader.integer()
    else { throw Self.unreadable }
    (self.cursor, isTimed, stagedFloor) = (cursor, timed > 0, floor)
    guard isStaging > 0 else { return }
    guard let version: UInt64 = reader.integer(), let model: UInt32 = reader.integer() else {
      throw Self.unreadable
    }
    staged = PullAnswer.Position(
      version, ObjectKey(model: Int(model), key: Array(reader.rest)))
  }

  func write(_ tx: inout WriteTransaction) throws {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: cursor)
    bytes.append(isTimed ? 1 : 0)
    bytes.append(bigEndian: stagedFloor)
    bytes.append(staged == nil ? 0 : 1)
    if let staged, let object = staged.object {
      bytes.append(bigEndian: staged.version)
      bytes += object.bytes
    }
    try tx.setValue(bytes, at: Self.key, in: .replica)
  }
}

extension ObjectKey {
  /// The model's number (u32), and the primary key's code.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: model))
    return bytes + key
  }

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let model: UInt32 = reader.integer() else { return nil }
    self.init(model: Int(model), key: Array(reader.rest))
  }
}

extension WriteTransaction {
  /// What the replica knows of the server's row, without values.
  func record(of object: ObjectKey) throws -> ServerRow? {
    try value(at: object.bytes, in: .server).flatMap { ServerRow($0) }
  }

  mutating func setRecord(_ row: ServerRow?, of object: ObjectKey) throws {
    try setValue(row?.record.bytes, at: object.bytes, in: .server)
  }

  func records() throws -> [(object: ObjectKey, row: ServerRow)] {
    try values(in: .server).compactMap { key, value in
      guard let object = ObjectKey(key), let row = ServerRow(value) else { return nil }
      return (object, row)
    }
  }

  mutating func forgetTombstones(through floor: UInt64) throws {
    guard floor > 0 else { return }
    for (object, row) in try records() where row.isDeleted && row.version <= floor {
      try setRecord(nil, of: object)
    }
  }

  mutating func stage(_ object: ObjectKey, _ row: ServerRow) throws {
    try setValue(row.bytes, at: object.bytes, in: .staging)
  }

  func staged() throws -> [(object: ObjectKey, row: ServerRow)] {
    try values(in: .staging).compactMap { key, value in
      guard let object = ObjectKey(key), let row = ServerRow(value) else { return nil }
      return (object, row)
    }
  }
}
