import LMDB

/// Sorted steps on their way into a tree, handed over some thousands at a time.
@safe
struct SortedBatch: ~Copyable {
  private static var capacity: Int { Threshold.stepsPerBatch.value }
  private var changes: [SortedChange]
  private let tree: Database

  init(_ tree: Database) {
    self.tree = tree
    // Safety: an empty list points nowhere; later steps point to bytes that the caller keeps.
    unsafe changes = []
  }

  /// Adds a step that puts a key without a value, or deletes it.
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
