import LMDB

/// Changes of one index, in the order they came.
@safe
struct IndexRun: ~Copyable {
  private var keys = _ByteBuffer(capacity: 1024)
  /// For each change, twice the place in `keys` where its key ends, plus one for a delete.
  private var ends: [Int] = []
  private var deletes = 0
  /// The one length of all keys so far, or nil where they differ.
  private var width: Int?

  var byteCount: Int { keys.count }

  /// Takes the entry of a row, to be put or deleted.
  mutating func take(
    _ row: RowView, _ index: borrowing IndexStorage, _ layout: RowLayout, isDelete: Bool
  ) throws {
    let start = keys.count
    try index.appendEntry(of: row, layout: layout, to: &keys)
    note(from: start, to: keys.count, isDelete: isDelete)
  }

  /// Takes an old entry's removal and a new one's insertion, unless they are the same.
  mutating func replace(
    _ old: RowView, by new: RowView, _ index: borrowing IndexStorage, _ layout: RowLayout
  ) throws {
    let start = keys.count
    try index.appendEntry(of: old, layout: layout, to: &keys)
    let middle = keys.count
    try index.appendEntry(of: new, layout: layout, to: &keys)
    guard unsafe KeySort.compare(bytes(start, middle), bytes(middle, keys.count)) != 0 else {
      keys.count = start
      return
    }
    note(from: start, to: middle, isDelete: true)
    note(from: middle, to: keys.count, isDelete: false)
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
