import LMDB

/// A tree of a table: its rows (`StoredTree<RecordView>`) or an index's entries (`<IndexEntry>`).
///
/// The database itself is private to this file, so that no row is put without its checksum, and no
/// entry of a unique index without its owner: every function that puts or removes either is below.
struct StoredTree<Content>: Sendable, Hashable {
  fileprivate let tree: Database

  init(_ tree: Database) { self.tree = tree }
}

// MARK: - Reading

extension LMDB.Transaction where Self: ~Copyable {
  /// The value of a key: a row with its checksum, or the owner of an entry of a unique index.
  @_lifetime(borrow self)
  func get<Content>(_ key: RawSpan, in tree: StoredTree<Content>) throws(LMDBError) -> RawSpan? {
    try get(key, in: tree.tree)
  }

  /// Passes the keys and values of a range to a closure, a block at a time.
  func forEachBlock<Content>(
    of tree: StoredTree<Content>, in range: KeyRange = .all,
    direction: KeyRange.Direction = .forward,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    try forEachBlock(of: tree.tree, in: range, direction: direction, body)
  }

  func count<Content>(of tree: StoredTree<Content>) throws(LMDBError) -> Int {
    try count(of: tree.tree)
  }

  /// The number of rows or entries in a range, or any number greater than `bound` if there are
  /// more.
  func count<Content>(
    of tree: StoredTree<Content>, in range: KeyRange, upTo bound: Int
  ) throws(LMDBError) -> Int {
    try count(of: tree.tree, in: range, upTo: bound)
  }

  /// The same, which ends where the work of the transaction shall end.
  func countChecking<Content>(
    _ tree: StoredTree<Content>, in range: KeyRange, upTo bound: Int
  ) throws -> Int {
    try count(of: tree.tree, in: range, upTo: bound, checking: { try checkProgress() })
  }

  /// How large the tree is.
  func statistics<Content>(
    of tree: StoredTree<Content>
  ) throws(LMDBError) -> TreeStatistics {
    try statistics(of: tree.tree)
  }
}

// MARK: - Rows

extension LMDB.WriteTransaction {
  /// Writes the encoder's row; false where its key exists.
  mutating func insert(
    _ encoder: inout _RecordEncoder, into rows: StoredTree<RecordView>
  ) throws(LMDBError) -> Bool {
    encoder.appendChecksum()
    defer { encoder.removeChecksum() }
    // Safety: the encoder's bytes do not change during the call.
    return try unsafe put(
      RawSpan(_unsafeBytes: encoder.row.bytes), at: RawSpan(_unsafeBytes: encoder.key.bytes),
      in: rows.tree, mode: .insert)
  }

  /// Writes the encoder's row in the place of the one that was found last.
  mutating func replace(
    _ encoder: inout _RecordEncoder, in rows: StoredTree<RecordView>
  ) throws(LMDBError) {
    encoder.appendChecksum()
    defer { encoder.removeChecksum() }
    // Safety: the encoder's bytes do not change during the call.
    try unsafe replace(
      RawSpan(_unsafeBytes: encoder.row.bytes), at: RawSpan(_unsafeBytes: encoder.key.bytes),
      in: rows.tree)
  }

  /// Writes many rows, up to the first whose key exists.
  ///
  /// - Parameters:
  ///   - steps: The rows, ascending by key; the last four bytes of each are room of the caller's
  ///     for the checksum.
  ///   - rows: The table's rows.
  /// - Returns: The place of the row whose key exists; nil when all are written.
  mutating func insert(
    _ steps: UnsafeBufferPointer<LMDB.WriteTransaction.SortedChange>,
    into rows: StoredTree<RecordView>
  ) throws(LMDBError) -> Int? {
    for place in 0..<steps.count {
      // Safety: each step borrows a key and a row, with four bytes of its own after that.
      let step = unsafe steps[place]
      guard let start = unsafe step.valueStart else { continue }
      let count = unsafe step.valueCount - Checksum.size
      let sum = unsafe Checksum.of(
        UnsafeRawBufferPointer(start: step.keyStart, count: step.keyCount),
        UnsafeRawBufferPointer(start: start, count: count))
      unsafe UnsafeMutableRawPointer(mutating: start + count)
        .storeBytes(of: sum.littleEndian, as: UInt32.self)
    }
    return try unsafe apply(steps, to: rows.tree, mode: .insert)
  }

  /// Finds a row for ``replace(_:in:)``; see the engine's method of this name.
  @_lifetime(borrow self)
  func find(_ key: RawSpan, in rows: StoredTree<RecordView>) throws(LMDBError) -> RawSpan? {
    try find(key, in: rows.tree)
  }

  /// Deletes one row; false when there is none.
  @discardableResult
  mutating func delete(_ key: RawSpan, in rows: StoredTree<RecordView>) throws(LMDBError) -> Bool {
    try delete(key, in: rows.tree)
  }

  /// Deletes all rows, or removes all entries.
  mutating func empty<Content>(_ tree: StoredTree<Content>) throws(LMDBError) {
    try empty(tree.tree)
  }
}

extension _RecordEncoder {
  @inline(__always)
  fileprivate mutating func appendChecksum() {
    let sum = unsafe Checksum.of(key.bytes, row.bytes)
    // Safety: a buffer has room after its capacity. Views of the row must not lose it by growing.
    unsafe (row.base + row.count).storeBytes(of: sum.littleEndian, as: UInt32.self)
    row.count += Checksum.size
  }

  /// Removes the checksum again: in memory a row has none.
  @inline(__always)
  fileprivate mutating func removeChecksum() { row.count -= Checksum.size }
}

// MARK: - Entries

extension LMDB.WriteTransaction {
  /// Puts an entry of a unique index, with its owner.
  ///
  /// - Parameters:
  ///   - form: Says whether the value holds the owner's primary key, or the key does.
  ///   - mode: Whether an entry of that key is replaced.
  /// - Returns: Whether the entry was put; false where there is one and the mode is insert.
  @discardableResult
  mutating func put(
    _ key: UnsafeRawBufferPointer, _ form: IndexEntry.Form, of owner: UnsafeRawBufferPointer,
    into entries: StoredTree<IndexEntry>, mode: LMDB.WriteTransaction.PutMode = .upsert
  ) throws(LMDBError) -> Bool {
    let value =
      unsafe form == .unique ? owner : UnsafeRawBufferPointer(start: nil, count: 0)
    // Safety: neither the key nor the owner's changes during the call.
    return try unsafe put(
      RawSpan(_unsafeBytes: value), at: RawSpan(_unsafeBytes: key), in: entries.tree, mode: mode)
  }

  mutating func remove(
    _ key: UnsafeRawBufferPointer, from entries: StoredTree<IndexEntry>
  ) throws(LMDBError) {
    // Safety: the key does not change during the call.
    _ = try unsafe delete(RawSpan(_unsafeBytes: key), in: entries.tree)
  }
}

// MARK: - Sorted changes

extension StoredTree {
  /// Changes in the order of their keys, handed to the tree some thousands at a time.
  ///
  /// It deletes rows, and puts or removes entries whose keys hold their owner's primary key. Where it
  /// deletes a large part of a tree, it empties the tree and appends what is to be in it: LMDB spends
  /// several times as long on a row that it finds and deletes as on one that it appends.
  @safe
  struct Batch: ~Copyable {
    private var changes: [LMDB.WriteTransaction.SortedChange]
    private let tree: Database
    /// Whether the tree was emptied, so that what it had is added between the changes.
    private var isRewritten = false
    /// The keys and values that were in the tree before it was emptied, and how many have been passed.
    private var old = ByteList(capacity: 0)
    private var values = ByteList(capacity: 0)
    private var passed = 0

    fileprivate init(_ tree: Database) {
      self.tree = tree
      // Safety: an empty list points nowhere; later changes point to bytes that the caller keeps.
      unsafe changes = []
    }

    /// Empties the tree if so many rows are deleted from it that it is faster to rewrite it.
    fileprivate mutating func begin(
      deleting count: Int, in transaction: inout LMDB.WriteTransaction
    ) throws {
      guard count >= Threshold.deletionsToRewrite.value,
        try transaction.statistics(of: tree).isRewritten(deleting: count)
      else { return }
      CoverageMark.hit(.treeRewritten)
      isRewritten = true
      try transaction.forEachBlock(of: tree) { block in
        for place in 0..<block.count {
          unsafe old.append(block.entries[place].key)
          unsafe values.append(block.entries[place].value)
        }
        return true
      }
      try transaction.empty(tree)
    }

    /// Adds a change that puts a key without a value, or deletes it.
    ///
    /// The key's bytes must stay where they are until ``finish(_:)``.
    mutating func append(
      _ key: UnsafeRawBufferPointer, isDelete: Bool, to transaction: inout LMDB.WriteTransaction
    ) throws(LMDBError) {
      try unsafe passOld(before: key, &transaction)
      if isDelete, isRewritten { return }
      let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      try unsafe add(key, nothing, isDelete: isDelete, &transaction)
    }

    /// Adds the rows before a key that were in the tree when it was emptied, and drops that of the key.
    private mutating func passOld(
      before key: UnsafeRawBufferPointer?, _ transaction: inout LMDB.WriteTransaction
    ) throws(LMDBError) {
      while passed < old.count {
        // Safety: neither list changes until the batch is finished.
        let next = unsafe old[passed]
        let order = unsafe key.map { unsafe ByteList.compare(next, $0) } ?? -1
        if order > 0 { return }
        passed += 1
        if order == 0 { return }
        try unsafe add(next, values[passed - 1], isDelete: false, &transaction)
      }
    }

    private mutating func add(
      _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, isDelete: Bool,
      _ transaction: inout LMDB.WriteTransaction
    ) throws(LMDBError) {
      guard let start = key.baseAddress else { return }
      unsafe changes.append(
        LMDB.WriteTransaction.SortedChange(
          keyStart: start, keyCount: key.count, valueStart: value.baseAddress,
          valueCount: value.count, isDelete: isDelete))
      if unsafe changes.count == Threshold.changesPerBatch.value {
        CoverageMark.hit(.batchFull)
        try apply(&transaction)
      }
    }

    mutating func finish(_ transaction: inout LMDB.WriteTransaction) throws(LMDBError) {
      try unsafe passOld(before: nil, &transaction)
      try apply(&transaction)
    }

    private mutating func apply(_ transaction: inout LMDB.WriteTransaction) throws(LMDBError) {
      guard unsafe !changes.isEmpty else { return }
      try unsafe changes.withUnsafeBufferPointer { changes throws(LMDBError) in
        _ = try unsafe transaction.apply(changes, to: tree)
      }
      unsafe changes.removeAll(keepingCapacity: true)
    }
  }
}

extension StoredTree {
  /// Begins a batch of changes.
  ///
  /// - Parameters:
  ///   - count: How many rows or entries it deletes; none where the tree is read meanwhile.
  ///   - transaction: The transaction in which they are made.
  func beginBatch(
    deleting count: Int, in transaction: inout LMDB.WriteTransaction
  ) throws -> Batch {
    var batch = Batch(tree)
    try batch.begin(deleting: count, in: &transaction)
    return batch
  }
}

extension TreeStatistics {
  /// Whether so many deletions take longer than reading the tree and appending the rows that stay.
  fileprivate func isRewritten(deleting count: Int) -> Bool {
    entries > 0 && entries <= count * Threshold.rowsPerDeletion.value && overflowPages == 0
      && bytes <= Threshold.bytesRewritten.value
  }
}

extension RowBlock.Entry {
  /// The key's bytes, valid as long as the block.
  var key: UnsafeRawBufferPointer {
    // Safety: the cursor filled both words for one row of the map.
    unsafe UnsafeRawBufferPointer(start: keyStart, count: keyCount)
  }

  /// The value's bytes, valid as long as the block.
  var value: UnsafeRawBufferPointer {
    // Safety: as for the key.
    unsafe UnsafeRawBufferPointer(start: valueStart, count: valueCount)
  }
}
