import LMDB

/// Checks, writes and removes the entries of one index in a write transaction.
///
/// Entries of a unique index are put with their row: a clash is then found by one look into the
/// tree, and a savepoint that is undone takes the entries back with everything else. Other entries,
/// all removals, and the entries of an index that is being built are buffered until a query needs
/// them, the buffer is full or the commit comes. Applied in the order of their keys, they write each
/// page of the tree once, and append at the end of the tree: that makes bulk writes fast.
/// The removals of a unique index are applied when the statement ends.
final class EntryWriter: IndexWriter {
  let index: EntryIndex
  private let table: Table
  // Used by its transaction alone, which makes the checks of exclusivity unnecessary.
  @safe @exclusivity(unchecked) private var pending = PendingEntries()
  /// The entries of the row that ``check(_:replacing:in:_:)`` was given, which are put with the row.
  @safe @exclusivity(unchecked) private var checked = RowEntries()

  /// The bytes of keys after which the buffer is applied before the end.
  private let longestBufferBytes: Int

  init(
    _ index: EntryIndex, of table: Table,
    longestBufferBytes: Int = Threshold.pendingEntryBytes.value
  ) {
    self.index = index
    self.table = table
    self.longestBufferBytes = longestBufferBytes
  }

  var isFull: Bool {
    guard pending.byteCount > longestBufferBytes else { return false }
    CoverageMark.hit(.pendingEntriesFull)
    return true
  }

  // MARK: - One row

  /// Checks that no other row has the values of a row that is about to be written.
  ///
  /// Where the row that it replaces has the same values, nothing is looked up.
  func check(
    _ row: RecordView, replacing old: RecordView?, in transaction: borrowing LMDB.WriteTransaction,
    _ arena: RecordArena
  ) throws {
    guard index.isUnique else { return }
    // A row that keeps its values adds no clash; an index that is being built may have some.
    if let old, try index.hasSameEntries(old, row) { return }
    try checked.make(of: row, in: index)
    try table.checkUnique(checked, of: row, in: index, transaction, arena)
  }

  func put(
    _ row: RecordView, replacing old: RecordView?, in transaction: inout LMDB.WriteTransaction
  ) throws {
    guard unsafe index.covers(row.keyBytes) else { return }
    if let old, try index.hasSameEntries(old, row) { return }
    if index.isUnique {
      try putUnique(row, replacing: old, in: &transaction)
    } else if let old {
      try pending.replace(old, by: row, index)
    } else {
      try pending.append(row, index, .put)
    }
    if isFull { try flush(to: &transaction) }
  }

  func put(_ rows: borrowing PendingRows, in transaction: inout LMDB.WriteTransaction) throws {
    precondition(!index.isUnique, "Rows with unique values are written one after the other.")
    for ordinal in 0..<rows.count {
      let row = rows[ordinal]
      guard unsafe index.covers(row.keyBytes) else { continue }
      try pending.append(row, index, .put)
    }
    if isFull { try flush(to: &transaction) }
  }

  func remove(_ row: RecordView) throws {
    // Safety: the key is compared while the row is borrowed.
    guard unsafe index.covers(row.keyBytes) else { return }
    try pending.append(row, index, .remove)
  }

  func build(_ row: RecordView) throws -> Int {
    try pending.append(row, index, index.isUnique ? .build : .put)
    return pending.byteCount
  }

  /// Puts the entries that were checked into a unique index, and removes those of the old row.
  private func putUnique(
    _ row: RecordView, replacing old: RecordView?, in transaction: inout LMDB.WriteTransaction
  ) throws {
    let (middle, count) = (checked.bytes.count, checked.count)
    if let old {
      try checked.add(old, in: index)
      let bytes = unsafe checked.bytes.bytes
      if unsafe ByteList.compare(
        UnsafeRawBufferPointer(rebasing: bytes[..<middle]),
        UnsafeRawBufferPointer(rebasing: bytes[middle...])) == 0
      {
        return
      }
    }
    // Removals come first, because the new row may keep some of the old one's entries.
    for ordinal in count..<checked.count {
      // Safety: neither the keys nor the row's key change during the calls.
      try unsafe transaction.remove(checked[ordinal], from: index.entries)
    }
    for ordinal in 0..<count {
      try unsafe transaction.put(
        checked[ordinal], checked.form(ordinal), of: row.keyBytes, into: index.entries)
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
    try pending.flush(to: index, of: table, &transaction)
  }

  func removeAll(in transaction: inout LMDB.WriteTransaction) throws {
    pending.discard()
    try transaction.empty(index.entries)
  }

  func removeEntries(of keys: ByteSet, in transaction: inout LMDB.WriteTransaction) throws {
    try flush(to: &transaction)
    var entries = ByteList()
    try transaction.forEachBlock(of: index.entries) { block in
      for position in 0..<block.count {
        let entry = unsafe block.entries[position]
        // An entry whose primary key cannot be told is another damage, which `verify()` reports.
        guard let owner = try? unsafe table.primaryKey(of: entry, in: index) else { continue }
        if unsafe keys.contains(owner) { unsafe entries.append(entry.key) }
      }
      return true
    }
    var batch = try index.entries.beginBatch(deleting: entries.count, in: &transaction)
    for position in 0..<entries.count {
      try unsafe batch.append(entries[position], isDelete: true, to: &transaction)
    }
    try batch.finish(&transaction)
  }

  func beginSavepoint() { pending.beginSavepoint() }

  func releaseSavepoint() { pending.releaseSavepoint() }

  /// Rolls back the innermost savepoint, which the tree has done already.
  ///
  /// Changes from before it that were applied inside it are buffered again.
  func rollBackToSavepoint() { pending.rollBackToSavepoint() }
}

// MARK: - Unique values

extension Table {
  /// Checks that no other object has a row's values in a unique index.
  ///
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)``.
  func checkUnique(
    _ entries: borrowing RowEntries, of row: RecordView, in index: EntryIndex,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RecordArena
  ) throws {
    guard let owner = try owner(of: entries, of: row, in: index, transaction, arena) else { return }
    throw unsafe owner.withUnsafeBytes { unsafe violation(of: index, row.keyBytes, $0) }
  }

  /// The key of another object that has a row's values in a unique index.
  ///
  /// - Parameter index: A unique index, whose entries are all in its tree.
  func owner(
    of entries: borrowing RowEntries, of row: RecordView, in index: EntryIndex,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RecordArena
  ) throws -> [UInt8]? {
    for ordinal in 0..<entries.count {
      switch entries.form(ordinal) {
      case .nonUnique: continue
      case .unique:
        // Safety: the entry does not change during the call, and nothing is written meanwhile.
        let owner = try unsafe transaction.get(
          RawSpan(_unsafeBytes: entries[ordinal]), in: index.entries)
        guard let owner = unsafe owner?.withUnsafeBytes({ unsafe $0 }),
          unsafe ByteList.compare(owner, row.keyBytes) != 0
        else { continue }
        return unsafe [UInt8](owner)
      case .truncated:
        let code = unsafe UnsafeRawBufferPointer(
          rebasing: entries[ordinal].dropLast(row.keyCount))
        if let owner = try unsafe ownerOfTruncated(
          code, ordinal, of: row, in: index, transaction, arena)
        {
          return owner
        }
      }
    }
    return nil
  }

  /// Compares the whole of a truncated value with those of the objects with the same code.
  private func ownerOfTruncated(
    _ code: UnsafeRawBufferPointer, _ ordinal: Int, of row: RecordView, in index: EntryIndex,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RecordArena
  ) throws -> [UInt8]? {
    CoverageMark.hit(.truncatedUniqueCompared)
    var owner: [UInt8]?
    var entries = RowEntries()
    try entries.make(of: row, in: index, for: .comparison)
    let own = unsafe [UInt8](entries[ordinal].dropLast(row.keyCount))
    try transaction.forEachBlock(of: index.entries, in: .prefix(unsafe [UInt8](code))) { block in
      for position in 0..<block.count {
        let key = try unsafe primaryKey(of: block.entries[position], in: index)
        guard unsafe ByteList.compare(key, row.keyBytes) != 0,
          let other = try unsafe self.row(key, in: transaction, arena)
        else { continue }
        try entries.make(of: other, in: index, for: .comparison)
        for ordinal in 0..<entries.count where entries.form(ordinal) == .truncated {
          if unsafe own.elementsEqual(entries[ordinal].dropLast(other.keyCount)) {
            CoverageMark.hit(.truncatedUniqueConflict)
            owner = unsafe [UInt8](key)
            return false
          }
        }
      }
      return true
    }
    return owner
  }

  /// Puts an entry of a unique index that is being built, unless another object has its values.
  ///
  /// - Parameters:
  ///   - entry: The entry's key, with its owner's primary key at the end.
  ///   - form: Unique or truncated.
  func build(
    _ entry: UnsafeRawBufferPointer, _ form: IndexEntry.Form, in index: EntryIndex,
    _ transaction: inout LMDB.WriteTransaction
  ) throws {
    let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    let key = try unsafe primaryKey(ofKey: entry, value: nothing, in: index)
    if form == .truncated {
      let arena = RecordArena()
      guard let row = try unsafe row(key, in: transaction, arena) else { return }
      var entries = RowEntries()
      try entries.make(of: row, in: index)
      try checkUnique(entries, of: row, in: index, transaction, arena)
    }
    // Safety: neither the entry nor its owner's key changes during the calls.
    let code =
      unsafe form == .unique
      ? UnsafeRawBufferPointer(rebasing: entry.dropLast(key.count)) : entry
    let isNew = try unsafe transaction.put(code, form, of: key, into: index.entries, mode: .insert)
    guard !isNew, form == .unique,
      let owner = try unsafe transaction.get(RawSpan(_unsafeBytes: code), in: index.entries)?
        .copied()
    else { return }
    // It is another object's: of a row's equal entries only one is built.
    throw unsafe owner.withUnsafeBytes { unsafe violation(of: index, key, $0) }
  }

  /// The error for two objects with the same values in a unique index.
  private func violation(
    of index: EntryIndex, _ key: UnsafeRawBufferPointer, _ owner: UnsafeRawBufferPointer
  ) -> StoreError {
    .uniqueViolation(
      model: schema.name, fields: index.names,
      key: unsafe schema.describe(key: key), existing: unsafe schema.describe(key: owner))
  }
}
