import LMDB

extension WriteTransaction {
  /// Deletes one object, found by its primary key, and applies the delete rules.
  ///
  /// - Returns: Whether there was such an object.
  /// - Throws: ``StoreError/deniedByRelation(model:field:key:target:count:)`` if an object that is
  ///   not deleted denies it; then nothing is deleted and the transaction stays usable. Errors of
  ///   the engine, which end the transaction.
  /// - Complexity: O(log *n*) for each object that is deleted or changed. An object whose row is
  ///   damaged is deleted too; its index entries are then found by reading all of them.
  @discardableResult
  public mutating func delete<M: Model>(_ model: M.Type, _ key: M.PrimaryKey) throws -> Bool {
    let table = try table(of: M._schema.erased)
    probe.count = 0
    key.appendKey(to: &probe)
    do {
      if !catalog.referrers(of: table).isEmpty { return try deleteReferred(table) }
      // Safety: the probe does not change during the call.
      let isDeleted = try unsafe table.remove(probe.bytes, in: &base, context)
      if isDeleted { hasChanges = true }
      return isDeleted
    } catch { throw failing(error) }
  }

  /// Deletes the object whose key's code is in ``probe``, and applies its model's delete rules.
  private mutating func deleteReferred(_ table: Table) throws -> Bool {
    // Safety: the probe does not change during the call.
    guard try unsafe base.get(RawSpan(_unsafeBytes: probe.bytes), in: table.rows) != nil else {
      return false
    }
    let keys = ByteSet()
    unsafe keys.insert(probe.bytes)
    // Its rows are written one after the other, and it may be ended between them.
    guard base.mayEnd else { return try delete(keys, of: table) > 0 }
    return try statement(isInner: true) { tx in try tx.delete(keys, of: table) > 0 }
  }

  /// Deletes all objects of a query, without making any, or none where it throws.
  ///
  /// It is a ``savepoint(_:)`` of its own: if it throws, the transaction is unchanged. Delete rules
  /// are applied as for one delete: an object that is deleted with the others denies nothing.
  ///
  /// - Parameter query: The query; its offset and limit apply.
  /// - Returns: How many objects of the query's model were deleted, including those that a cascade
  ///   within the model deleted; objects of other models are not counted.
  /// - Throws: ``StoreError/deniedByRelation(model:field:key:target:count:)``;
  ///   ``StoreError/corrupt(model:key:reason:)`` for an object whose row cannot be read, because it may
  ///   not be one of the query's: delete it by its key, or all objects with ``deleteAll(_:)``; errors of
  ///   the engine. The transaction stays usable.
  /// - Complexity: O(*m* log *n*) for *m* objects, beside the query itself. In memory are their
  ///   keys, with up to twelve bytes more each (forty where another model refers to this one),
  ///   for each index 64 MiB of entries at most, and while a tree of up to 64 MiB is rewritten,
  ///   because half of it or more is deleted, a copy of its rows; never objects.
  @discardableResult
  public mutating func delete<M: Model>(_ query: Query<M>) throws -> Int {
    try delete(query.core, of: M._schema.erased)
  }

  /// Deletes all objects of a query about a model, or none where it throws.
  mutating func delete(_ query: QueryCore, of schema: Schema) throws -> Int {
    try statement { tx in
      let table = try tx.table(of: schema)
      let core = query.forAggregates
      let run = try QueryRun(tx.plan(core, table))
      guard tx.catalog.referrers(of: table).isEmpty else {
        let keys = ByteSet()
        try run.forEach(in: tx.base) { row in
          unsafe keys.insert(row.keyBytes)
          return true
        }
        return try tx.delete(keys, of: table)
      }
      var keys = ByteList()
      var unindexed = 0
      var damaged: ByteSet?
      try run.forEach(in: tx.base) { row in
        // Nothing can be written during the walk: rows that find a full buffer are read again.
        if unindexed == keys.count, !tx.context.isFull(for: table) {
          try table.unindex(row, tx.context)
          unindexed += 1
        }
        unsafe keys.append(row.keyBytes)
        return true
      }
      try table.unindex(keys, from: unindexed, in: &tx.base, tx.context, &damaged)
      if !core.order.isEmpty { keys.sort() }
      try table.removeUnindexed(keys, damaged, in: &tx.base, tx.context)
      if keys.count > 0 { tx.hasChanges = true }
      return keys.count
    }
  }

  /// Deletes all objects of a model.
  ///
  /// - Returns: How many objects there were.
  /// - Throws: ``StoreError/deniedByRelation(model:field:key:target:count:)`` if an object of
  ///   another model denies it; then nothing is deleted and the transaction stays usable. Errors of
  ///   the engine, which end the transaction.
  /// - Complexity: O(pages) where no other model refers to an object: none is read then.
  @discardableResult
  public mutating func deleteAll<M: Model>(_ model: M.Type) throws -> Int {
    let table = try table(of: M._schema.erased)
    do {
      let count = try base.count(of: table.rows)
      guard count > 0 else { return 0 }
      if try isReferredTo(table) { return try deleteAllReferred(table) }
      try table.removeAll(in: &base, context)
      hasChanges = true
      return count
    } catch { throw failing(error) }
  }

  /// Deletes all objects of all models that the transaction knows, whatever delete rules say.
  mutating func eraseAll() throws {
    try statement { tx in
      for table in tx.catalog.all where try tx.base.count(of: table.rows) > 0 {
        try table.removeAll(in: &tx.base, tx.context)
        tx.hasChanges = true
      }
    }
  }

  /// Deletes all objects of a model to some of which others refer.
  private mutating func deleteAllReferred(_ table: Table) throws -> Int {
    CoverageMark.hit(.allDeletedByReferrers)
    return try statement(isInner: true) { tx in
      let keys = ByteSet()
      try tx.base.forEachBlock(of: table.rows) { block in
        for place in 0..<block.count { unsafe keys.insert(block.entries[place].key) }
        return true
      }
      return try tx.delete(keys, of: table)
    }
  }

  /// Deletes the stored object of one that the program holds, found by its primary key.
  ///
  /// - Parameter object: The object, as it was fetched or inserted; only its primary key counts.
  /// - Returns: Whether it was still there.
  /// - Throws: As ``delete(_:_:)``.
  /// - Complexity: O(log *n*) for each object that is deleted or changed.
  @discardableResult
  public mutating func delete<M: Model>(_ object: M) throws -> Bool {
    try delete(M.self, object._primaryKey)
  }

  /// Deletes the object that a reference names.
  ///
  /// - Returns: Whether the object was still there.
  /// - Throws: As ``delete(_:_:)``.
  /// - Complexity: O(log *n*) for each object that is deleted or changed.
  @discardableResult
  public mutating func delete<M: Model>(_ reference: Ref<M>) throws -> Bool {
    try delete(M.self, reference.key)
  }
}
