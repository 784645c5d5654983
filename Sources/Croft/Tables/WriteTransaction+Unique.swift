import LMDB

// Unique indexes are written at the statement, not buffered: a clash is then a look into one tree,
// and a savepoint that is undone takes the entries back with everything else.

extension WriteTransaction {
  /// Writes a row's entries into a unique index, in the place of the row's before it.
  mutating func writeUnique(
    _ row: RowView, replacing old: RowView?, _ index: TableIndex, _ table: Table
  ) throws {
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    if let old { try index.appendEntries(of: old, table.layout, to: &bytes, &entries) }
    let (middle, count) = (bytes.count, entries.count)
    try index.appendEntries(of: row, table.layout, to: &bytes, &entries)
    if count > 0,
      unsafe KeySort.compare(
        UnsafeRawBufferPointer(rebasing: bytes.bytes[..<middle]),
        UnsafeRawBufferPointer(rebasing: bytes.bytes[middle...])) == 0
    {
      return
    }
    for place in entries.indices {
      // Safety: neither the keys nor the row's key change during the calls.
      let key = unsafe RawSpan(_unsafeBytes: bytes.key(at: place, of: entries))
      if place < count {
        _ = try base.delete(key, in: index.entries)
      } else {
        let value = unsafe entries[place].form == .alone ? row.keyBytes : Self.noBytes
        _ = try unsafe base.put(RawSpan(_unsafeBytes: value), at: key, in: index.entries)
      }
    }
  }

  private static var noBytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  }
}
