import LMDB

/// Rows copied out of a tree, some at a time, so that others may be written between.
@safe
struct CopiedRows: ~Copyable {
  private var bytes = _ByteBuffer(capacity: 1 << 16)
  /// Where each row's key and value end.
  private var ends: [(key: Int, value: Int)] = []
  private var last: [UInt8]?

  var count: Int { ends.count }

  /// Reads the rows that come next; none at the tree's end.
  mutating func read(
    from tree: Database, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    bytes.count = 0
    ends.removeAll(keepingCapacity: true)
    let range = KeyRange(lower: last.map { .exclusive($0) } ?? .unbounded)
    try transaction.forEachBlock(of: tree, in: range) { block in
      for place in 0..<block.count {
        // Safety: the bytes are copied while the block is lent.
        unsafe bytes.append(contentsOf: block.entries[place].key)
        let keyEnd = bytes.count
        unsafe bytes.append(contentsOf: block.entries[place].value)
        ends.append((keyEnd, bytes.count))
      }
      return false
    }
    if count > 0 { last = unsafe [UInt8](key(count - 1)) }
  }

  /// One row's key, lent until the next are read.
  func key(_ place: Int) -> UnsafeRawBufferPointer {
    unsafe slice(place == 0 ? 0 : ends[place - 1].value, ends[place].key)
  }

  /// One row's value, lent until the next are read.
  func row(_ place: Int) -> UnsafeRawBufferPointer {
    unsafe slice(ends[place].key, ends[place].value)
  }

  private func slice(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    // Safety: ends ascend within the buffer.
    unsafe UnsafeRawBufferPointer(start: bytes.base + start, count: end - start)
  }
}
