import LMDB

// Unique indexes are written at the statement, not buffered: a clash is then a look into one tree,
// and a savepoint that is undone takes the entries back with everything else.

extension WriteTransaction {
  /// Checks that no other object has a row's values in a unique index.
  ///
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)``; nothing is written yet.
  func checkUnique(_ row: RowView, _ storage: ModelStorage) throws {
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    for index in storage.indexes where index.isUnique {
      bytes.count = 0
      entries.removeAll(keepingCapacity: true)
      try index.appendEntries(of: row, storage.layout, to: &bytes, &entries)
      for place in entries.indices {
        let entry = unsafe bytes.key(at: place, of: entries)
        switch entries[place].form {
        case .shared: continue
        case .alone:
          // Safety: the entry does not change during the call.
          let owner = try unsafe base.get(RawSpan(_unsafeBytes: entry), in: index.entries)
          // Safety: the owner's key is looked at before anything is written.
          guard let owner = unsafe owner?.withUnsafeBytes({ unsafe $0 }),
            unsafe KeySort.compare(owner, row.keyBytes) != 0
          else { continue }
          throw unsafe violation(of: index, row.keyBytes, owner, storage)
        case .cut:
          let code = unsafe UnsafeRawBufferPointer(rebasing: entry.dropLast(row.keyCount))
          if let owner = try unsafe owner(ofCut: code, place, of: row, index, storage) {
            throw owner
          }
        }
      }
    }
  }

  /// Looks whether one of the objects behind a cut code has the whole of a row's value.
  ///
  /// - Returns: The violation, if there is one.
  private func owner(
    ofCut code: UnsafeRawBufferPointer, _ place: Int, of row: RowView, _ index: IndexStorage,
    _ storage: ModelStorage
  ) throws -> StoreError? {
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    try index.appendEntries(of: row, storage.layout, to: &bytes, &entries, isWhole: true)
    let own = unsafe [UInt8](bytes.key(at: place, of: entries).dropLast(row.keyCount))
    var found: StoreError?
    try base.forEachBlock(of: index.entries, in: .prefix(unsafe [UInt8](code))) { block in
      for position in 0..<block.count {
        let key = try unsafe storage.primaryKey(of: block.entries[position], in: index)
        guard unsafe KeySort.compare(key, row.keyBytes) != 0,
          let other = try unsafe storage.row(key, in: base, arena)
        else { continue }
        bytes.count = 0
        entries.removeAll(keepingCapacity: true)
        try index.appendEntries(of: other, storage.layout, to: &bytes, &entries, isWhole: true)
        let isSame = entries.indices.contains { place in
          guard entries[place].form == .cut else { return false }
          return unsafe own.elementsEqual(
            bytes.key(at: place, of: entries).dropLast(other.keyCount))
        }
        guard isSame else { continue }
        found = unsafe violation(of: index, row.keyBytes, key, storage)
        return false
      }
      return true
    }
    return found
  }

  private func violation(
    of index: IndexStorage, _ key: UnsafeRawBufferPointer, _ owner: UnsafeRawBufferPointer,
    _ storage: ModelStorage
  ) -> StoreError {
    .uniqueViolation(
      model: storage.shape.name, fields: index.columns.map { storage.layout.names[$0.place] },
      key: unsafe storage.shape.describe(key: key),
      existing: unsafe storage.shape.describe(key: owner))
  }

  /// Writes a row's entries into a unique index, in the place of the row's before it.
  mutating func writeUnique(
    _ row: RowView, replacing old: RowView?, _ index: IndexStorage, _ storage: ModelStorage
  ) throws {
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    if let old { try index.appendEntries(of: old, storage.layout, to: &bytes, &entries) }
    let (middle, count) = (bytes.count, entries.count)
    try index.appendEntries(of: row, storage.layout, to: &bytes, &entries)
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
