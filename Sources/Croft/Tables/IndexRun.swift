import LMDB

/// Changes of one index, in the order they came.
///
/// A savepoint sets a mark. What was applied inside it and came before the mark is kept, because
/// undoing the savepoint takes it out of the tree again.
@safe
struct IndexRun: ~Copyable {
  /// Where a savepoint started.
  private struct Mark {
    let count: Int
    let applied: Int
    let width: Int?
  }

  /// The room for keys that an empty run keeps.
  private static var keptBytes: Int { Threshold.keptIndexBufferBytes.value }

  private var keys = _ByteBuffer(capacity: 1024)
  /// For each change, twice the place in `keys` where its key ends, plus one for a delete.
  private var ends: [Int] = []
  /// Where the entries of the row at hand lie, while it is taken.
  private var entries: [IndexEntry] = []
  /// How many changes, counted from the first, the tree holds already.
  private var applied = 0
  /// The one length of all keys so far, or nil where they differ.
  private var width: Int?
  /// The savepoints that have yet to end, the outermost first.
  private var marks: [Mark] = []

  /// The bytes of the keys that wait to be applied.
  var byteCount: Int { keys.count - start(of: applied) }

  /// A savepoint starts.
  mutating func mark() {
    marks.append(Mark(count: ends.count, applied: applied, width: width))
  }

  /// The innermost savepoint has taken effect.
  mutating func keep() {
    marks.removeLast()
    if applied == ends.count { settle() }
  }

  /// The innermost savepoint was undone, in the tree as well.
  mutating func undo() {
    let mark = marks.removeLast()
    cut(to: mark.count)
    if applied > mark.applied { CoverageMark.hit(.appliedChangesUndone) }
    applied = mark.applied
    width = mark.width
  }

  /// Takes the entries of a row, to be put or deleted.
  mutating func take(
    _ row: RowView, _ index: borrowing TableIndex, _ layout: RowLayout, isDelete: Bool
  ) throws {
    let start = keys.count
    entries.removeAll(keepingCapacity: true)
    try index.appendEntries(of: row, layout, to: &keys, &entries)
    note(from: start, 0, entries.count, isDelete: isDelete)
  }

  /// Takes the removal of old entries and the insertion of new ones, unless they are the same.
  ///
  /// An entry that stays is removed and inserted: of changes of one key the last counts.
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
    note(from: start, 0, count, isDelete: true)
    note(from: middle, count, entries.count, isDelete: false)
  }

  /// Notes the entries of some places, the first of which starts at `start`.
  private mutating func note(from start: Int, _ first: Int, _ last: Int, isDelete: Bool) {
    var start = start
    for place in first..<last {
      note(from: start, to: entries[place].end, isDelete: isDelete)
      start = entries[place].end
    }
  }

  private mutating func note(from start: Int, to end: Int, isDelete: Bool) {
    if ends.isEmpty { width = end - start } else if width != end - start { width = nil }
    ends.append(end << 1 | (isDelete ? 1 : 0))
  }

  /// Notes that the tree holds what all changes ask for, and forgets those that no mark needs.
  mutating func settle() {
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

  /// Applies the waiting changes to a tree, in key order.
  mutating func apply(to tree: Database, _ transaction: inout LMDB.WriteTransaction) throws {
    let waiting = ends.count - applied
    guard waiting > 0 else { return }
    let order = order()
    var batch = SortedBatch(tree)
    for position in order.indices {
      let place = applied + Int(order[position])
      // Of several changes of one key the last counts; the order is stable.
      if position + 1 < order.count, isSameKey(place, applied + Int(order[position + 1])) {
        continue
      }
      try unsafe batch.append(key(place), isDelete: ends[place] & 1 == 1, to: &transaction)
    }
    try batch.finish(&transaction)
    settle()
  }

  private func key(_ place: Int) -> UnsafeRawBufferPointer {
    unsafe bytes(start(of: place), ends[place] >> 1)
  }

  private func bytes(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    // Safety: callers' places lie within the buffer's count.
    unsafe UnsafeRawBufferPointer(start: keys.base.advanced(by: start), count: end - start)
  }

  private func isSameKey(_ left: Int, _ right: Int) -> Bool {
    unsafe KeySort.compare(key(left), key(right)) == 0
  }

  /// The waiting keys in ascending order, counted from the first that waits.
  ///
  /// Equal keys stay in the order they came.
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
