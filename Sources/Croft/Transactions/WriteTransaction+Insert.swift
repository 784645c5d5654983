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
      tx.beginRun()
      for object in objects {
        tx.encode(object, table)
        try tx.takeEncoded(table)
      }
      try tx.insertRun(table)
    }
  }

  /// Writes an object's key and row into the encoder.
  @inlinable
  mutating func encode<M: Model>(_ object: M, _ table: Table) {
    encoder.encode(object, table.layout)
  }

  /// Puts the encoder's row into the trees.
  @usableFromInline
  mutating func insertEncoded(_ table: Table) throws {
    do { try insertRow(table) } catch { throw failing(error) }
  }

  /// Every value must have bytes, and the key's code leave room for columns in an index entry.
  ///
  /// It is mutating because a call on a transaction that is only borrowed copies it.
  mutating func checkKey(_ table: Table) throws {
    if let failure = encoder.failure {
      throw StoreError.cannotEncode(
        model: table.schema.name, field: failure.field, reason: failure.reason)
    }
    guard encoder.key.count <= KeyCode.longestPrimaryKey else {
      throw StoreError.keyTooLong(
        model: table.schema.name, field: table.schema.key.name, bytes: encoder.key.count)
    }
  }
}

extension Table {
  /// The most bytes of a row: LMDB keeps a value's length, with the checksum, in 32 bits.
  static let longestRow = Int(UInt32.max) - Checksum.size

  /// Throws when a row is longer than that, which LMDB would refuse without naming the object.
  func checkLength(of row: borrowing _RowEncoder) throws {
    guard row.row.count <= Self.longestRow else {
      throw unsafe StoreError.objectTooLarge(
        model: schema.name, key: schema.describe(key: row.key.bytes), bytes: row.row.count)
    }
  }
}

extension RowView {
  /// The encoder's row, which needs no check.
  init(_ encoder: borrowing _RowEncoder) {
    // Safety: the view is used before the encoder is written again.
    unsafe key = UnsafeRawPointer(encoder.key.base)
    unsafe row = UnsafeRawPointer(encoder.row.base)
    keyCount = encoder.key.count
    rowCount = encoder.row.count
    isWide = encoder.isWide
  }
}
