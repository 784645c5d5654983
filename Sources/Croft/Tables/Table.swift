import LMDB

/// A model in an open store: its layout, its rows and its indexes.
@usableFromInline
final class Table: Sendable {
  /// The catalog's number of the model.
  let id: Int
  let schema: Schema
  /// The layout in which rows are read: the program's columns, then the fields it lacks.
  @usableFromInline let layout: RecordLayout
  /// How rows of other layouts become rows of this one, by their layout's id.
  let transcoders: [UInt16: RecordTranscoder]
  /// The values of the hidden columns in new rows, in their order.
  let hiddenValues: [HiddenValue]
  /// The places of hidden columns that mark structs as present which the program requires.
  let structMarks: [Int]
  let rows: StoredTree<RecordView>
  /// The indexes of all kinds.
  let indexes: [any TableIndex]
  /// Those with entries for each row.
  let entryIndexes: [EntryIndex]
  /// The columns that these entries are made of.
  private let indexed: [ColumnLayout]
  /// The slots of their writers in a transaction, and of the other indexes' writers.
  let writers: (entries: Range<Int>, others: Range<Int>)
  /// The columns of references, those of hidden fields among them.
  let references: [ForeignKey]
  /// Whether a row can violate a unique index or a reference.
  let isConstrained: Bool
  /// The number of each column's field, where the model is replicated; else empty.
  let replicatedFields: [UInt16]

  init(
    id: Int, schema: Schema, layout: RecordLayout, transcoders: [UInt16: RecordTranscoder] = [:],
    hiddenValues: [HiddenValue] = [], structMarks: [Int] = [], rows: StoredTree<RecordView>,
    indexes: [any TableIndex], references: [ForeignKey] = [], replicatedFields: [UInt16] = []
  ) {
    self.id = id
    self.references = references
    self.replicatedFields = replicatedFields
    entryIndexes = indexes.compactMap { $0 as? EntryIndex }
    indexed = entryIndexes.flatMap(\.sources)
    let others = indexes.filter { !($0 is EntryIndex) }
    func slots(_ indexes: [any TableIndex]) -> Range<Int> {
      let first = indexes.first?.status.slot ?? 0
      return first..<first + indexes.count
    }
    writers = (slots(entryIndexes), slots(others))
    isConstrained = !references.isEmpty || indexes.contains(where: \.status.definition.isUnique)
    self.schema = schema
    self.layout = layout
    self.transcoders = transcoders
    self.hiddenValues = hiddenValues
    self.structMarks = structMarks
    self.rows = rows
    self.indexes = indexes
  }

  /// Whether changes of the model's objects are put into the outbox.
  var isReplicated: Bool { !replicatedFields.isEmpty }
}

// MARK: - Writing a row

/// The write path: every change of a row, of its index entries and of captured changes.
///
/// ``write(_:replacing:in:_:)`` serves insert, replace, upsert, set, nullified references and
/// migration, and ``write(_:in:_:)`` the rows of a bulk insert, which it sorts first;
/// ``remove(_:in:_:)`` serves delete and cascade. No other function writes a row but ``load(_:in:)``, which fills
/// a new file from a dump, and only an ``IndexWriter`` writes to an index.
extension Table {
  /// Writes a new row; the encoder holds the object's columns.
  ///
  /// - Throws: ``StoreError/cannotEncode(model:field:reason:)`` and
  ///   ``StoreError/keyTooLong(model:field:bytes:)``, and as ``write(_:replacing:in:_:)``.
  func insert(
    _ encoder: inout _RecordEncoder, in transaction: inout LMDB.WriteTransaction,
    _ context: borrowing WriteTransaction.Context
  ) throws {
    try complete(&encoder, replacing: nil)
    try write(&encoder, replacing: nil, in: &transaction, context)
  }

  /// Checks an encoded object, and encodes the columns that the program does not declare.
  ///
  /// A statement that replaces a row calls this before ``write(_:replacing:in:_:)``, so that it can
  /// compare the two rows and leave an equal one unwritten.
  ///
  /// - Parameters:
  ///   - encoder: Holds the object's columns.
  ///   - old: The row to be replaced, whose undeclared columns are kept; nil for an insert.
  func complete(_ encoder: inout _RecordEncoder, replacing old: RecordView?) throws {
    try checkKey(of: encoder)
    try encodeHidden(&encoder, from: old)
  }

  /// Writes an encoded row: encodes, checks, puts, indexes and captures, in this order.
  ///
  /// - Parameters:
  ///   - encoder: Holds all columns of the row; see ``complete(_:replacing:)``.
  ///   - old: A copy of the stored row with the same key; nil for an insert.
  /// - Throws: ``StoreError/objectTooLarge(model:key:bytes:)``,
  ///   ``StoreError/uniqueViolation(model:fields:key:existing:)``,
  ///   ``StoreError/danglingReference(model:field:key:target:)`` and, for an insert,
  ///   ``StoreError/duplicateKey(model:fields:key:)``; nothing is written then.
  func write(
    _ encoder: inout _RecordEncoder, replacing old: RecordView?,
    in transaction: inout LMDB.WriteTransaction, _ context: borrowing WriteTransaction.Context
  ) throws {
    // 1. Encode.
    markStructs(in: &encoder)
    try checkLength(of: encoder)
    let row = encoder.view
    // 2. Check unique values and references.
    if isConstrained { try check(row, replacing: old, in: transaction, context) }
    // 3. Put the row.
    if old == nil {
      guard try transaction.insert(&encoder, into: rows) else {
        throw unsafe duplicateKey(encoder.key.bytes)
      }
    } else {
      try transaction.replace(&encoder, in: rows)
    }
    // 4. Index it; a migration captures the change itself.
    guard context.catalog != nil else { return }
    let keepsEntries = try old.map { old in
      try indexed.allSatisfy { try $0.isSame(in: old, row, layout) }
    }
    try context.forEachWriter(of: self, exceptOfEntries: keepsEntries == true) {
      try $0.put(row, replacing: old, in: &transaction)
    }
    // 5. Capture the change.
    try context.withChanges { changes in
      changes.write(row, replacing: old, of: self)
      if changes.isFull { try changes.flush(to: &transaction) }
    }
  }

  /// Throws where a row that is about to be written violates a unique index or a reference.
  @inline(never)
  private func check(
    _ row: RecordView, replacing old: RecordView?, in transaction: borrowing LMDB.WriteTransaction,
    _ context: borrowing WriteTransaction.Context
  ) throws {
    guard let catalog = context.catalog else { return }
    try context.forEachWriter(of: self) {
      try $0.check(row, replacing: old, in: transaction, context.arena)
    }
    try checkReferences(of: row, replacing: old, in: transaction, context.targets, catalog)
  }

  /// Finds the row that a statement is to replace or delete, borrowed until something is written.
  ///
  /// The writer's cursor stays on it, so that the write need not search again.
  func findRow(
    _ key: UnsafeRawBufferPointer, in transaction: borrowing LMDB.WriteTransaction,
    _ context: borrowing WriteTransaction.Context
  ) throws -> RecordView? {
    context.arena.clear()
    // Safety: the caller keeps the key valid, and copies what it needs before anything is written.
    guard let row = try unsafe transaction.find(RawSpan(_unsafeBytes: key), in: rows) else {
      return nil
    }
    let view = try unsafe view(key: key, row: row.withUnsafeBytes { unsafe $0 }, context.arena)
    // A damaged row must not be rewritten with a checksum that fits.
    try view.checkSum(layout)
    return view
  }
}

// MARK: - Bulk inserts

extension Table {
  /// Adds the encoder's row to a bulk insert, and writes the pending rows where they are many.
  func append(
    _ encoder: inout _RecordEncoder, to pending: inout PendingRows,
    in transaction: inout LMDB.WriteTransaction, _ context: borrowing WriteTransaction.Context
  ) throws {
    // Rows that can clash with each other are written in the order of the objects.
    if isConstrained { return try insert(&encoder, in: &transaction, context) }
    try complete(&encoder, replacing: nil)
    markStructs(in: &encoder)
    try checkLength(of: encoder)
    pending.append(encoder)
    if pending.isFull {
      CoverageMark.hit(.rowsWrittenEarly)
      try write(&pending, in: &transaction, context)
    }
  }

  /// Writes pending rows in the order of their keys: puts, indexes and captures them.
  ///
  /// - Throws: ``StoreError/duplicateKey(model:fields:key:)``; the statement has to be undone then.
  func write(
    _ pending: inout PendingRows, in transaction: inout LMDB.WriteTransaction,
    _ context: borrowing WriteTransaction.Context
  ) throws {
    guard pending.count > 0 else { return }
    pending.sort()
    if let clash = try pending.insert(into: rows, &transaction) {
      throw unsafe duplicateKey(pending[clash].keyBytes)
    }
    try context.forEachWriter(of: self) { try $0.put(pending, in: &transaction) }
    if let changes = context.changes, changes.takes(self) {
      for place in 0..<pending.count { changes.write(pending[place], replacing: nil, of: self) }
      try context.flushFullSinks(to: &transaction)
    }
    pending.clear()
  }
}

// MARK: - Loading

extension Table {
  /// Adds the encoder's row to those that are to be loaded into a table without indexes.
  ///
  /// - Throws: As ``insert(_:in:_:)``.
  func load(_ encoder: inout _RecordEncoder, into pending: inout PendingRows) throws {
    try complete(&encoder, replacing: nil)
    try checkLength(of: encoder)
    pending.append(encoder)
  }

  /// Writes pending rows in the order of their keys, and nothing else.
  ///
  /// - Throws: ``StoreError/duplicateKey(model:fields:key:)``; the transaction has to be aborted then.
  func load(_ pending: inout PendingRows, in transaction: inout LMDB.WriteTransaction) throws {
    pending.sort()
    if let clash = try pending.insert(into: rows, &transaction) {
      throw unsafe duplicateKey(pending[clash].keyBytes)
    }
    pending.clear()
  }
}

// MARK: - Removing

extension Table {
  /// Removes one row and its index entries; objects that refer to it have been seen to.
  ///
  /// - Returns: Whether there was such a row.
  /// - Complexity: O(log *n*); O(*n*) where the row is damaged, see ``removeEntries(of:in:_:)``.
  func remove(
    _ key: UnsafeRawBufferPointer, in transaction: inout LMDB.WriteTransaction,
    _ context: borrowing WriteTransaction.Context
  ) throws -> Bool {
    let readsRow = context.readsRemovedRows(of: self)
    var damaged: ByteSet?
    // Safety: index entries are made from the row before anything is written.
    if readsRow, try unsafe !unindex(key, in: transaction, context, &damaged) { return false }
    // Safety: the key does not change during the call.
    let isRemoved = try unsafe transaction.delete(RawSpan(_unsafeBytes: key), in: rows)
    if isRemoved, !readsRow { unsafe context.changes?.remove(key, of: self) }
    if let damaged { try removeEntries(of: damaged, in: &transaction, context) }
    try endStatement(in: &transaction, context)
    return isRemoved
  }

  /// Removes the rows of some ascending keys, if any; objects that refer to them have been seen to.
  func remove(
    _ keys: borrowing ByteList, in transaction: inout LMDB.WriteTransaction,
    _ context: borrowing WriteTransaction.Context
  ) throws {
    var damaged: ByteSet?
    if context.readsRemovedRows(of: self) {
      try unindex(keys, from: 0, in: &transaction, context, &damaged)
    } else if let changes = context.changes {
      for place in 0..<keys.count { unsafe changes.remove(keys[place], of: self) }
    }
    try removeUnindexed(keys, damaged, in: &transaction, context)
  }

  /// Buffers the removal of a row's index entries, and captures the row's removal.
  ///
  /// Nothing is written, so that a query may continue; ``removeUnindexed(_:_:in:_:)`` removes the row.
  ///
  /// - Parameter row: A row whose checksum was checked: its values give its entries.
  func unindex(_ row: RecordView, _ context: borrowing WriteTransaction.Context) throws {
    try context.forEachWriter(of: self) { try $0.remove(row) }
    unsafe context.changes?.remove(row.keyBytes, row, of: self)
  }

  /// The same for the row of a key; false where there is none.
  ///
  /// - Parameter damaged: Gets the key of a damaged row, whose values do not give its entries.
  private func unindex(
    _ key: UnsafeRawBufferPointer, in transaction: borrowing LMDB.WriteTransaction,
    _ context: borrowing WriteTransaction.Context, _ damaged: inout ByteSet?
  ) throws -> Bool {
    do {
      // Safety: the view is used before anything is written.
      guard let row = try unsafe findRow(key, in: transaction, context) else { return false }
      try unindex(row, context)
    } catch StoreError.corrupt(schema.name, .some, _) {
      let keys = damaged ?? ByteSet()
      unsafe keys.insert(key)
      damaged = keys
      unsafe context.changes?.remove(key, of: self)
    }
    return true
  }

  /// The same for rows from a position in a list on; full buffers are applied meanwhile.
  func unindex(
    _ keys: borrowing ByteList, from first: Int, in transaction: inout LMDB.WriteTransaction,
    _ context: borrowing WriteTransaction.Context, _ damaged: inout ByteSet?
  ) throws {
    for position in first..<keys.count {
      try transaction.checkProgress()
      try context.flushFull(for: self, to: &transaction)
      _ = try unsafe unindex(keys[position], in: transaction, context, &damaged)
    }
  }

  /// Removes the index entries of damaged rows, which the entries' own keys tell.
  ///
  /// - Complexity: O(entries) of each index.
  func removeEntries(
    of damaged: ByteSet, in transaction: inout LMDB.WriteTransaction,
    _ context: borrowing WriteTransaction.Context
  ) throws {
    try context.forEachWriter(of: self) { try $0.removeEntries(of: damaged, in: &transaction) }
  }

  /// Removes rows after ``unindex(_:_:)``; the entries of damaged ones among them are found first.
  func removeUnindexed(
    _ keys: borrowing ByteList, _ damaged: ByteSet?, in transaction: inout LMDB.WriteTransaction,
    _ context: borrowing WriteTransaction.Context
  ) throws {
    guard keys.count > 0 else { return }
    if let damaged { try removeEntries(of: damaged, in: &transaction, context) }
    var batch = try rows.beginBatch(deleting: keys.count, in: &transaction)
    for place in 0..<keys.count {
      try unsafe batch.append(keys[place], isDelete: true, to: &transaction)
    }
    try batch.finish(&transaction)
    try endStatement(in: &transaction, context)
  }

  /// Removes all rows and index entries; no object of another table refers to them.
  func removeAll(
    in transaction: inout LMDB.WriteTransaction, _ context: borrowing WriteTransaction.Context
  ) throws {
    try captureRemovalOfAll(in: &transaction, context)
    try transaction.empty(rows)
    try context.forEachWriter(of: self) { try $0.removeAll(in: &transaction) }
  }

  /// Captures the removal of all rows: of each, where a sink needs the rows.
  private func captureRemovalOfAll(
    in transaction: inout LMDB.WriteTransaction, _ context: borrowing WriteTransaction.Context
  ) throws {
    guard let changes = context.changes else { return }
    let arena = context.arena
    var next: KeyRange? = .all
    while let range = next, changes.takesOldRows(of: self) {
      next = nil
      try transaction.forEachBlock(of: rows, in: range) { block in
        for place in 0..<block.count {
          arena.clear()
          let entry = unsafe block.entries[place]
          do {
            let row = try unsafe view(key: entry.key, row: entry.value, arena)
            unsafe changes.remove(entry.key, row, of: self)
          } catch StoreError.corrupt(schema.name, .some, _) {
            // A damaged row is removed like the others.
            unsafe changes.remove(entry.key, of: self)
          }
        }
        if changes.isFull {
          next = KeyRange(lower: .exclusive(block.key(at: block.count - 1).copied()))
        }
        return next == nil && changes.takesOldRows(of: self)
      }
      try context.flushFullSinks(to: &transaction)
    }
    if !changes.takesOldRows(of: self) { changes.removeAll(of: self) }
  }

  private func endStatement(
    in transaction: inout LMDB.WriteTransaction, _ context: borrowing WriteTransaction.Context
  ) throws {
    try context.forEachWriter(of: self) { try $0.endStatement(in: &transaction) }
    try context.flushFullSinks(to: &transaction)
  }
}

// MARK: - Steps of encoding

extension Table {
  /// The most bytes of a row: LMDB keeps a value's length, with the checksum, in 32 bits.
  static let longestRow = Int(UInt32.max) - Checksum.size

  /// Checks that every value has bytes, and that the key leaves room for columns in an index entry.
  @inline(__always)
  func checkKey(of encoder: borrowing _RecordEncoder) throws {
    guard encoder.failure == nil, encoder.key.count <= KeyCode.longestPrimaryKey else {
      throw keyError(of: encoder)
    }
  }

  @inline(never)
  private func keyError(of encoder: borrowing _RecordEncoder) -> StoreError {
    guard let failure = encoder.failure else {
      return .keyTooLong(model: schema.name, field: schema.key.name, bytes: encoder.key.count)
    }
    return .cannotEncode(
      model: schema.name, field: name(of: failure.field), reason: failure.reason)
  }

  private func name(of field: _RecordEncoder.Failure) -> String {
    switch field {
    case .named(let name): name
    case .fixed(let offset):
      layout.columns.first { $0.place == .fixed(offset: offset) }.map { layout.names[$0.index] }
        ?? schema.key.name
    }
  }

  /// Throws when a row is too long, which LMDB would refuse without naming the object.
  private func checkLength(of encoder: borrowing _RecordEncoder) throws {
    guard encoder.row.count <= Self.longestRow else {
      throw unsafe StoreError.objectTooLarge(
        model: schema.name, key: schema.describe(key: encoder.key.bytes),
        bytes: encoder.row.count)
    }
  }

  private func duplicateKey(_ key: UnsafeRawBufferPointer) -> StoreError {
    unsafe .duplicateKey(
      model: schema.name, fields: schema.keyPlaces.map { schema.columns[$0].name },
      key: schema.describe(key: key))
  }

  /// Writes the fields that the program does not declare after an encoded object.
  ///
  /// - Parameters:
  ///   - encoder: Holds the program's columns; it may become wide.
  ///   - old: The row to be replaced, whose values are kept; nil for an insert, which gets the
  ///     catalog's defaults.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` naming a field that needs a
  ///   value and has no default.
  @inline(__always)
  private func encodeHidden(_ encoder: inout _RecordEncoder, from old: RecordView?) throws {
    if layout.hasHidden { try encodeHiddenColumns(&encoder, from: old) }
  }

  private func encodeHiddenColumns(_ encoder: inout _RecordEncoder, from old: RecordView?) throws {
    for (place, column) in layout.hidden.enumerated() {
      guard let old else {
        switch hiddenValues[place] {
        case .absent: unsafe encoder.store(nil, in: column, layout)
        case .value(let value): unsafe encoder.store(value.bytes, in: column, layout)
        case .missing:
          throw StoreError.schemaMismatch(
            model: schema.name, field: layout.names[column.index],
            reason: "this program does not declare it, and the store has no default for it; "
              + "declare the property, give it a default where it is declared, or drop it for "
              + "good with @Removed(\"\(layout.names[column.index])\") on the model")
        }
        continue
      }
      unsafe encoder.store(try column.storedBytes(in: old, layout), in: column, layout)
    }
  }

  /// Marks structs as present that the program declares as not optional.
  ///
  /// A stored row may lack the mark; it is not rewritten where nothing else changes.
  @inline(__always)
  private func markStructs(in encoder: inout _RecordEncoder) {
    if !structMarks.isEmpty { storeStructMarks(in: &encoder) }
  }

  private func storeStructMarks(in encoder: inout _RecordEncoder) {
    for place in structMarks {
      guard case .fixed(let offset) = layout.columns[place].place else { continue }
      // Safety: the encoder's row has all columns of the layout, of which this one has a byte.
      unsafe encoder.row.base.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
    }
  }
}
