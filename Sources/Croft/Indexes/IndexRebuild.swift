import LMDB

/// Deleting most of an index: keeping the rest is cheaper.
///
/// A delete moves what its page holds behind it, which for narrow entries is most of its cost.
/// So where few entries are left, they are copied out, the tree is emptied, and they are
/// appended again.
enum IndexRebuild {
  /// The smallest run for which it is worth asking.
  private static var fewest: Int { Threshold.deletesForRebuild.value }

  /// Whether at least three quarters of a tree go.
  static func pays(
    _ deletes: Int, of tree: Database, _ transaction: borrowing LMDB.WriteTransaction
  ) throws -> Bool {
    guard deletes >= fewest else { return false }
    return try deletes >= transaction.count(of: tree) / 4 * 3
  }

  /// Deletes ascending keys from a tree of keys without values.
  static func run(
    deleting keys: borrowing KeyList, from tree: Database,
    _ transaction: inout LMDB.WriteTransaction
  ) throws {
    var kept = KeyList(width: nil)
    var next = 0
    try transaction.forEachBlock(of: tree) { block in
      for place in 0..<block.count {
        // Safety: the entry is copied before the block goes.
        let entry = unsafe block.entries[place].key
        while next < keys.count, unsafe KeySort.compare(keys[next], entry) < 0 { next += 1 }
        let goes = unsafe next < keys.count && KeySort.compare(keys[next], entry) == 0
        if !goes { unsafe kept.append(entry) }
      }
      return true
    }
    try transaction.empty(tree)
    var batch = SortedBatch(tree)
    for place in 0..<kept.count {
      try unsafe batch.append(kept[place], isDelete: false, to: &transaction)
    }
    try batch.finish(&transaction)
  }
}
