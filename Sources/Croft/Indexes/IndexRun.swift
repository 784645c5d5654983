import LMDB

/// Changes of one index, in the order they came.
@safe
struct IndexRun: ~Copyable {
  private var keys = _ByteBuffer(capacity: 1024)
  /// For each change, twice the place in `keys` where its key ends, plus one for a delete.
  private var ends: [Int] = []
  private var deletes = 0
  /// Where the entries of the row at hand lie, while it is taken.
  private var entries: [IndexEntry] = []
  /// The one length of all keys so far, or nil where they differ.
  private var width: Int?

  var byteCount: Int { keys.count }

  /// Takes the entries of a row, to be put or deleted.
  mutating func take(
    _ row: RowView, _ index: borrowing IndexStorage, _ layout: RowLayout, isDelete: Bool
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
    _ old: RowView, by new: RowView, _ index: borrowing IndexStorage, _ layout: RowLayout
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
    if isDelete { deletes += 1 }
  }

  /// Forgets all changes.
  mutating func clear() {
    keys.count = 0
    ends.removeAll(keepingCapacity: true)
    deletes = 0
    width = nil
  }

  /// Applies the changes to a tree, in key order, and forgets them.
  mutating func apply(to tree: Database, _ transaction: inout LMDB.WriteTransaction) throws {
    guard !ends.isEmpty else { return }
    let order = order()
    if deletes == ends.count, try IndexRebuild.pays(deletes, of: tree, transaction) {
      try IndexRebuild.run(deleting: sortedKeys(order), from: tree, &transaction)
    } else {
      var batch = SortedBatch(tree)
      for position in order.indices {
        let place = Int(order[position])
        // Of several changes of one key the last counts; the order is stable.
        if position + 1 < order.count, isSameKey(place, Int(order[position + 1])) { continue }
        try unsafe batch.append(key(place), isDelete: ends[place] & 1 == 1, to: &transaction)
      }
      try batch.finish(&transaction)
    }
    clear()
  }

  private func sortedKeys(_ order: [UInt32]) -> KeyList {
    var list = KeyList(width: width)
    for place in order { unsafe list.append(key(Int(place))) }
    return list
  }

  private func key(_ place: Int) -> UnsafeRawBufferPointer {
    unsafe bytes(place == 0 ? 0 : ends[place - 1] >> 1, ends[place] >> 1)
  }

  private func bytes(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    // Safety: callers' places lie within the buffer's count.
    unsafe UnsafeRawBufferPointer(start: keys.base.advanced(by: start), count: end - start)
  }

  private func isSameKey(_ left: Int, _ right: Int) -> Bool {
    unsafe KeySort.compare(key(left), key(right)) == 0
  }

  /// The places of the keys in ascending order; equal keys stay in the order they came.
  private func order() -> [UInt32] {
    if let width, width <= KeySort.longestRadixKey {
      return unsafe KeySort.radix(keys.base, count: ends.count, width: width)
    }
    let base = unsafe keys.base
    let ends = ends
    return unsafe KeySort.comparison(count: ends.count) { place in
      let start = place == 0 ? 0 : ends[place - 1] >> 1
      // Safety: ends ascend within the buffer, which is not changed while it is sorted.
      return unsafe UnsafeRawBufferPointer(start: base + start, count: (ends[place] >> 1) - start)
    }
  }
}
