import LMDB

/// Changes of a tree, collected while it is read: a write moves the bytes that a reader borrows.
struct TreeChanges: ~Copyable {
  private var keys = ByteList()
  private var values = ByteList()
  private var isDelete: [Bool] = []

  var count: Int { isDelete.count }

  mutating func put(_ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer) {
    // Safety: both are copied during the call.
    unsafe keys.append(key)
    unsafe values.append(value)
    isDelete.append(false)
  }

  mutating func put(_ value: [UInt8], at key: [UInt8]) {
    // Safety: as above.
    unsafe key.withUnsafeBytes { key in
      unsafe value.withUnsafeBytes { value in unsafe put(value, at: key) }
    }
  }

  mutating func delete(_ key: UnsafeRawBufferPointer) {
    // Safety: the key is copied during the call.
    unsafe keys.append(key)
    unsafe values.append(UnsafeRawBufferPointer(start: nil, count: 0))
    isDelete.append(true)
  }

  mutating func delete(_ key: [UInt8]) {
    // Safety: as above.
    unsafe key.withUnsafeBytes { unsafe delete($0) }
  }

  /// Makes the changes, in the order in which they came, and forgets them.
  mutating func apply(
    to tree: Database, in transaction: inout LMDB.WriteTransaction
  ) throws(LMDBError) {
    guard count > 0 else { return }
    var changes: [LMDB.WriteTransaction.SortedChange] = unsafe []
    unsafe changes.reserveCapacity(count)
    for place in 0..<count {
      // Safety: neither list changes until the changes are made.
      let (key, value) = unsafe (keys[place], values[place])
      guard let start = key.baseAddress else { continue }
      unsafe changes.append(
        LMDB.WriteTransaction.SortedChange(
          keyStart: start, keyCount: key.count, valueStart: value.baseAddress,
          valueCount: value.count, isDelete: isDelete[place]))
    }
    try unsafe changes.withUnsafeBufferPointer { changes throws(LMDBError) in
      _ = try unsafe transaction.apply(changes, to: tree)
    }
    self = TreeChanges()
  }
}
