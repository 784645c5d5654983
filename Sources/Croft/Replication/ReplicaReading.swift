import LMDB

/// What a replica reads to send a store's changes, in a transaction of either kind.
package protocol ReplicaReading: ~Copyable {
  /// The bytes under a key of a tree; nil where there are none, or the tree was never written.
  func value(at key: [UInt8], in tree: ReplicaTree) throws -> [UInt8]?

  /// The fields of a stored object; nil where there is none.
  func fields(of object: ObjectKey) throws -> ObjectFields?

  /// What a stored object refers to.
  func references(from object: ObjectKey) throws -> [ObjectReference]

  /// The fields that a unique index of a model is over, in which objects can clash.
  func uniqueFields(ofModel model: Int) throws -> Set<UInt16>

  /// Passes entries of the outbox, ascending by model and key, until a closure returns false.
  ///
  /// - Parameters:
  ///   - model: The model that they are of; nil for all models.
  ///   - key: The primary key's code after which those of the model begin; nil for the first one.
  func forEachEntry(
    ofModel model: Int?, after key: [UInt8]?,
    _ body: (ObjectKey, OutboxEntry) throws -> Bool
  ) throws

  /// How many entries the outbox has.
  func entryCount() throws -> Int

  /// The clock of the store's stamps.
  func clock() throws -> ReplicaClock
}

extension ReplicaReading where Self: ~Copyable {
  /// All entries of the outbox, ascending by model and key.
  package func entries() throws -> [(object: ObjectKey, entry: OutboxEntry)] {
    var entries: [(object: ObjectKey, entry: OutboxEntry)] = []
    try forEachEntry(ofModel: nil, after: nil) { object, entry in
      entries.append((object, entry))
      return true
    }
    return entries
  }

  /// Entries of a model in the outbox, ascending by key, some at a time.
  ///
  /// - Parameters:
  ///   - key: The primary key's code after which they begin; nil for the first one.
  ///   - limit: The most entries.
  ///   - bytes: The most bytes of the server's values, unless the first one alone has more.
  package func entries(
    ofModel model: Int, after key: [UInt8]?, limit: Int, bytes: Int
  ) throws -> [(object: ObjectKey, entry: OutboxEntry)] {
    var entries: [(object: ObjectKey, entry: OutboxEntry)] = []
    var size = 0
    try forEachEntry(ofModel: model, after: key) { object, entry in
      size += entry.server.values.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
      if !entries.isEmpty, entries.count >= limit || size > bytes { return false }
      entries.append((object, entry))
      return true
    }
    return entries
  }
}

extension WriteTransaction: ReplicaReading {}

extension ReadTransaction: ReplicaReading {
  /// The bytes under a key of a tree; nil where there are none.
  package func value(at key: [UInt8], in tree: ReplicaTree) throws -> [UInt8]? {
    try tree.value(at: key, in: base)
  }

  /// The fields of a stored object; nil where there is none.
  package func fields(of object: ObjectKey) throws -> ObjectFields? {
    try catalog.fields(of: object, in: base, arena)
  }

  /// What a stored object refers to.
  package func references(from object: ObjectKey) throws -> [ObjectReference] {
    try catalog.references(from: object, in: base, arena)
  }

  /// The fields that a unique index of a model is over.
  package func uniqueFields(ofModel model: Int) throws -> Set<UInt16> {
    try catalog.uniqueFields(ofModel: model)
  }

  /// Passes entries of the outbox, ascending by model and key, until a closure returns false.
  package func forEachEntry(
    ofModel model: Int?, after key: [UInt8]?,
    _ body: (ObjectKey, OutboxEntry) throws -> Bool
  ) throws {
    try catalog.outbox?.forEachEntry(ofModel: model, after: key, in: base, body)
  }

  /// How many entries the outbox has.
  package func entryCount() throws -> Int { try catalog.outbox?.count(in: base) ?? 0 }

  /// The clock of the store's stamps.
  package func clock() throws -> ReplicaClock { try ReplicaClock(in: catalog.meta, base) }
}

// MARK: - Rows

extension Catalog {
  /// The table of a replicated model.
  ///
  /// - Throws: ``StoreError/unknownModel(model:)`` where there is none.
  func replicatedTable(_ model: Int) throws -> Table {
    guard let table = all.first(where: { $0.id == model && $0.isReplicated }) else {
      throw StoreError.unknownModel(model: "\(model)")
    }
    return table
  }

  func fields(
    of object: ObjectKey, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ arena: RecordArena
  ) throws -> ObjectFields? {
    let table = try replicatedTable(object.model)
    arena.clear()
    // Safety: the key's bytes and the row are used in the closure only.
    return try unsafe object.key.withUnsafeBytes { key in
      try unsafe table.row(key, in: transaction, arena).map { try table.fields(of: $0) }
    }
  }

  func references(
    from object: ObjectKey, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ arena: RecordArena
  ) throws -> [ObjectReference] {
    let table = try replicatedTable(object.model)
    guard !table.references.isEmpty else { return [] }
    arena.clear()
    // Safety: the key's bytes and the row are used in the closure only.
    return try unsafe object.key.withUnsafeBytes { key in
      try unsafe table.row(key, in: transaction, arena)
        .map { try table.references(of: object, in: $0) } ?? []
    }
  }

  func uniqueFields(ofModel model: Int) throws -> Set<UInt16> {
    let table = try replicatedTable(model)
    return Set(table.entryIndexes.filter(\.isUnique).flatMap(table.fields))
  }
}

extension Table {
  /// What an object of this table refers to, given its row.
  func references(of object: ObjectKey, in row: RecordView) throws -> [ObjectReference] {
    var found: [ObjectReference] = []
    for reference in references {
      try unsafe forEachTarget(of: reference, in: row) { _, target in
        found.append(
          ObjectReference(
            source: object, field: replicatedFields[reference.column],
            target: ObjectKey(model: reference.target, key: unsafe [UInt8](target)),
            rule: reference.onDelete))
      }
    }
    return found
  }

  /// The fields that an index is over.
  func fields(of index: EntryIndex) -> [UInt16] {
    index.sources.map { replicatedFields[$0.index] }
  }
}

// MARK: - Trees

extension ReplicaTree {
  func value(
    at key: [UInt8], in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> [UInt8]? {
    guard let database = try transaction.database(named: rawValue) else { return nil }
    return try unsafe transaction.get(key.span.bytes, in: database)?.copied()
  }
}

extension Outbox {
  func forEachEntry(
    ofModel model: Int?, after key: [UInt8]?,
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (ObjectKey, OutboxEntry) throws -> Bool
  ) throws {
    let lower: KeyRange.Bound =
      key.map { .exclusive(Self.key(model ?? 0, $0)) } ?? .inclusive(Self.key(model ?? 0, []))
    try forEach(in: transaction, KeyRange(lower: lower)) { key, entry in
      guard let parts = Self.parts(of: key) else { return true }
      if let model, parts.model != model { return false }
      return try body(ObjectKey(model: parts.model, key: Array(parts.key)), entry)
    }
  }
}
