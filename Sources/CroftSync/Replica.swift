import Croft
import CroftFoundation

/// A store as one replica of a space: what it pushes, and what it makes of what it pulls.
///
/// It has no connection and no clock of its own: each step of a function is one transaction, or for a push one that
/// writes and one that reads, so that a process may die between any two of them. Used by one thread at a time.
final class Replica {
  let store: Store
  let laws: Laws
  private(set) var state: ReplicaState
  /// The models of the space, as far as they are known.
  private(set) var schema: SpaceSchema
  /// Called in each transaction that changes objects because others did.
  private let onChange: Sync.ChangeHandler?
  /// How many staged rows are read at a time.
  private let blockLimit: Int
  /// How often rows of the server have changed what is to be sent.
  private(set) var entryChanges = 0

  /// The most staged rows that are read at a time, however many there are.
  static let mostRows = 1_000
  /// The most bytes of them, unless one row has more.
  static let mostBytes = SyncPullAnswer.mostBytes

  /// The server, or a copy of the store, is not the one that the replica knows: a new session finds out more.
  struct LineageBroken: Error {}

  /// Makes the replica of a store whose models are marked as replicated.
  ///
  /// - Parameters:
  ///   - space: The space that the store is or becomes a replica of; nil for the one that it has.
  ///   - blockLimit: How many rows are applied at a time.
  ///   - onChange: Called in each transaction that changes objects because others did.
  /// - Throws: ``SyncError/anotherSpace``; ``SyncError/schemaMismatch(model:field:reason:)``.
  init(
    _ store: Store, of space: UUID? = nil, laws: Laws = .all, blockLimit: Int = mostRows,
    onChange: Sync.ChangeHandler? = nil
  ) throws {
    (self.store, self.laws, self.onChange) = (store, laws, onChange)
    self.blockLimit = blockLimit
    (state, schema) = try store.writeRemote { tx in
      var state = try ReplicaState(in: tx)
      if let space, state.space != space {
        guard state.space == nil else { throw SyncError.anotherSpace }
        state.space = space
        try state.write(&tx)
      }
      return (state, try SpaceSchema(in: tx))
    }
    try keepFields()
    // The program may be another one than the one that set rows aside.
    if laws.contains(.setAside), try asideCount() > 0 {
      _ = try apply(PulledRows([]), state, again: true)
    }
  }

  /// The position after which the next pull begins, and the version that is applied.
  var position: SyncPosition { state.position }
  var cursor: UInt64 { state.cursor }

  /// Reads the models again, after what is known of the space was changed.
  func reloadSchema() throws { schema = try store.writeRemote { try SpaceSchema(in: $0) } }

  /// Has the store keep the fields that others have added, before rows come that have them.
  private func keepFields(of descriptions: [SyncRow] = []) throws {
    var described = schema
    for row in descriptions { try described.add(row) }
    guard !described.unkept.isEmpty else { return }
    guard laws.contains(.unknownFields) else {
      throw SyncError.schemaMismatch(model: "", field: nil, reason: "a field is not known")
    }
    do { try store.keep(described.unkept) } catch StoreError.schemaMismatch(
      let model, let field, let reason)
    {
      throw SyncError.schemaMismatch(model: model, field: field, reason: reason)
    }
    try reloadSchema()
  }

  /// Writes a state with what belongs to it; it is the replica's once it is committed.
  func write<R>(
    _ next: ReplicaState, _ body: (inout WriteTransaction) throws -> R
  ) throws -> R {
    var next = next
    return try write(&next) { tx, _ in try body(&tx) }
  }

  /// The same where the rest decides on the state.
  func write<R>(
    _ next: inout ReplicaState, _ body: (inout WriteTransaction, inout ReplicaState) throws -> R
  ) throws -> R {
    let result = try store.writeRemote { tx in
      let result = try body(&tx, &next)
      if next != state { try next.write(&tx) }
      return result
    }
    state = next
    return result
  }

  /// Applies rows of the server and repairs the unsent changes, in one transaction.
  ///
  /// Fields that are new to the program are kept from a transaction of their own on, which comes before.
  ///
  /// Some rows at a time are in memory, and beside them:
  ///
  /// - whole rows that wait because other objects still have their unique values;
  /// - whole rows that are set aside;
  /// - the earlier state of objects that are deleted, or have unsent changes;
  /// - the keys of deleted objects, and of those that `onChange` is told of;
  /// - the events.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - floor: The version up to which deletions are forgotten.
  ///   - isFull: Whether these are all objects that there are: others are deleted.
  ///   - arrived: The last stamp of the push that the server had before it sent them; 0 for none.
  ///   - again: Whether rows are tried again whose bytes were none.
  func apply(
    _ rows: PulledRows, _ next: ReplicaState, floor: UInt64 = 0, isFull: Bool = false,
    arrived: UInt64 = 0, again: Bool = false
  ) throws -> [ReplicaEvent] {
    let descriptions = try rows.descriptions(in: store)
    try keepFields(of: descriptions)
    var schema = schema
    var next = next
    let events = try write(&next) { tx, next in
      for row in descriptions { try schema.add(row, &tx) }
      var rebase = Rebase(
        laws: laws, clock: try tx.clock(), asides: try tx.asides(), isFull: isFull,
        isRepairing: try tx.entryCount() > 0, notesChanges: onChange != nil)
      var reader = RowReader(schema, laws, strangers: try tx.strangers(), isFull: isFull)
      if isFull {
        try rebase.deleteAbsent(through: next.cursor, arrived: arrived, &tx) { object, tx in
          guard let shared = schema.shared(object) else { return false }
          return try rows.version(of: shared, tx) != nil
        }
      }
      let again = again || !descriptions.isEmpty
      let former = try reader.formerRows(
        beside: rows, again ? rebase.asides : [:], &tx)
      let formerRead = try reader.read(former, &tx)
      try rebase.write(formerRead, &tx)
      try rows.forEachBlock(of: blockLimit, &tx) { block, tx in
        let read = try reader.read(block, &tx)
        try rebase.write(read, &tx)
      }
      try rebase.writeDeferred(&tx)
      // By now all objects are there that others refer to.
      rebase.written += former.compactMap { schema.own($0.object) }
      try rows.forEachBlock(of: blockLimit, &tx) { block, tx in
        // Also of a deleted one: an unsent insertion may be in its place.
        rebase.written += block.compactMap { schema.own($0.object) }
        try rebase.repairReferences(&tx)
      }
      try rebase.finish(&tx)
      if rebase.hasChangedEntries { entryChanges += 1 }
      if reader.strangerCount > 0 { rebase.noteStrangers(reader.strangerCount) }
      if laws.contains(.absence), floor > 0 { try tx.forgetTombstones(through: floor) }
      if let onChange, let changed = rebase.changed, !changed.isEmpty {
        try onChange(SyncChanges(changed, of: schema.local), &tx)
      }
      try tx.setClock(rebase.clock)
      if next.staged == nil, state.staged != nil { try tx.removeAll(in: .staging) }
      try tx.keep(rebase.events, &next)
      return rebase.events
    }
    self.schema = schema
    return events
  }
}

// MARK: - What a replica remembers

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

extension ReplicaReading where Self: ~Copyable {
  /// What the replica knows of the server's row, without values.
  func record(of object: ObjectKey) throws -> ServerRow? {
    guard let bytes = try value(at: object.bytes, in: .server) else { return nil }
    guard let row = ServerRow(record: bytes) else {
      throw StoreError.damaged(object.bytes, in: .server)
    }
    return row
  }
}

extension WriteTransaction {
  mutating func setRecord(_ row: ServerRow?, of object: ObjectKey) throws {
    try setValue(row?.recordBytes, at: object.bytes, in: .server)
  }

  /// Calls a closure with all objects that the server has or had, ascending; it may change their records.
  mutating func forEachRecord(
    _ body: (ObjectKey, ServerRow, inout WriteTransaction) throws -> Void
  ) throws {
    var last: [UInt8]?
    while true {
      let block = try values(in: .server, after: last, limit: Replica.mostRows)
      guard let end = block.last else { return }
      for (key, value) in block {
        guard let object = ObjectKey(key), let row = ServerRow(record: value) else {
          throw StoreError.damaged(key, in: .server)
        }
        try body(object, row, &self)
      }
      last = end.key
    }
  }

  mutating func forgetTombstones(through floor: UInt64) throws {
    try forEachRecord { object, row, tx in
      guard row.isDeleted, row.version > 0, row.version <= floor else { return }
      try tx.setRecord(nil, of: object)
    }
  }
}

// MARK: - Descriptions of models

extension SpaceSchema {
  private static let prefix = Array("model/".utf8)

  /// The models that the replica knows of the space.
  ///
  /// - Throws: ``SyncError/schemaMismatch(model:field:reason:)``.
  init(in tx: borrowing WriteTransaction) throws {
    self.init(try tx.replicatedModels())
    for row in try Self.rows(in: tx) { try add(row) }
  }

  /// Takes a row, and remembers it.
  mutating func add(_ row: SyncRow, _ tx: inout WriteTransaction) throws {
    try add(row)
    try tx.setValue(row.bytes, at: Self.prefix + row.key, in: .replica)
  }

  /// Forgets what the server has lost.
  static func forget(after version: UInt64, _ tx: inout WriteTransaction) throws {
    for row in try rows(in: tx) where row.version > version {
      try tx.setValue(nil, at: prefix + row.key, in: .replica)
    }
  }

  private static func rows(in tx: borrowing WriteTransaction) throws -> [SyncRow] {
    try tx.values(in: .replica).compactMap { key, value in
      guard key.starts(with: prefix) else { return nil }
      guard let row = SyncRow(key: Array(key.dropFirst(prefix.count)), value) else {
        throw StoreError.damaged(key, in: .replica)
      }
      return row
    }
  }
}
