import LMDB

/// Checks, writes and removes the entries of one index in a write transaction.
///
/// Each change of a row goes through the same three functions for every index: ``check`` before the
/// row is written, ``put`` and ``remove`` with it. Entries of a unique index are put at once: a
/// clash is then found by one look into the tree, and a savepoint that is undone takes the entries
/// back with everything else. Other entries, and all removals, are buffered until a query needs
/// them, the buffer is full or the commit comes. Applied in the order of their keys, they write each
/// page of the tree once, and append at the end of the tree: that makes bulk writes fast.
/// The removals of a unique index are applied when the statement ends.
///
/// Confined to its transaction, which is used by one thread at a time.
final class IndexWriter {
  /// The bytes of keys after which the buffer is applied without waiting for the end.
  static var longestBufferBytes: Int { Threshold.pendingEntryBytes.value }

  let index: TableIndex
  private let table: Table
  private let layout: RecordLayout
  private var pending = PendingEntries()
  /// The entries of the row that ``check(_:replacing:in:_:)`` was given, which are put with the row.
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
    CoverageMark.hit(.pendingEntriesFull)
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
    _ row: RecordView, replacing old: RecordView?, in transaction: borrowing LMDB.WriteTransaction,
    _ arena: RecordArena
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
  /// In a unique index these are the entries that ``check(_:replacing:in:_:)`` made of the row. An
  /// index that is being built gets the entries of rows that it does not cover later.
  func put(
    _ row: RecordView, replacing old: RecordView?, in transaction: inout LMDB.WriteTransaction
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
  func remove(_ row: RecordView) throws {
    // Safety: the key is compared while the row is borrowed.
    guard unsafe index.covers(row.keyBytes) else { return }
    try pending.append(row, index, layout, isRemoval: true)
  }

  /// Puts the entries that were checked into a unique index, and removes those of the old row.
  private func putUnique(
    _ row: RecordView, replacing old: RecordView?, in transaction: inout LMDB.WriteTransaction
  ) throws {
    let (middle, count) = (bytes.count, entries.count)
    if let old {
      try index.appendEntries(of: old, layout, to: &bytes, &entries)
      if unsafe ByteList.compare(
        UnsafeRawBufferPointer(rebasing: bytes.bytes[..<middle]),
        UnsafeRawBufferPointer(rebasing: bytes.bytes[middle...])) == 0
      {
        return
      }
    }
    // Removals come first, because the new row may keep some of the old one's entries.
    for place in count..<entries.count {
      // Safety: neither the keys nor the row's key change during the calls.
      try unsafe transaction.remove(bytes.key(at: place, of: entries), from: index.entries)
    }
    for place in 0..<count {
      try unsafe transaction.put(
        bytes.key(at: place, of: entries), entries[place].form, of: row.keyBytes,
        into: index.entries)
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

// MARK: - The buffer

extension IndexWriter {
  /// Changes of one index that its tree does not have yet, in the order in which they were made.
  ///
  /// Of several changes of one key only the last is applied, because each change states whether the
  /// tree has the key afterwards. A savepoint sets a mark. Changes from before the mark that were
  /// applied inside the savepoint are kept, because undoing the savepoint removes them from the tree.
  @safe
  struct PendingEntries: ~Copyable {
    /// Where a savepoint started.
    private struct Mark {
      let count: Int
      let applied: Int
    }

    /// The room for keys that an empty list of changes keeps.
    private static var keptBytes: Int { Threshold.keptPendingEntryBytes.value }

    /// The changes' keys, in the order of the changes.
    private var keys = ByteList(capacity: 1024)
    /// For each change, whether it removes the entry.
    private var areRemovals: [Bool] = []
    /// Where the keys of the row at hand end, while its changes are appended.
    private var entries: [IndexEntry] = []
    /// How many changes, counted from the first, are in the tree already.
    private var applied = 0
    /// The savepoints that have yet to end, the outermost first.
    private var marks: [Mark] = []

    /// The bytes of the keys that have yet to be applied.
    var byteCount: Int { keys.byteCount - keys.start(of: applied) }

    /// Begins a savepoint.
    mutating func beginSavepoint() {
      marks.append(Mark(count: keys.count, applied: applied))
    }

    /// Ends the innermost savepoint, and keeps its changes.
    mutating func releaseSavepoint() {
      marks.removeLast()
      if applied == keys.count { discard() }
    }

    /// Rolls back the innermost savepoint, which the tree has done already.
    mutating func rollBackToSavepoint() {
      let mark = marks.removeLast()
      removeChanges(from: mark.count)
      if applied > mark.applied { CoverageMark.hit(.appliedChangesUndone) }
      applied = mark.applied
    }

    /// Appends the puts, or the removals, of a row's entries.
    ///
    /// - Precondition: An entry that is put holds its owner's primary key in its key; one of a unique
    ///   index has it as its value, which a buffer does not keep.
    mutating func append(
      _ row: RecordView, _ index: borrowing TableIndex, _ layout: RecordLayout, isRemoval: Bool
    ) throws {
      assert(isRemoval || !index.isUnique, "A unique entry is put with its owner, not buffered.")
      entries.removeAll(keepingCapacity: true)
      try index.appendEntries(of: row, layout, to: &keys.bytes, &entries)
      for entry in entries { appendChange(endingAt: entry.end, isRemoval: isRemoval) }
    }

    /// Appends the removal of old entries and the insertion of new ones, unless they are the same.
    ///
    /// An entry that both rows have is removed and inserted: of changes of one key the last counts.
    mutating func replace(
      _ old: RecordView, by new: RecordView, _ index: borrowing TableIndex, _ layout: RecordLayout
    ) throws {
      let start = keys.byteCount
      entries.removeAll(keepingCapacity: true)
      try index.appendEntries(of: old, layout, to: &keys.bytes, &entries)
      let (middle, count) = (keys.byteCount, entries.count)
      try index.appendEntries(of: new, layout, to: &keys.bytes, &entries)
      // Safety: the bytes are compared before the list changes.
      let (before, after) = unsafe (keys.bytes.bytes[start..<middle], keys.bytes.bytes[middle...])
      guard
        unsafe ByteList.compare(
          UnsafeRawBufferPointer(rebasing: before), UnsafeRawBufferPointer(rebasing: after)) != 0
      else {
        keys.bytes.count = start
        return
      }
      for place in entries.indices {
        appendChange(endingAt: entries[place].end, isRemoval: place < count)
      }
    }

    /// Makes a change of the key's bytes after the last change's key.
    private mutating func appendChange(endingAt end: Int, isRemoval: Bool) {
      keys.endItem(at: end)
      areRemovals.append(isRemoval)
    }

    /// Forgets the changes that no mark needs, because the tree has all, or was emptied.
    mutating func discard() {
      removeChanges(from: marks.last?.count ?? 0)
      applied = keys.count
    }

    private mutating func removeChanges(from place: Int) {
      keys.removeItems(from: place)
      areRemovals.removeLast(areRemovals.count - place)
      guard place == 0, keys.bytes.capacity > Self.keptBytes else { return }
      // Another index's changes, or the pages of the commit, need the memory now.
      keys = ByteList(capacity: 1024)
      areRemovals = []
    }

    /// Applies the changes to a tree, in the order of their keys.
    mutating func flush(
      to entries: StoredTree<IndexEntry>, _ transaction: inout LMDB.WriteTransaction
    ) throws {
      guard keys.count > applied else { return }
      let isRadix = keys.width.map { $0 <= ByteList.longestRadixKey } ?? false
      CoverageMark.hit(isRadix ? .indexKeysRadixSorted : .indexKeysCompared)
      let order = keys.order(from: applied)
      var batch = entries.changes
      // Safety: the list does not change until the batch is finished.
      var key = unsafe keys[applied + Int(order[0])]
      for position in order.indices {
        let current = unsafe key
        if position + 1 < order.count {
          unsafe key = keys[applied + Int(order[position + 1])]
          // Of several changes of one key the last counts; the order is stable.
          if unsafe ByteList.compare(current, key) == 0 { continue }
        }
        let isRemoval = areRemovals[applied + Int(order[position])]
        try unsafe batch.append(current, isDelete: isRemoval, to: &transaction)
      }
      try batch.finish(&transaction)
      discard()
    }
  }
}

// MARK: - The entries of a row

/// One entry among those of a row: where its key ends, after the entry before it.
struct IndexEntry {
  /// What the entry's key and value are.
  enum Form {
    /// The columns' codes, then the primary key's; other objects may have the same columns.
    case nonUnique
    /// The columns' codes alone, in a unique index; the value is the primary key's code.
    case unique
    /// As nonUnique, in a unique index, because a code is truncated: only the rows tell whether
    /// two objects have the same value.
    case truncated
  }

  var end: Int
  var form: Form
}

extension TableIndex {
  /// Whether a write of a row writes its entries; the others are made when the index is built.
  @inline(__always)
  func covers(_ key: UnsafeRawBufferPointer) -> Bool {
    guard let lastBuilt else { return true }
    // Safety: the bytes are compared while both are borrowed.
    return unsafe lastBuilt.withUnsafeBytes { unsafe ByteList.compare(key, $0) <= 0 }
  }

  /// Appends the keys of a row's entries, one after the other.
  ///
  /// A collection gives an entry for each element (a dictionary for each value); an element that
  /// it holds twice gives the same entry twice, and an empty or absent one gives none.
  ///
  /// - Parameters:
  ///   - row: A row of `layout`.
  ///   - bytes: Gets the keys.
  ///   - list: Gets one entry for each key.
  ///   - isWhole: Whether long values are not truncated; a tree could not hold such keys.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's end offsets do not fit.
  func appendEntries(
    of row: RecordView, _ layout: RecordLayout, to bytes: inout _ByteBuffer,
    _ list: inout [IndexEntry],
    isWhole: Bool = false
  ) throws {
    let cut = isWhole ? nil : cut
    guard let multiple else {
      return try appendEntry(of: row, layout, nil, to: &bytes, &list, cut)
    }
    guard case .column(let place) = parts[multiple].source else { return }
    let column = layout.columns[place]
    guard let collection = try column.collection(in: row, layout) else { return }
    for element in 0..<collection.count {
      try appendEntry(of: row, layout, (collection, element), to: &bytes, &list, cut)
    }
  }

  /// Appends one entry: of a row, or of one element of its collection.
  @inline(__always)
  private func appendEntry(
    of row: RecordView, _ layout: RecordLayout, _ element: (of: CollectionView, at: Int)?,
    to bytes: inout _ByteBuffer, _ list: inout [IndexEntry], _ cut: Int?
  ) throws {
    var form = isUnique ? IndexEntry.Form.unique : .nonUnique
    for part in parts {
      let start = bytes.count
      switch part.source {
      case .column(let place):
        let column = layout.columns[place]
        if let element, column.storage.collection != nil {
          guard
            bytes.appendCode(
              of: element.at, in: element.of, column.storage, cut: cut,
              foldsCase: part.isCaseFolded)
          else { throw column.badEnds(in: row, layout) }
        } else {
          try bytes.appendCode(
            of: column, in: row, layout: layout, cut: cut, foldsCase: part.isCaseFolded)
        }
        if form != .nonUnique { form = bytes.form(from: start, column.storage, self.cut) ?? form }
      case .expression(let number):
        try appendCode(of: number, in: row, layout, to: &bytes, cut)
      }
      if part.isDescending { bytes.invert(from: start) }
    }
    // Safety: the key is copied while the row is borrowed.
    if form != .unique { unsafe bytes.append(contentsOf: row.keyBytes) }
    list.append(IndexEntry(end: bytes.count, form: form))
  }

  /// Appends the key code of an expression's value: 00 for nil, or 01 and its own.
  @inline(never)
  private func appendCode(
    of expression: Int, in row: RecordView, _ layout: RecordLayout, to bytes: inout _ByteBuffer,
    _ cut: Int?
  ) throws {
    let (reader, kind) = expressions[expression]
    let value = try reader.value { try $0.value(in: row, layout) }
    guard value != .none else { return bytes.append(0) }
    bytes.append(1)
    value.appendKey(kind: kind, to: &bytes, cut: cut)
  }
}

extension _ByteBuffer {
  /// The key of one entry of a list, borrowed until the buffer changes.
  func key(at place: Int, of list: [IndexEntry]) -> UnsafeRawBufferPointer {
    let start = place == 0 ? 0 : list[place - 1].end
    // Safety: the list's ends ascend within the buffer.
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<list[place].end])
  }

  /// The form that the ascending code from `start` on gives a unique entry; nil where it stays
  /// unique.
  fileprivate func form(
    from start: Int, _ storage: StorageType, _ cut: Int
  ) -> IndexEntry.Form? {
    let isMarked = storage.collection == nil ? storage.isOptional : storage.isElementOptional
    if isMarked, unsafe bytes[start] == 0 { return .nonUnique }
    guard storage.kind.canBeCut else { return nil }
    // A whole code has at most two bytes more than is kept; a truncated one has a mark and a hash.
    return count - start - (isMarked ? 1 : 0) > cut + 2 ? .truncated : nil
  }
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
    _ row: RecordView, in index: TableIndex,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RecordArena
  ) throws {
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    try index.appendEntries(of: row, layout, to: &bytes, &entries)
    try checkUnique(entries, bytes, of: row, in: index, transaction, arena)
  }

  /// The same for a row whose entries have been made.
  fileprivate func checkUnique(
    _ entries: [IndexEntry], _ bytes: borrowing _ByteBuffer, of row: RecordView,
    in index: TableIndex, _ transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ arena: RecordArena
  ) throws {
    for place in entries.indices {
      let entry = unsafe bytes.key(at: place, of: entries)
      switch entries[place].form {
      case .nonUnique: continue
      case .unique:
        // Safety: the entry does not change during the call, and nothing is written meanwhile.
        let owner = try unsafe transaction.get(RawSpan(_unsafeBytes: entry), in: index.entries)
        guard let owner = unsafe owner?.withUnsafeBytes({ unsafe $0 }),
          unsafe ByteList.compare(owner, row.keyBytes) != 0
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
    _ code: UnsafeRawBufferPointer, _ place: Int, of row: RecordView, in index: TableIndex,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RecordArena
  ) throws {
    CoverageMark.hit(.truncatedUniqueCompared)
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    try index.appendEntries(of: row, layout, to: &bytes, &entries, isWhole: true)
    let own = unsafe [UInt8](bytes.key(at: place, of: entries).dropLast(row.keyCount))
    try transaction.forEachBlock(of: index.entries, in: .prefix(unsafe [UInt8](code))) { block in
      for position in 0..<block.count {
        let key = try unsafe primaryKey(of: block.entries[position], in: index)
        guard unsafe ByteList.compare(key, row.keyBytes) != 0,
          let other = try unsafe self.row(key, in: transaction, arena)
        else { continue }
        bytes.count = 0
        entries.removeAll(keepingCapacity: true)
        try index.appendEntries(of: other, layout, to: &bytes, &entries, isWhole: true)
        for place in entries.indices where entries[place].form == .truncated {
          let value = unsafe bytes.key(at: place, of: entries).dropLast(other.keyCount)
          if unsafe own.elementsEqual(value) {
            CoverageMark.hit(.truncatedUniqueConflict)
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
      model: schema.name, fields: index.names,
      key: unsafe schema.describe(key: key), existing: unsafe schema.describe(key: owner))
  }

  /// Whether two rows have the same entries in an index, because its columns have the same bytes.
  fileprivate func haveSameEntries(
    in index: TableIndex, _ old: RecordView, _ new: RecordView
  ) throws -> Bool {
    try index.columns.allSatisfy { column in
      try column.places.allSatisfy { try holdsSame($0, old, new) }
    }
  }
}
