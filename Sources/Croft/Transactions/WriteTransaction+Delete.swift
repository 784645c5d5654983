import LMDB

extension WriteTransaction {
  /// Deletes one object, found by its primary key.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of its primary key.
  /// - Returns: Whether there was such an object.
  /// - Throws: Errors of the engine, which end the transaction.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func delete<M: Model>(_ model: M.Type, _ key: M.PrimaryKey) throws -> Bool {
    let storage = try storage(of: M._schema.shape)
    probe.count = 0
    key.appendKey(to: &probe)
    do {
      if !storage.indexes.isEmpty {
        // Safety: index entries are made from the view before anything is written.
        arena.clear()
        guard let row = try unsafe storage.row(probe.bytes, in: base, arena) else { return false }
        try bufferRemoval(of: row, storage)
      }
      // Safety: the probe does not change during the call.
      let isDeleted = try unsafe base.delete(RawSpan(_unsafeBytes: probe.bytes), in: storage.rows)
      if isDeleted { hasChanges = true }
      try applyFullBuffers()
      return isDeleted
    } catch { throw failing(error) }
  }

  /// Deletes all objects of a query, without making any, or none where it throws.
  ///
  /// It is a ``savepoint(_:)`` of its own: where it throws, the transaction is as it was before.
  ///
  /// - Parameter query: The query; its offset and limit count too.
  /// - Returns: How many objects were deleted.
  /// - Throws: Errors of the engine; the transaction stays usable.
  /// - Complexity: O(*m* log *n*) for *m* objects, beside the query itself; their keys and index
  ///   entries are in memory meanwhile.
  @discardableResult
  public mutating func delete<M: Model>(_ query: Query<M>) throws -> Int {
    try statement { tx in
      let storage = try tx.storage(of: M._schema.shape)
      try tx.prepare(query.core, storage)
      var keys = KeyList(width: storage.layout.keyWidth)
      try storage.forEachMatch(query.core, in: tx.base) { row in
        try tx.bufferRemoval(of: row, storage)
        unsafe keys.append(row.keyBytes)
        return true
      }
      if !query.core.order.isEmpty { keys.sort() }
      try tx.remove(keys, from: storage.rows)
      try tx.applyFullBuffers()
      return keys.count
    }
  }

  /// Deletes all objects of a model.
  ///
  /// - Parameter model: The model's type.
  /// - Returns: How many objects there were.
  /// - Throws: Errors of the engine, which end the transaction.
  /// - Complexity: O(pages): no object is read.
  @discardableResult
  public mutating func deleteAll<M: Model>(_ model: M.Type) throws -> Int {
    let storage = try storage(of: M._schema.shape)
    do {
      let count = try base.count(of: storage.rows)
      try base.empty(storage.rows)
      for index in storage.indexes {
        buffers[index.slot].clear()
        try base.empty(index.entries)
      }
      if count > 0 { hasChanges = true }
      return count
    } catch { throw failing(error) }
  }

  /// Buffers the removal of a row's index entries.
  private func bufferRemoval(of row: RowView, _ storage: ModelStorage) throws {
    for index in storage.indexes {
      try buffers[index.slot].take(row, isDelete: true)
    }
  }

  /// Deletes rows by ascending keys, a batch at a time.
  private mutating func remove(_ keys: borrowing KeyList, from rows: Database) throws {
    guard keys.count > 0 else { return }
    hasChanges = true
    var batch = SortedBatch(rows)
    for place in 0..<keys.count {
      try unsafe batch.append(keys[place], isDelete: true, to: &base)
    }
    try batch.finish(&base)
  }
}
