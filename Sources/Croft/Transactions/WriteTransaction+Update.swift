import LMDB

extension WriteTransaction {
  /// Changes one object, found by its primary key.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of its primary key.
  ///   - change: Changes the object in place; what it throws, this throws, and the object
  ///     stays as it was.
  /// - Returns: The object afterwards, or nil where no object has this key.
  /// - Throws: ``StoreError/primaryKeyChanged(model:key:)`` leaves the transaction usable;
  ///   errors of the engine end it.
  /// - Complexity: O(log *n*). An object that stays equal is not written.
  @discardableResult
  @inlinable
  public mutating func update<M: Model>(
    _ model: M.Type, _ key: M.PrimaryKey, _ change: (inout M) throws -> Void
  ) throws -> M? {
    let table = try table(of: M._schema.erased)
    probe.count = 0
    key.appendKey(to: &probe)
    do {
      return try updateProbed(table, change)
    } catch { throw failing(error) }
  }

  /// Changes all objects of a query, or none of them; one is in memory at a time.
  ///
  /// It is a ``savepoint(_:)`` of its own: where it throws, the transaction is as it was before.
  ///
  /// - Parameters:
  ///   - query: The query; it is settled before the first change.
  ///   - change: Changes an object in place; what it throws, this throws, and no object is
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
        _ = try tx.updateProbed(table, change) as M?
      }
      return keys.count
    }
  }

  /// The primary keys of a query's objects, in its order.
  mutating func keys(of query: QueryCore, _ table: Table) throws -> KeyList {
    let run = try QueryRun(plan(query, table))
    var keys = KeyList(width: table.layout.keyWidth)
    try run.forEach(in: base) { row in
      unsafe keys.append(row.keyBytes)
      return true
    }
    return keys
  }

  /// Changes the object whose key's code is in ``probe``.
  @inlinable
  mutating func updateProbed<M: Model>(
    _ table: Table, _ change: (inout M) throws -> Void
  ) throws -> M? {
    var result: M?
    try rewriteProbed(table) { old, encoder in
      var object = try M(_row: &old)
      do { try change(&object) } catch { throw ChangeError(underlying: error) }
      encoder.encode(object, table.layout)
      result = object
    }
    return result
  }

  /// Lets a closure read the row whose key is in ``probe``, if there is one, and encode its successor.
  @usableFromInline
  mutating func rewriteProbed(
    _ table: Table, _ body: (inout _RowDecoder, inout _RowEncoder) throws -> Void
  ) throws {
    // Safety: the view is copied before anything is written.
    guard let found = try unsafe findRow(probe.bytes, table) else { return }
    let old = copying(found)
    var decoder = _RowDecoder(layout: table.layout)
    decoder.move(to: old)
    try body(&decoder, &encoder)
    try checkKey(table)
    try table.encodeHidden(&encoder, from: old)
    guard unsafe KeySort.compare(encoder.key.bytes, probe.bytes) == 0 else {
      throw unsafe StoreError.primaryKeyChanged(
        model: table.schema.name, key: table.schema.describe(key: probe.bytes))
    }
    if unsafe KeySort.compare(encoder.row.bytes, old.rowBytes) != 0 { try replaceRow(old, table) }
  }

  /// Copies a row out of the tree, whose bytes move when it changes.
  mutating func copying(_ row: RowView) -> RowView {
    replaced.count = 0
    unsafe replaced.append(contentsOf: row.keyBytes)
    unsafe replaced.append(contentsOf: row.rowBytes)
    // Safety: the buffer holds the key and, behind it, the row.
    return unsafe RowView(
      key: UnsafeRawPointer(replaced.base), keyCount: row.keyCount,
      row: UnsafeRawPointer(replaced.base + row.keyCount), rowCount: row.rowCount,
      isWide: row.isWide)
  }
}

extension RowView {
  /// The row with the same key in another place.
  func under(_ key: UnsafeRawPointer) -> RowView {
    // Safety: the caller's copy lives as long as the view.
    var view = unsafe RowView(
      key: key, keyCount: keyCount, row: row, rowCount: rowCount, isWide: isWide)
    view.hasChecksum = hasChecksum
    return view
  }

  /// A view of bytes that were checked before.
  init(
    key: UnsafeRawPointer, keyCount: Int, row: UnsafeRawPointer, rowCount: Int, isWide: Bool
  ) {
    unsafe self.key = key
    unsafe self.row = row
    self.keyCount = keyCount
    self.rowCount = rowCount
    self.isWide = isWide
  }
}
