import LMDB

/// Rows copied out of a tree, some at a time, so that others may be written between.
struct CopiedRows: ~Copyable {
  /// Each row's key and then its value.
  private var items = ByteList(capacity: 1 << 16)
  private var last: [UInt8]?

  var count: Int { items.count / 2 }

  /// Reads the rows that come next; none at the tree's end.
  mutating func read(
    from tree: Database, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    items.removeAll()
    let range = KeyRange(lower: last.map { .exclusive($0) } ?? .unbounded)
    try transaction.forEachBlock(of: tree, in: range) { block in
      for place in 0..<block.count {
        // Safety: the bytes are copied while the block is lent.
        unsafe items.append(block.entries[place].key)
        unsafe items.append(block.entries[place].value)
      }
      return false
    }
    if count > 0 { last = unsafe [UInt8](key(count - 1)) }
  }

  /// One row's key, lent until the next are read.
  func key(_ place: Int) -> UnsafeRawBufferPointer { unsafe items[2 * place] }

  /// One row's value, lent until the next are read.
  func row(_ place: Int) -> UnsafeRawBufferPointer { unsafe items[2 * place + 1] }
}
