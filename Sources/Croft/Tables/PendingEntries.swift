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
    let width: Int?
  }

  /// The room for keys that an empty run keeps.
  private static var keptBytes: Int { Threshold.keptIndexBufferBytes.value }

  private var keys = _ByteBuffer(capacity: 1024)
  /// For each change, twice the place in `keys` where its key ends, plus one for a removal.
  private var ends: [Int] = []
  /// Where the keys of the row at hand end, while its changes are appended.
  private var entries: [IndexEntry] = []
  /// How many changes, counted from the first, are in the tree already.
  private var applied = 0
  /// The one length of all keys so far, or nil where they differ.
  private var width: Int?
  /// The savepoints that have yet to end, the outermost first.
  private var marks: [Mark] = []

  /// The bytes of the keys that have yet to be applied.
  var byteCount: Int { keys.count - start(of: applied) }

  /// A savepoint starts.
  mutating func mark() {
    marks.append(Mark(count: ends.count, applied: applied, width: width))
  }

  /// The innermost savepoint has taken effect.
  mutating func keep() {
    marks.removeLast()
    if applied == ends.count { discard() }
  }

  /// The innermost savepoint was undone, in the tree as well.
  mutating func undo() {
    let mark = marks.removeLast()
    cut(to: mark.count)
    if applied > mark.applied { CoverageMark.hit(.appliedChangesUndone) }
    applied = mark.applied
    width = mark.width
  }

  /// Appends the puts, or the removals, of a row's entries.
  ///
  /// - Precondition: An entry that is put holds its owner's primary key in its key; one of a unique
  ///   index has it as its value, which a buffer does not keep.
  mutating func append(
    _ row: RowView, _ index: borrowing TableIndex, _ layout: RowLayout, isRemoval: Bool
  ) throws {
    assert(isRemoval || !index.isUnique, "A unique entry is put with its owner, not buffered.")
    let start = keys.count
    entries.removeAll(keepingCapacity: true)
    try index.appendEntries(of: row, layout, to: &keys, &entries)
    note(from: start, 0, entries.count, isRemoval: isRemoval)
  }

  /// Appends the removal of old entries and the insertion of new ones, unless they are the same.
  ///
  /// An entry that both rows have is removed and inserted: of changes of one key the last counts.
  mutating func replace(
    _ old: RowView, by new: RowView, _ index: borrowing TableIndex, _ layout: RowLayout
  ) throws {
    let start = keys.count
    entries.removeAll(keepingCapacity: true)
    try index.appendEntries(of: old, layout, to: &keys, &entries)
    let (middle, count) = (keys.count, entries.count)
    try index.appendEntries(of: new, layout, to: &keys, &entries)
    guard unsafe KeySort.compare(bytes(start, middle), bytes(middle, keys.count)) != 0 else {
      keys.count = start
      return
    }
    note(from: start, 0, count, isRemoval: true)
    note(from: middle, count, entries.count, isRemoval: false)
  }

  /// Notes a change for each of some entries, the first of which starts at `start`.
  private mutating func note(from start: Int, _ first: Int, _ last: Int, isRemoval: Bool) {
    var start = start
    for place in first..<last {
      note(from: start, to: entries[place].end, isRemoval: isRemoval)
      start = entries[place].end
    }
  }

  private mutating func note(from start: Int, to end: Int, isRemoval: Bool) {
    if ends.isEmpty { width = end - start } else if width != end - start { width = nil }
    ends.append(end << 1 | (isRemoval ? 1 : 0))
  }

  /// Forgets the changes that no mark needs, because the tree has all, or was emptied.
  mutating func discard() {
    cut(to: marks.last?.count ?? 0)
    applied = ends.count
    width = marks.last?.width
  }

  private mutating func cut(to count: Int) {
    keys.count = start(of: count)
    ends.removeLast(ends.count - count)
    guard count == 0, keys.capacity > Self.keptBytes else { return }
    // Another index's buffer, or the pages of the commit, need the memory now.
    keys = _ByteBuffer(capacity: 1024)
    ends = []
  }

  /// Where the key of a change starts.
  private func start(of place: Int) -> Int { place == 0 ? 0 : ends[place - 1] >> 1 }

  /// Applies the changes to a tree, in the order of their keys.
  mutating func flush(
    to entries: EntryTable, _ transaction: inout LMDB.WriteTransaction
  ) throws {
    let waiting = ends.count - applied
    guard waiting > 0 else { return }
    let order = order()
    var batch = entries.changes
    for position in order.indices {
      let place = applied + Int(order[position])
      // Of several changes of one key the last counts; the order is stable.
      if position + 1 < order.count, isSameKey(place, applied + Int(order[position + 1])) {
        continue
      }
      try unsafe batch.append(key(place), isDelete: ends[place] & 1 == 1, to: &transaction)
    }
    try batch.finish(&transaction)
    discard()
  }

  private func key(_ place: Int) -> UnsafeRawBufferPointer {
    unsafe bytes(start(of: place), ends[place] >> 1)
  }

  private func bytes(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    // Safety: callers' places are within the buffer's count.
    unsafe UnsafeRawBufferPointer(start: keys.base.advanced(by: start), count: end - start)
  }

  private func isSameKey(_ left: Int, _ right: Int) -> Bool {
    unsafe KeySort.compare(key(left), key(right)) == 0
  }

  /// The keys to be applied in ascending order, by their numbers from the first of them on.
  ///
  /// Equal keys stay in the order in which they were appended.
  private func order() -> [UInt32] {
    let count = ends.count - applied
    let base = unsafe keys.base
    if let width, width <= KeySort.longestRadixKey {
      CoverageMark.hit(.indexKeysRadixSorted)
      return unsafe KeySort.radix(base + start(of: applied), count: count, width: width)
    }
    CoverageMark.hit(.indexKeysCompared)
    return unsafe KeySort.comparison(count: count) { place in
      let place = applied + place
      let start = start(of: place)
      // Safety: ends ascend within the buffer, which is not changed while it is sorted.
      return unsafe UnsafeRawBufferPointer(start: base + start, count: (ends[place] >> 1) - start)
    }
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
