import LMDB

// From a row to the objects it refers to, and from an object to the rows that refer to it.

extension Table {
  /// Lends the key codes of the objects that a row refers to by a column, with their places.
  ///
  /// - Parameters:
  ///   - reference: A column of this model.
  ///   - row: A row of its layout.
  ///   - body: Gets a reference's place in its collection, and the code, lent for the call.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's ends lie.
  func forEachTarget(
    of reference: ForeignKey, in row: RowView,
    _ body: (Int, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let column = layout.columns[reference.column]
    var code = _ByteBuffer()
    guard column.storage.collection != nil else {
      guard column.isPresent(in: row) else { return }
      try code.appendCode(of: column, in: row, layout: layout, cut: nil)
      let mark = column.storage.isOptional ? 1 : 0
      // Safety: the code lives until the closure returns.
      return try unsafe body(0, UnsafeRawBufferPointer(rebasing: code.bytes[mark...]))
    }
    guard let collection = try column.collection(in: row, layout) else { return }
    for element in 0..<collection.count where collection.isPresent(element) {
      code.count = 0
      guard code.appendCode(of: element, in: collection, column.storage, cut: nil) else {
        throw column.badEnds(in: row, layout)
      }
      let mark = column.storage.isElementOptional ? 1 : 0
      try unsafe body(element, UnsafeRawBufferPointer(rebasing: code.bytes[mark...]))
    }
  }

  /// Lends the primary keys of the objects that refer to a key by a column of this model.
  ///
  /// The index's buffered changes must be in the tree. An object comes once, however often it
  /// refers to the key.
  ///
  /// - Parameters:
  ///   - key: The key code of the object referred to.
  ///   - reference: A column of this model.
  ///   - transaction: The transaction to read in; nothing may be written to it meanwhile.
  ///   - body: Returns false to stop.
  func forEachReferrer(
    to key: UnsafeRawBufferPointer, by reference: ForeignKey,
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    let index = reference.index
    try transaction.forEachBlock(
      of: index.entries, in: unsafe entries(to: key, by: reference)
    ) { block in
      for place in 0..<block.count {
        let referrer = try unsafe primaryKey(of: block.entries[place], in: index)
        guard try unsafe body(referrer) else { return false }
      }
      return true
    }
  }

  /// The index entries of the objects that refer to a key by a column of this model.
  func entries(to key: UnsafeRawBufferPointer, by reference: ForeignKey) -> KeyRange {
    .prefix(unsafe (isMarked(reference) ? [1] : []) + [UInt8](key))
  }

  /// The index entries of all objects that refer to any key by a column of this model.
  func entriesOfReferences(by reference: ForeignKey) -> KeyRange {
    isMarked(reference) ? .prefix([1]) : .all
  }

  /// Whether a code in the column starts with a byte that tells nil from a reference.
  func isMarked(_ reference: ForeignKey) -> Bool {
    let storage = layout.columns[reference.column].storage
    return storage.collection == nil ? storage.isOptional : storage.isElementOptional
  }
}

extension ColumnLayout {
  /// The column's collection in a row, or nil where it has none.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for bytes that are no collection.
  func collection(in row: RowView, _ layout: RowLayout) throws -> CollectionView? {
    guard isPresent(in: row) else { return nil }
    guard let collection = unsafe CollectionView(try bytes(in: row, layout), storage) else {
      throw badEnds(in: row, layout)
    }
    return collection
  }

  /// The error for bytes of this column that are no value of its kind.
  func badEnds(in row: RowView, _ layout: RowLayout) -> StoreError {
    .corrupt(
      model: layout.schema.name, key: unsafe layout.schema.describe(key: row.keyBytes),
      reason: "the ends in its \(layout.names[index]) do not fit")
  }
}
