import LMDB

extension WriteTransaction {
  /// Deletes one object, found by its primary key, and does what delete rules ask for.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of its primary key.
  /// - Returns: Whether there was such an object.
  /// - Throws: ``StoreError/deniedByRelation(model:field:key:target:count:)`` where an object that
  ///   stays forbids it, which leaves the transaction usable and all objects; errors of the
  ///   engine, which end the transaction.
  /// - Complexity: O(log *n*) for each object that is deleted or changed.
  @discardableResult
  public mutating func delete<M: Model>(_ model: M.Type, _ key: M.PrimaryKey) throws -> Bool {
    let table = try table(of: M._schema.erased)
    probe.count = 0
    key.appendKey(to: &probe)
    do {
      if !catalog.referrers(of: table).isEmpty { return try deleteReferred(table) }
      if readsRemovedRows(of: table) {
        // Safety: index entries are made from the view before anything is written.
        arena.clear()
        guard let row = try unsafe table.row(probe.bytes, in: base, arena) else { return false }
        try table.leave(row, buffers, capture)
      }
      // Safety: the probe does not change during the call.
      let isDeleted = try unsafe base.delete(RawSpan(_unsafeBytes: probe.bytes), in: table.rows)
      if isDeleted {
        hasChanges = true
        if let capture, !readsRemovedRows(of: table) {
          unsafe capture.remove(probe.bytes, of: table)
        }
      }
      try settle(table)
      return isDeleted
    } catch { throw failing(error) }
  }

  /// Deletes the object whose key's code is in ``probe``, and what its model's rules ask for.
  private mutating func deleteReferred(_ table: Table) throws -> Bool {
    // Safety: the probe does not change during the call.
    guard try unsafe base.get(RawSpan(_unsafeBytes: probe.bytes), in: table.rows) != nil else {
      return false
    }
    let keys = KeySet(width: table.layout.keyWidth)
    unsafe keys.insert(probe.bytes)
    return try delete(keys, of: table) > 0
  }

  /// Deletes all objects of a query, without making any, or none where it throws.
  ///
  /// It is a ``savepoint(_:)`` of its own: where it throws, the transaction is as it was before.
  /// Delete rules are those of one delete: an object that goes with the others denies nothing.
  ///
  /// - Parameter query: The query; its offset and limit count too.
  /// - Returns: How many objects of the query's model are gone, those that a cascade within
  ///   the model reached among them; what goes of other models is not counted.
  /// - Throws: ``StoreError/deniedByRelation(model:field:key:target:count:)``; errors of the engine;
  ///   the transaction stays usable.
  /// - Complexity: O(*m* log *n*) for *m* objects, beside the query itself. In memory are their
  ///   keys, with up to twelve bytes more each (forty where another model refers to this one),
  ///   and for each index 64 MiB of entries at most; never rows or objects.
  @discardableResult
  public mutating func delete<M: Model>(_ query: Query<M>) throws -> Int {
    try statement { tx in
      let table = try tx.table(of: M._schema.erased)
      let core = query.core.forAggregates
      let plan = try tx.plan(core, table)
      guard tx.catalog.referrers(of: table).isEmpty else {
        let keys = KeySet(width: table.layout.keyWidth)
        try plan.forEachMatch(in: tx.base) { row in
          unsafe keys.insert(row.keyBytes)
          return true
        }
        return try tx.delete(keys, of: table)
      }
      var keys = KeyList(width: table.layout.keyWidth)
      let (buffers, capture) = (tx.buffers, tx.capture)
      let ownBuffers = table.indexes.map { buffers[$0.slot] }
      var left = 0
      try plan.forEachMatch(in: tx.base) { row in
        // Nothing can be written during the walk: what full buffers cannot take is read again.
        if left == keys.count, !ownBuffers.contains(where: \.isFull) {
          try table.leave(row, buffers, capture)
          left += 1
        }
        unsafe keys.append(row.keyBytes)
        return true
      }
      try tx.leaveRows(keys, from: left, of: table)
      if !core.order.isEmpty { keys.sort() }
      try tx.removeLeftRows(keys, of: table)
      return keys.count
    }
  }

  /// Deletes all objects of a model.
  ///
  /// - Parameter model: The model's type.
  /// - Returns: How many objects there were.
  /// - Throws: ``StoreError/deniedByRelation(model:field:key:target:count:)`` where an object of
  ///   another model forbids it, which leaves the transaction usable and all objects; errors of
  ///   the engine, which end the transaction.
  /// - Complexity: O(pages) where no other model refers to an object: none is read then.
  @discardableResult
  public mutating func deleteAll<M: Model>(_ model: M.Type) throws -> Int {
    let table = try table(of: M._schema.erased)
    do {
      let count = try base.count(of: table.rows)
      guard count > 0 else { return 0 }
      if try isReferredTo(table) { return try deleteAllReferred(table) }
      try captureAll(table)
      try base.empty(table.rows)
      for index in table.indexes {
        buffers[index.slot].clear()
        try base.empty(index.entries)
      }
      hasChanges = true
      return count
    } catch { throw failing(error) }
  }

  /// Enters all rows of a model into the capture, as ones that go.
  ///
  /// Where only keys are captured it enters none: others read what is left, which is nothing.
  private mutating func captureAll(_ table: Table) throws {
    guard let capture else { return }
    guard capture.capturesRows(of: table) else { return capture.markUnknown(table) }
    try base.forEachBlock(of: table.rows) { block in
      for place in 0..<block.count where capture.capturesRows(of: table) {
        arena.clear()
        let entry = unsafe block.entries[place]
        capture.remove(
          try unsafe table.view(key: entry.key, row: entry.value, arena), of: table)
      }
      return capture.capturesRows(of: table)
    }
  }

  private mutating func deleteAllReferred(_ table: Table) throws -> Int {
    CoverageMark.hit(.allDeletedByReferrers)
    return try statement { tx in
      let keys = KeySet(width: table.layout.keyWidth)
      try tx.base.forEachBlock(of: table.rows) { block in
        for place in 0..<block.count { unsafe keys.insert(block.entries[place].key) }
        return true
      }
      return try tx.delete(keys, of: table)
    }
  }
}
