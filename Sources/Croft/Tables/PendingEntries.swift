import LMDB

/// Changes of one index that its tree does not have yet, in the order in which they were made.
///
/// Of several changes of one key only the last is applied: each change says what the tree must
/// hold in the end. A savepoint sets a mark. Changes from before the mark that were applied inside
/// the savepoint are kept, because undoing the savepoint takes them out of the tree again.
@safe
struct PendingEntries: ~Copyable {
  /// Where a savepoint started.
  private struct Mark {
    let count: Int
    let applied: Int
  }

  /// The room for keys that an empty list of changes keeps.
  private static var keptBytes: Int { Threshold.keptIndexBufferBytes.value }

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
    _ row: RowView, _ index: borrowing TableIndex, _ layout: RowLayout, isRemoval: Bool
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
    _ old: RowView, by new: RowView, _ index: borrowing TableIndex, _ layout: RowLayout
  ) throws {
    let start = keys.byteCount
    entries.removeAll(keepingCapacity: true)
    try index.appendEntries(of: old, layout, to: &keys.bytes, &entries)
    let (middle, count) = (keys.byteCount, entries.count)
    try index.appendEntries(of: new, layout, to: &keys.bytes, &entries)
    // Safety: the bytes are compared before the list changes.
    let (before, after) = unsafe (keys.bytes.bytes[start..<middle], keys.bytes.bytes[middle...])
    guard
      unsafe KeySort.compare(
        UnsafeRawBufferPointer(rebasing: before), UnsafeRawBufferPointer(rebasing: after)) != 0
    else {
      keys.bytes.count = start
      return
    }
    for place in entries.indices {
      appendChange(endingAt: entries[place].end, isRemoval: place < count)
    }
  }

  /// Makes a change of the key's bytes behind the last change's key.
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
    to entries: EntryTable, _ transaction: inout LMDB.WriteTransaction
  ) throws {
    guard keys.count > applied else { return }
    let isRadix = keys.width.map { $0 <= KeySort.longestRadixKey } ?? false
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
        if unsafe KeySort.compare(current, key) == 0 { continue }
      }
      let isRemoval = areRemovals[applied + Int(order[position])]
      try unsafe batch.append(current, isDelete: isRemoval, to: &transaction)
    }
    try batch.finish(&transaction)
    discard()
  }
}

/// Sorted changes that are handed to a tree some thousands at a time.
@safe
struct SortedBatch: ~Copyable {
  private static var capacity: Int { Threshold.stepsPerBatch.value }
  private var changes: [SortedChange]
  private let tree: Database

  init(_ tree: Database) {
    self.tree = tree
    // Safety: an empty list points nowhere; later changes point to bytes that the caller keeps.
    unsafe changes = []
  }

  /// Adds a change that puts a key without a value, or deletes it.
  ///
  /// The key's bytes must stay where they are until ``finish(_:)``.
  mutating func append(
    _ key: UnsafeRawBufferPointer, isDelete: Bool, to transaction: inout LMDB.WriteTransaction
  ) throws(LMDBError) {
    guard let start = key.baseAddress else { return }
    unsafe changes.append(
      SortedChange(
        keyStart: start, keyCount: key.count, valueStart: nil, valueCount: 0, isDelete: isDelete))
    if unsafe changes.count == Self.capacity {
      CoverageMark.hit(.batchFull)
      try finish(&transaction)
    }
  }

  /// Hands over what is left.
  mutating func finish(_ transaction: inout LMDB.WriteTransaction) throws(LMDBError) {
    guard unsafe !changes.isEmpty else { return }
    try unsafe changes.withUnsafeBufferPointer { changes throws(LMDBError) in
      _ = try unsafe transaction.apply(changes, to: tree)
    }
    unsafe changes.removeAll(keepingCapacity: true)
  }
}
