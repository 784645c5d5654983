import Croft

/// A store as one replica of a space: what it pushes, and what it makes of what it pulls.
///
/// It has no connection and no clock of its own: each function is one transaction, so that a process may die
/// between any two of them. Used by one thread at a time.
final class Replica {
  let store: Store
  let laws: Laws
  private(set) var state: ReplicaState

  /// The server is not the one that the replica knows: a new session finds out what they have in common.
  struct LineageBroken: Error {}

  /// Makes the replica of a store whose models are marked as replicated.
  init(_ store: Store, laws: Laws = .all) throws {
    self.store = store
    self.laws = laws
    state = try store.writeRemote { try ReplicaState(in: $0) }
  }

  /// The position after which the next pull begins, and the version that is applied.
  var position: SyncPosition { state.position }
  var cursor: UInt64 { state.cursor }

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

extension WriteTransaction {
  /// What the replica knows of the server's row, without values.
  func record(of object: ObjectKey) throws -> ServerRow? {
    try value(at: object.bytes, in: .server).flatMap { ServerRow($0) }
  }

  mutating func setRecord(_ row: ServerRow?, of object: ObjectKey) throws {
    try setValue(row?.record.bytes, at: object.bytes, in: .server)
  }

  func records() throws -> [(object: ObjectKey, row: ServerRow)] {
    try rows(in: .server)
  }

  mutating func forgetTombstones(through floor: UInt64) throws {
    for (object, row) in try records() where row.isDeleted && row.version <= floor {
      try setRecord(nil, of: object)
    }
  }

  mutating func stage(_ object: ObjectKey, _ row: ServerRow) throws {
    try setValue(row.bytes, at: object.bytes, in: .staging)
  }

  func staged() throws -> [(object: ObjectKey, row: ServerRow)] {
    try rows(in: .staging)
  }

  private func rows(in tree: ReplicaTree) throws -> [(object: ObjectKey, row: ServerRow)] {
    try values(in: tree).compactMap { key, value in
      guard let object = ObjectKey(key), let row = ServerRow(value) else { return nil }
      return (object, row)
    }
  }
}
