import LMDB

extension RowBlock.Entry {
  /// The key's bytes, valid as long as the block.
  var key: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: keyStart, count: keyCount)
  }

  /// The value's bytes, valid as long as the block.
  var value: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: valueStart, count: valueCount)
  }
}
