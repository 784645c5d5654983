import LMDB

/// One index's changes of a transaction, kept until a query needs them or the commit comes.
///
/// Entries applied in key order meet each page of the tree once, and at the end of the
/// tree they append: that is what makes bulk writes fast. For one key the last change
/// wins, because each entry says what the tree must hold in the end.
///
/// Confined to its transaction, which is used by one thread at a time.
@safe
final class IndexBuffer {
  /// The bytes of keys after which the buffer is applied without waiting for the end.
  static let longestRunBytes = 64 << 20

  let entries: Database
  var keys = _ByteBuffer(capacity: 1024)
  /// Where each key ends in `keys`.
  private var ends: [Int] = []
  private var isDelete: [Bool] = []
  /// The one length of all keys so far, or nil where they differ.
  private var width: Int?

  init(entries: Database) { self.entries = entries }

  var isEmpty: Bool { ends.isEmpty }
  var isFull: Bool { keys.count > Self.longestRunBytes }

  /// Takes the key that the caller appended to ``keys``.
  func take(delete: Bool) {
    let length = keys.count - (ends.last ?? 0)
    if ends.isEmpty { width = length } else if width != length { width = nil }
    ends.append(keys.count)
    isDelete.append(delete)
  }

  /// Removes keys that were appended but not taken.
  func dropUntaken() { keys.count = ends.last ?? 0 }

  /// Forgets all changes.
  func clear() {
    keys.count = 0
    ends.removeAll(keepingCapacity: true)
    isDelete.removeAll(keepingCapacity: true)
    width = nil
  }

  /// Applies the changes to the tree, in key order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* changes; O(*n*) for keys of one short length.
  func apply(to transaction: inout LMDB.WriteTransaction) throws(LMDBError) {
    guard !isEmpty else { return }
    let order = order()
    var batch = SortedBatch(entries)
    for position in order.indices {
      let place = Int(order[position])
      // Of several changes of one key the last counts; the order is stable.
      if position + 1 < order.count, isSameKey(place, Int(order[position + 1])) { continue }
      try unsafe batch.append(key(place), isDelete: isDelete[place], to: &transaction)
    }
    try batch.finish(&transaction)
    clear()
  }

  private func key(_ place: Int) -> UnsafeRawBufferPointer {
    let start = place == 0 ? 0 : ends[place - 1]
    // Safety: `ends` ascends and stays within the buffer's count.
    return unsafe UnsafeRawBufferPointer(
      start: keys.base.advanced(by: start), count: ends[place] - start)
  }

  private func isSameKey(_ left: Int, _ right: Int) -> Bool {
    unsafe KeySort.compare(key(left), key(right)) == 0
  }

  /// The places of the keys in ascending order; equal keys stay in the order they came.
  private func order() -> [UInt32] {
    if let width, width <= KeySort.longestRadixKey {
      return unsafe KeySort.radix(keys.base, count: ends.count, width: width)
    }
    return unsafe KeySort.comparison(count: ends.count) { unsafe self.key($0) }
  }
}
