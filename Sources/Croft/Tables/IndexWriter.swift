import LMDB

/// Checks, writes and removes the entries of one index in a write transaction.
///
/// Each change of a row goes through the same three functions for every index: ``check`` before the
/// row is written, ``put`` and ``remove`` with it. Entries of a unique index are put at once: a
/// clash is then found by one look into the tree, and a savepoint that is undone takes the entries
/// back with everything else. Other entries, and all removals, are buffered until a query needs
/// them, the buffer is full or the commit comes. Applied in the order of their keys they meet each
/// page of the tree once, and at the end of the tree they append: that makes bulk writes fast.
/// The removals of a unique index are applied when the statement ends.
///
/// Confined to its transaction, which is used by one thread at a time.
final class IndexWriter {
  /// The bytes of keys after which the buffer is applied without waiting for the end.
  static var longestBufferBytes: Int { Threshold.indexBufferBytes.value }

  let index: TableIndex
  private let table: Table
  private let layout: RowLayout
  private var pending = PendingEntries()
  /// The entries of the row at hand, where they are not buffered; kept for its memory.
  private var bytes = _ByteBuffer()
  private var entries: [IndexEntry] = []

  init(_ index: TableIndex, of table: Table) {
    self.index = index
    self.table = table
    layout = table.layout
  }

  /// The bytes of this buffer's bound; smaller in tests.
  var longestBufferBytes = IndexWriter.longestBufferBytes

  /// Whether the buffer is past its bound.
  var isFull: Bool {
    guard pending.byteCount > longestBufferBytes else { return false }
    CoverageMark.hit(.indexBufferFull)
    return true
  }

  // MARK: - One row

  /// Checks that no other row has the values of a row that is about to be written.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - old: The row that it replaces; where both have the same values, nothing is looked up.
  ///   - transaction: The transaction to look in.
  ///   - arena: For rows of other layouts.
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)``.
  func check(
    _ row: RowView, replacing old: RowView?, in transaction: borrowing LMDB.WriteTransaction,
    _ arena: RowArena
  ) throws {
    guard index.isUnique else { return }
    // A row that keeps its values adds no clash; an index that is being built may have some.
    if let old, try table.haveSameEntries(in: index, old, row) { return }
    bytes.count = 0
    entries.removeAll(keepingCapacity: true)
    try index.appendEntries(of: row, layout, to: &bytes, &entries)
    try table.checkUnique(entries, bytes, of: row, in: index, transaction, arena)
  }

  /// Puts the entries of a row that was written, and removes those of the row that it replaces.
  ///
  /// An index that is being built gets the entries of rows that it does not cover later.
  func put(
    _ row: RowView, replacing old: RowView?, in transaction: inout LMDB.WriteTransaction
  ) throws {
    guard unsafe index.covers(row.keyBytes) else { return }
    if let old, try table.haveSameEntries(in: index, old, row) { return }
    if index.isUnique {
      try putUnique(row, replacing: old, in: &transaction)
    } else if let old {
      try pending.replace(old, by: row, index, layout)
    } else {
      try pending.append(row, index, layout, isRemoval: false)
    }
    if isFull { try flush(to: &transaction) }
  }

  /// Puts the entries of many new rows into the buffer of an index that is not unique.
  func put(
    _ rows: borrowing PendingRows, in transaction: inout LMDB.WriteTransaction
  ) throws {
    precondition(!index.isUnique, "Rows with unique values are written one after the other.")
    for place in 0..<rows.count {
      let row = rows[place]
      guard unsafe index.covers(row.keyBytes) else { continue }
      try pending.append(row, index, layout, isRemoval: false)
    }
    if isFull { try flush(to: &transaction) }
  }

  /// Buffers the removal of a row's entries; nothing is written, so that rows may be read meanwhile.
  func remove(_ row: RowView) throws {
    // Safety: the key is compared while the row is lent.
    guard unsafe index.covers(row.keyBytes) else { return }
    try pending.append(row, index, layout, isRemoval: true)
  }

  /// Writes a row's entries into a unique index, in the place of those of the row before it.
  private func putUnique(
    _ row: RowView, replacing old: RowView?, in transaction: inout LMDB.WriteTransaction
  ) throws {
    bytes.count = 0
    entries.removeAll(keepingCapacity: true)
    if let old { try index.appendEntries(of: old, layout, to: &bytes, &entries) }
    let (middle, count) = (bytes.count, entries.count)
    try index.appendEntries(of: row, layout, to: &bytes, &entries)
    if count > 0,
      unsafe KeySort.compare(
        UnsafeRawBufferPointer(rebasing: bytes.bytes[..<middle]),
        UnsafeRawBufferPointer(rebasing: bytes.bytes[middle...])) == 0
    {
      return
    }
    for place in entries.indices {
      // Safety: neither the keys nor the row's key change during the calls.
      let key = unsafe bytes.key(at: place, of: entries)
      if place < count {
        try unsafe transaction.remove(key, from: index.entries)
      } else {
        try unsafe transaction.put(key, entries[place].form, of: row.keyBytes, into: index.entries)
      }
    }
  }

  // MARK: - Statements, savepoints and the commit

  /// Ends a statement that buffered removals: a unique index's tree is then up to date.
  func endStatement(in transaction: inout LMDB.WriteTransaction) throws {
    if index.isUnique || isFull { try flush(to: &transaction) }
  }

  /// Applies the buffered changes to the tree, in the order of their keys.
  ///
  /// - Complexity: O(*n* log *n*) for *n* changes; O(*n*) for keys of one short length.
  func flush(to transaction: inout LMDB.WriteTransaction) throws {
    try pending.flush(to: index.entries, &transaction)
  }

  /// Removes all entries, because the rows are gone.
  func removeAll(in transaction: inout LMDB.WriteTransaction) throws {
    pending.discard()
    try transaction.empty(index.entries)
  }

  /// Begins a savepoint: later changes can be rolled back alone.
  func beginSavepoint() { pending.beginSavepoint() }

  /// Ends the innermost savepoint, and keeps its changes.
  func releaseSavepoint() { pending.releaseSavepoint() }

  /// Rolls back the innermost savepoint, which the tree has done already.
  ///
  /// Changes from before it that were applied inside it are buffered again.
  func rollBackToSavepoint() { pending.rollBackToSavepoint() }
}

// MARK: - Unique values

extension Table {
  /// Looks for another object that has a row's values in a unique index.
  ///
  /// - Parameters:
  ///   - row: The row, written or not.
  ///   - index: A unique index, whose entries are all in its tree.
  ///   - transaction: The transaction to look in.
  ///   - arena: For rows of other layouts.
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)``.
  func checkUnique(
    _ row: RowView, in index: TableIndex,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RowArena
  ) throws {
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    try index.appendEntries(of: row, layout, to: &bytes, &entries)
    try checkUnique(entries, bytes, of: row, in: index, transaction, arena)
  }

  /// The same for a row whose entries have been made.
  fileprivate func checkUnique(
    _ entries: [IndexEntry], _ bytes: borrowing _ByteBuffer, of row: RowView,
    in index: TableIndex, _ transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ arena: RowArena
  ) throws {
    for place in entries.indices {
      let entry = unsafe bytes.key(at: place, of: entries)
      switch entries[place].form {
      case .nonUnique: continue
      case .unique:
        // Safety: the entry does not change during the call, and nothing is written meanwhile.
        let owner = try unsafe transaction.get(RawSpan(_unsafeBytes: entry), in: index.entries)
        guard let owner = unsafe owner?.withUnsafeBytes({ unsafe $0 }),
          unsafe KeySort.compare(owner, row.keyBytes) != 0
        else { continue }
        throw unsafe violation(of: index, row.keyBytes, owner)
      case .truncated:
        let code = unsafe UnsafeRawBufferPointer(rebasing: entry.dropLast(row.keyCount))
        try unsafe checkTruncated(code, place, of: row, in: index, transaction, arena)
      }
    }
  }

  /// Compares the whole of a truncated value with those of the objects with the same code.
  private func checkTruncated(
    _ code: UnsafeRawBufferPointer, _ place: Int, of row: RowView, in index: TableIndex,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RowArena
  ) throws {
    CoverageMark.hit(.uniqueCutCompared)
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    try index.appendEntries(of: row, layout, to: &bytes, &entries, isWhole: true)
    let own = unsafe [UInt8](bytes.key(at: place, of: entries).dropLast(row.keyCount))
    try transaction.forEachBlock(of: index.entries, in: .prefix(unsafe [UInt8](code))) { block in
      for position in 0..<block.count {
        let key = try unsafe primaryKey(of: block.entries[position], in: index)
        guard unsafe KeySort.compare(key, row.keyBytes) != 0,
          let other = try unsafe self.row(key, in: transaction, arena)
        else { continue }
        bytes.count = 0
        entries.removeAll(keepingCapacity: true)
        try index.appendEntries(of: other, layout, to: &bytes, &entries, isWhole: true)
        for place in entries.indices where entries[place].form == .truncated {
          let value = unsafe bytes.key(at: place, of: entries).dropLast(other.keyCount)
          if unsafe own.elementsEqual(value) {
            CoverageMark.hit(.uniqueCutClash)
            throw unsafe violation(of: index, row.keyBytes, key)
          }
        }
      }
      return true
    }
  }

  /// The error for two objects with the same values in a unique index.
  func violation(
    of index: TableIndex, _ key: UnsafeRawBufferPointer, _ owner: UnsafeRawBufferPointer
  ) -> StoreError {
    .uniqueViolation(
      model: schema.name, fields: index.columns.map { layout.names[$0.place] },
      key: unsafe schema.describe(key: key), existing: unsafe schema.describe(key: owner))
  }

  /// Whether two rows have the same entries in an index, because its columns have the same bytes.
  fileprivate func haveSameEntries(
    in index: TableIndex, _ old: RowView, _ new: RowView
  ) throws -> Bool {
    try index.columns.allSatisfy { try holdsSame($0.place, old, new) }
  }
}
