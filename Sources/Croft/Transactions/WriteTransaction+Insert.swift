import LMDB

extension WriteTransaction {
  /// Inserts a new object.
  ///
  /// - Parameter object: The object; its primary key must be free.
  /// - Throws: ``StoreError/duplicateKey(model:key:)``, ``StoreError/keyTooLong(model:field:bytes:)``,
  ///   ``StoreError/uniqueViolation(model:fields:key:existing:)`` and
  ///   ``StoreError/danglingReference(model:field:key:target:)`` leave the transaction usable;
  ///   ``StoreError/mapFull(reason:)`` and other errors of the engine end it.
  /// - Complexity: O(log *n*), and O(1) for keys that ascend; index entries are sorted and
  ///   applied later, at the latest by the commit.
  @inlinable
  public mutating func insert<M: Model>(_ object: M) throws {
    let table = try table(of: M._schema.erased)
    encode(object, table)
    try insertEncoded(table)
  }

  /// Inserts many new objects, or none of them: the bulk path.
  ///
  /// It is a ``savepoint(_:)`` of its own: where it throws, the transaction is as it was before.
  /// Its objects may refer to each other, in any order: references are looked up at its end.
  ///
  /// - Parameter objects: The objects; their primary keys must be free.
  /// - Throws: As ``insert(_:)``; whatever it is, the transaction stays usable.
  /// - Complexity: O(*m* log *n*) for *m* objects, and O(*m*) for keys that ascend, beside the
  ///   index entries, which are sorted and applied at the latest by the commit. Objects whose
  ///   keys come in no order are sorted first, some megabytes at a time.
  @inlinable
  public mutating func insert<M: Model>(contentsOf objects: some Sequence<M>) throws {
    try writeMany { tx in
      let table = try tx.table(of: M._schema.erased)
      tx.beginBulkInsert()
      for object in objects {
        tx.encode(object, table)
        try tx.appendEncoded(table)
      }
      try tx.endBulkInsert(table)
    }
  }

  /// Writes an object's key and row into the encoder.
  @inlinable
  mutating func encode<M: Model>(_ object: M, _ table: Table) {
    encoder.encode(object, table.layout)
  }

  /// Writes the encoder's row as a new one.
  @usableFromInline
  mutating func insertEncoded(_ table: Table) throws {
    do { try insertRow(table) } catch { throw failing(error) }
  }

  /// The same without turning errors into what the caller sees.
  mutating func insertRow(_ table: Table) throws {
    try table.insert(&encoder, in: &base, context)
    hasChanges = true
  }

  /// Begins a bulk insert; rows that one before it left when it failed are forgotten.
  @usableFromInline
  mutating func beginBulkInsert() { pending.clear() }

  /// Adds the encoder's row to a bulk insert.
  @usableFromInline
  mutating func appendEncoded(_ table: Table) throws {
    try table.append(&encoder, to: &pending, in: &base, context)
    hasChanges = true
  }

  /// Writes what is left of a bulk insert.
  @usableFromInline
  mutating func endBulkInsert(_ table: Table) throws {
    try table.write(&pending, in: &base, context)
  }
}
