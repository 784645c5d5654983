import LMDB

/// How an upsert treats a stored object that has the same primary key.
public enum UpsertPolicy<M: Model>: Sendable {
  /// Refuses: it throws ``StoreError/duplicateKey(model:fields:key:)``, as an insert does.
  case error
  /// Replaces it in every property that differs.
  case replace
  /// Writes only the properties that differ from this earlier copy; the others stay as stored.
  ///
  /// If two programs read one object, change different properties and save it with this policy, no
  /// change is lost. If both change the same property, the last save wins.
  case merge(from: M)
  /// Merges, unless the object was changed in the same properties since, or deleted.
  ///
  /// It throws ``StoreError/staleObject(model:fields:key:)`` then, so that a user who edits the
  /// object can decide. It is not a conflict if both changes of a property have the same value.
  case mergeUnlessStale(from: M)
}

/// The result of an upsert.
public enum UpsertResult: Hashable, Sendable {
  /// There was no object with this key.
  case inserted
  /// The object was replaced; the properties that differ, in declaration order.
  case updated(changed: [String])
  /// The object was there already, equal in every property.
  case unchanged
}

extension WriteTransaction {
  /// Inserts an object, or changes the one with its primary key as a policy says.
  ///
  /// ```swift
  /// var draft = item                             // as it was read, some time ago
  /// draft.title = "Milk and bread"
  /// try tx.upsert(draft, .merge(from: item))     // .updated(changed: ["title"])
  /// ```
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - policy: How a stored object with the same primary key is treated; by default it is
  ///     replaced. If there is no such object (any more), every policy except
  ///     ``UpsertPolicy/mergeUnlessStale(from:)`` inserts this one.
  /// - Returns: What was done, and which properties of the stored object changed. A damaged object
  ///   that is replaced counts as inserted.
  /// - Throws: ``StoreError/keyTooLong(model:field:bytes:)``; ``StoreError/duplicateKey(model:fields:key:)``
  ///   by the policy ``UpsertPolicy/error``; ``StoreError/primaryKeyChanged(model:key:)`` when
  ///   the copy to merge from has another primary key; ``StoreError/staleObject(model:fields:key:)``
  ///   by the policy ``UpsertPolicy/mergeUnlessStale(from:)``;
  ///   ``StoreError/uniqueViolation(model:fields:key:existing:)`` and
  ///   ``StoreError/danglingReference(model:field:key:target:)``. They leave the transaction
  ///   usable; errors of the engine end it.
  /// - Complexity: O(log *n*). An object that stays equal is not written.
  @discardableResult
  public mutating func upsert<M: Model>(
    _ object: M, _ policy: UpsertPolicy<M> = .replace
  ) throws -> UpsertResult {
    let table = try table(of: M._schema.erased)
    do {
      switch policy {
      case .error:
        encode(object, table)
        try insertRow(table)
        return .inserted
      case .replace:
        encode(object, table)
        return try upsertEncoded(table)
      case .merge(let original), .mergeUnlessStale(let original):
        encode(original, table)
        var earlier = _RecordEncoder()
        swap(&earlier, &encoder)
        encode(object, table)
        var refusesStale = false
        if case .mergeUnlessStale = policy { refusesStale = true }
        return try upsertEncoded(table, changedFrom: earlier, refusesStale: refusesStale)
      }
    } catch { throw failing(error) }
  }

  /// Inserts many objects, or replaces those with their primary keys; all of them or none.
  ///
  /// It is a ``savepoint(_:)`` of its own: where it throws, all its changes are rolled back. Its objects
  /// may refer to each other, in any order: references are looked up at its end.
  ///
  /// ```swift
  /// let results = try tx.upsert(contentsOf: covers)
  /// let added = results.count { $0 == .inserted }
  /// ```
  ///
  /// - Parameter objects: The objects; of two with one primary key the later one stays.
  /// - Returns: What was done with each object, in their order.
  /// - Throws: As ``upsert(_:_:)``; whatever it is, the transaction stays usable.
  /// - Complexity: O(*m* log *n*) for *m* objects. Objects that stay equal are not written.
  @discardableResult
  public mutating func upsert<M: Model>(
    contentsOf objects: some Sequence<M>
  ) throws -> [UpsertResult] {
    try writeMany { tx in try objects.map { try tx.upsert($0) } }
  }

  /// Inserts the encoder's row, or replaces the one with its key.
  ///
  /// A damaged row is removed with its index entries, so that the new one is inserted.
  private mutating func upsertEncoded(_ table: Table) throws -> UpsertResult {
    let stored: RecordView?
    do {
      stored = try storedRow(table)
    } catch StoreError.corrupt(table.schema.name, .some, _) {
      return try statement(isInner: true) { tx in
        // Safety: the key is the encoder's, which the removal does not change.
        _ = try unsafe table.remove(tx.encoder.key.bytes, in: &tx.base, tx.context)
        try tx.insertRow(table)
        return .inserted
      }
    }
    guard let old = stored else {
      try insertRow(table)
      return .inserted
    }
    try table.complete(&encoder, replacing: old)
    return try replaceChanged(old, table)
  }

  /// Replaces the row with the encoder's key.
  ///
  /// - Throws: ``StoreError/staleObject(model:fields:key:)`` where there is none.
  mutating func updateEncoded(_ table: Table) throws {
    guard let old = try storedRow(table) else {
      throw unsafe table.staleObject([], encoder.key.bytes)
    }
    try table.complete(&encoder, replacing: old)
    _ = try replaceChanged(old, table)
  }

  /// The same, with the properties that did not change since an earlier row left as they are stored.
  ///
  /// - Parameters:
  ///   - earlier: The row that the properties changed from.
  ///   - refusesStale: Whether it throws when the stored row changed from that row in one of them.
  private mutating func upsertEncoded(
    _ table: Table, changedFrom earlier: borrowing _RecordEncoder, refusesStale: Bool
  ) throws -> UpsertResult {
    guard unsafe ByteList.compare(earlier.key.bytes, encoder.key.bytes) == 0 else {
      throw unsafe StoreError.primaryKeyChanged(
        model: table.schema.name, key: table.schema.describe(key: earlier.key.bytes))
    }
    guard let old = try storedRow(table) else {
      if refusesStale { throw unsafe table.staleObject([], encoder.key.bytes) }
      try insertRow(table)
      return .inserted
    }
    var merged = _RecordEncoder()
    let (before, after) = (earlier.view, encoder.view)
    let (layout, properties) = (table.layout, table.schema.propertyPlaces)
    // An embedded struct is one property: columns of two values of it would make a third.
    let changed = try table.changedProperties(from: before, to: after)
    if refusesStale {
      let stale = try table.changedProperties(from: before, to: old)
        .intersection(table.changedProperties(from: old, to: after)).intersection(changed)
      if !stale.isEmpty { throw unsafe table.staleObject(stale.sorted(), encoder.key.bytes) }
    }
    // Safety: neither row changes until the merged one is assembled.
    try unsafe merged.assemble(layout, key: old.keyBytes) { column in
      let isStored =
        column.index >= properties.count || !changed.contains(properties[column.index])
      return try unsafe column.storedBytes(in: isStored ? old : after, layout)
    }
    swap(&merged, &encoder)
    return try replaceChanged(old, table)
  }

  private mutating func storedRow(_ table: Table) throws -> RecordView? {
    try table.checkKey(of: encoder)
    // Safety: callers copy the view before anything is written.
    return try unsafe table.findRow(encoder.key.bytes, in: base, context)
  }

  /// Puts the encoder's row in the place of a stored one, if they differ.
  private mutating func replaceChanged(
    _ old: RecordView, _ table: Table
  ) throws -> UpsertResult {
    let changed = try table.changedColumns(from: old, to: encoder.view)
    if changed.isEmpty { return .unchanged }
    try replaceRow(copying(old), table)
    return .updated(changed: changed.map { table.schema.columns[$0].name })
  }
}

extension Table {
  /// The places of the program's columns in which two rows differ, in declaration order.
  fileprivate func changedColumns(from old: RecordView, to new: RecordView) throws -> [Int] {
    try schema.columns.indices.filter { try !layout.columns[$0].isSame(in: old, new, layout) }
  }

  /// The places of the program's properties in which two rows differ.
  fileprivate func changedProperties(from old: RecordView, to new: RecordView) throws -> Set<Int> {
    Set(try changedColumns(from: old, to: new).map { schema.propertyPlaces[$0] })
  }

  /// The error for an object that is not the one that was read, with the properties that changed.
  fileprivate func staleObject(_ places: [Int], _ key: UnsafeRawBufferPointer) -> StoreError {
    let names = places.map { String(schema.columns[$0].name.prefix { $0 != "." }) }
    return unsafe .staleObject(model: schema.name, fields: names, key: schema.describe(key: key))
  }
}
