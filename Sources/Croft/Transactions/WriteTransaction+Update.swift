import LMDB

extension WriteTransaction {
  /// Changes one object, found by its primary key.
  ///
  /// If the closure throws, the error is rethrown, and the object stays unchanged.
  ///
  /// - Returns: The object afterwards, or nil where no object has this key.
  /// - Throws: ``StoreError/primaryKeyChanged(model:key:)`` leaves the transaction usable;
  ///   errors of the engine end it.
  /// - Complexity: O(log *n*). An object that stays equal is not written.
  @discardableResult
  @inlinable
  public mutating func update<M: Model>(
    _ model: M.Type, _ key: M.PrimaryKey, _ change: (inout M) throws -> Void
  ) throws -> M? {
    probe.count = 0
    key.appendKey(to: &probe)
    do { return try updateProbed(change) } catch { throw failing(error) }
  }

  /// Changes all objects of a query, or none of them; one is in memory at a time.
  ///
  /// It is a ``savepoint(_:)`` of its own: if it throws, its changes are rolled back.
  ///
  /// - Parameters:
  ///   - query: The query; it is run before the first change.
  ///   - change: Changes an object in place; if it throws, the error is rethrown, and no object is
  ///     changed.
  /// - Returns: How many objects the query had.
  /// - Throws: As ``update(_:_:_:)``; whatever it is, the transaction stays usable.
  /// - Complexity: O(*m* log *n*) for *m* objects, beside the query itself. In memory are their
  ///   keys, with up to twelve bytes more each.
  @discardableResult
  public mutating func update<M: Model>(
    _ query: Query<M>, _ change: (inout M) throws -> Void
  ) throws -> Int {
    try writeMany { tx in
      let table = try tx.table(of: M._schema.erased)
      let keys = try tx.keys(of: query.core, table)
      for place in 0..<keys.count {
        tx.probe.count = 0
        unsafe tx.probe.append(contentsOf: keys[place])
        _ = try tx.updateProbed(change) as M?
      }
      return keys.count
    }
  }

  mutating func keys(of query: QueryCore, _ table: Table) throws -> ByteList {
    try QueryRun(plan(query, table)).resultKeys(in: base)
  }

  /// Changes the object whose key's code is in ``probe``.
  @inlinable
  mutating func updateProbed<M: Model>(_ change: (inout M) throws -> Void) throws -> M? {
    if lastModel != ObjectIdentifier(M.self) {
      try choose(ObjectIdentifier(M.self), M._schema.erased)
    }
    var result: M?
    try rewriteProbed { old, encoder, layout in
      var object = try M(_record: &old)
      do { try change(&object) } catch { throw CallbackError(underlying: error) }
      encoder.encode(object, layout)
      result = object
    }
    return result
  }

  /// Lets a closure read the row whose key is in ``probe``, if there is one, and encode its successor.
  ///
  /// The row is one of the model that was chosen.
  @usableFromInline
  mutating func rewriteProbed(
    _ body: (inout _RecordDecoder, inout _RecordEncoder, RecordLayout) throws -> Void
  ) throws {
    try checkUsable()
    // Safety: the catalog holds the table.
    try unsafe lastTable?._withUnsafeGuaranteedRef { try rewriteProbed(of: $0, body) }
  }

  @inline(__always)
  private mutating func rewriteProbed(
    of table: Table,
    _ body: (inout _RecordDecoder, inout _RecordEncoder, RecordLayout) throws -> Void
  ) throws {
    // Safety: the view is copied before anything is written.
    guard let found = try unsafe table.findRow(probe.bytes, in: base, context) else { return }
    let old = copying(found)
    var decoder = _RecordDecoder(layout: table.layout)
    decoder.move(to: old)
    try body(&decoder, &encoder, table.layout)
    try table.complete(&encoder, replacing: old)
    guard unsafe ByteList.compare(encoder.key.bytes, probe.bytes) == 0 else {
      throw unsafe StoreError.primaryKeyChanged(
        model: table.schema.name, key: table.schema.describe(key: probe.bytes))
    }
    if unsafe ByteList.compare(encoder.row.bytes, old.rowBytes) != 0 { try replaceRow(old, table) }
  }

  /// Writes the encoder's row in the place of an old one, of which the caller has a copy.
  mutating func replaceRow(_ old: RecordView, _ table: Table) throws {
    try table.write(&encoder, replacing: old, in: &base, context)
    hasChanges = true
  }

  /// Copies a row out of the tree, whose bytes move when it changes.
  mutating func copying(_ row: RecordView) -> RecordView {
    replaced.count = 0
    unsafe replaced.append(contentsOf: row.keyBytes)
    unsafe replaced.append(contentsOf: row.rowBytes)
    // Safety: the buffer holds the key and, after it, the row.
    return unsafe RecordView(
      key: UnsafeRawPointer(replaced.base), keyCount: row.keyCount,
      row: UnsafeRawPointer(replaced.base + row.keyCount), rowCount: row.rowCount,
      isWide: row.isWide)
  }

  /// Writes an object that is stored already, in every property that differs.
  ///
  /// ```swift
  /// var changed = item
  /// changed.title = "Milk and bread"
  /// try tx.update(changed)
  /// ```
  /// What others have changed in the object since it was read is overwritten. To keep it, change the stored
  /// object, with `update(Ref(item)) { $0.title = "Milk and bread" }`, or merge, with ``upsert(_:_:)``.
  ///
  /// - Parameter object: The object; its primary key finds the stored one.
  /// - Throws: ``StoreError/staleObject(model:fields:key:)`` without fields where no object has its primary
  ///   key, ``StoreError/uniqueViolation(model:fields:key:existing:)``,
  ///   ``StoreError/keyTooLong(model:field:bytes:)`` and
  ///   ``StoreError/danglingReference(model:field:key:target:)``, which leave the transaction usable;
  ///   errors of the engine and ``StoreError/corrupt(model:key:reason:)`` for a damaged stored object, which
  ///   ``upsert(_:_:)`` replaces, end it.
  /// - Complexity: O(log *n*). An object that stays equal is not written.
  public mutating func update<M: Model>(_ object: M) throws {
    let table = try table(of: M._schema.erased)
    do {
      encode(object, table)
      try updateEncoded(table)
    } catch { throw failing(error) }
  }

  /// Changes the object that a reference names.
  ///
  /// ```swift
  /// let done = try tx.update(Ref(item)) { $0.isDone = true }
  /// ```
  ///
  /// - Parameters:
  ///   - reference: The reference; of an object that the program holds, `Ref(object)`.
  ///   - change: Changes the object in place; if it throws, the error is rethrown, and the object
  ///     stays unchanged.
  /// - Returns: The object afterwards.
  /// - Throws: ``StoreError/staleObject(model:fields:key:)`` without fields where it has been deleted since,
  ///   ``StoreError/primaryKeyChanged(model:key:)``,
  ///   ``StoreError/uniqueViolation(model:fields:key:existing:)`` and
  ///   ``StoreError/danglingReference(model:field:key:target:)``, which leave the transaction usable;
  ///   errors of the engine end it.
  /// - Complexity: O(log *n*). An object that stays equal is not written.
  @discardableResult
  public mutating func update<M: Model>(
    _ reference: Ref<M>, _ change: (inout M) throws -> Void
  ) throws -> M {
    guard let updated = try update(M.self, reference.key, change) else {
      // Safety: the probe holds the key's code, and does not change meanwhile.
      throw unsafe StoreError.staleObject(
        model: M._schema.erased.name, fields: [], key: M._schema.erased.describe(key: probe.bytes))
    }
    return updated
  }

  /// Changes the stored object of a copy; not offered, because it ignores the changes of the copy.
  @available(
    *, unavailable,
    message:
      "change the stored object, update(Ref(object)) { $0.title = … }, or write this one, update(object)"
  )
  public mutating func update<M: Model>(
    _ object: M, _ change: (inout M) throws -> Void
  ) throws -> M { try update(Ref(object), change) }

  /// Sets one property of all objects of a query, or of none of them, without making any.
  ///
  /// ```swift
  /// try tx.update(TodoItem.where { $0.isDone }, set: \.priority, to: .none)
  /// ```
  /// The value's bytes are patched into each row; of the other columns only those of its indexes
  /// are read. It is a ``savepoint(_:)`` of its own: if it throws, its changes are rolled back.
  ///
  /// - Parameters:
  ///   - query: The query; it is run before the first change.
  ///   - property: A stored property that is not the primary key.
  ///   - value: The new value for all of the objects.
  /// - Returns: How many objects the query had. Those that had the value are not written.
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)``,
  ///   ``StoreError/danglingReference(model:field:key:target:)``, errors of the engine; the
  ///   transaction stays usable.
  /// - Precondition: The property is stored, and not the primary key.
  /// - Complexity: O(*m* log *n*) for *m* objects, beside the query itself. In memory are their
  ///   keys, with up to twelve bytes more each.
  @discardableResult
  public mutating func update<M: Model, V: Storable>(
    _ query: Query<M>, set property: KeyPath<M, V>, to value: V
  ) throws -> Int {
    try update(query, set: (property, to: value))
  }

  /// Sets several properties of all objects of a query, or of none of them, without making any.
  ///
  /// ```swift
  /// try tx.update(TodoItem.where { $0.isDone }, set: (\.priority, to: .none), (\.due, to: nil))
  /// ```
  /// Each object is written once, or not at all if it had all of the values. Otherwise it works as
  /// for one property.
  ///
  /// - Parameters:
  ///   - query: The query; it is run before the first change.
  ///   - first: A stored property that is not the primary key, and its new value for all objects.
  ///   - others: Further properties, each with its new value.
  /// - Returns: How many objects the query had.
  /// - Throws: As for one property; the transaction stays usable.
  /// - Precondition: The properties are stored, different, and not the primary key.
  /// - Complexity: O(*m* log *n*) for *m* objects, beside the query itself. In memory are their
  ///   keys, with up to twelve bytes more each.
  @discardableResult
  public mutating func update<M: Model, V: Storable, each W: Storable>(
    _ query: Query<M>, set first: (KeyPath<M, V>, to: V),
    _ others: repeat (KeyPath<M, each W>, to: each W)
  ) throws -> Int {
    var places = [ColumnPath(first.0).place]
    repeat places.append(ColumnPath((each others).0).place)
    return try writeMany { tx in
      let table = try tx.table(of: M._schema.erased)
      let patch = RecordPatch(places, table) { row in
        first.to.store(into: &row)
        repeat (each others).to.store(into: &row)
      }
      let keys = try tx.keys(of: query.core.forAggregates, table)
      for place in 0..<keys.count { try unsafe tx.apply(patch, to: keys[place], table) }
      return keys.count
    }
  }

  private mutating func apply(
    _ patch: borrowing RecordPatch, to key: UnsafeRawBufferPointer, _ table: Table
  ) throws {
    // Safety: the needed bytes of the view are copied before anything is written.
    guard let old = try unsafe table.findRow(key, in: base, context) else { return }
    if try patch.write(old, table.layout, to: &encoder) {
      try replaceRow(copying(old), table)
    }
  }
}
