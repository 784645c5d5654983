import LMDB

extension RowBlock.Entry {
  /// The key's bytes, valid as long as the block.
  var key: UnsafeRawBufferPointer {
    // Safety: the cursor filled both words for one row of the map.
    unsafe UnsafeRawBufferPointer(start: keyStart, count: keyCount)
  }

  /// The value's bytes, valid as long as the block.
  var value: UnsafeRawBufferPointer {
    // Safety: as for the key.
    unsafe UnsafeRawBufferPointer(start: valueStart, count: valueCount)
  }
}
