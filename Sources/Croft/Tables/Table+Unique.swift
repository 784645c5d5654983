import LMDB

extension Table {
  /// Looks for another object that has a row's values in a unique index.
  ///
  /// - Parameters:
  ///   - row: The row, written or not.
  ///   - index: A unique index, whose entries are all in its tree.
  ///   - transaction: The transaction to look in.
  ///   - arena: For rows of other layouts.
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)``.
  func checkUnique(
    _ row: RowView, in index: TableIndex,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RowArena
  ) throws {
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    try index.appendEntries(of: row, layout, to: &bytes, &entries)
    for place in entries.indices {
      let entry = unsafe bytes.key(at: place, of: entries)
      switch entries[place].form {
      case .shared: continue
      case .alone:
        // Safety: the entry does not change during the call, and nothing is written meanwhile.
        let owner = try unsafe transaction.get(RawSpan(_unsafeBytes: entry), in: index.entries)
        guard let owner = unsafe owner?.withUnsafeBytes({ unsafe $0 }),
          unsafe KeySort.compare(owner, row.keyBytes) != 0
        else { continue }
        throw unsafe violation(of: index, row.keyBytes, owner)
      case .cut:
        let code = unsafe UnsafeRawBufferPointer(rebasing: entry.dropLast(row.keyCount))
        try unsafe checkCut(code, place, of: row, in: index, transaction, arena)
      }
    }
  }

  /// Compares the whole of a cut value with those of the objects behind the same code.
  private func checkCut(
    _ code: UnsafeRawBufferPointer, _ place: Int, of row: RowView, in index: TableIndex,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RowArena
  ) throws {
    CoverageMark.hit(.uniqueCutCompared)
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    try index.appendEntries(of: row, layout, to: &bytes, &entries, isWhole: true)
    let own = unsafe [UInt8](bytes.key(at: place, of: entries).dropLast(row.keyCount))
    try transaction.forEachBlock(of: index.entries, in: .prefix(unsafe [UInt8](code))) { block in
      for position in 0..<block.count {
        let key = try unsafe primaryKey(of: block.entries[position], in: index)
        guard unsafe KeySort.compare(key, row.keyBytes) != 0,
          let other = try unsafe self.row(key, in: transaction, arena)
        else { continue }
        bytes.count = 0
        entries.removeAll(keepingCapacity: true)
        try index.appendEntries(of: other, layout, to: &bytes, &entries, isWhole: true)
        for place in entries.indices where entries[place].form == .cut {
          let value = unsafe bytes.key(at: place, of: entries).dropLast(other.keyCount)
          if unsafe own.elementsEqual(value) {
            CoverageMark.hit(.uniqueCutClash)
            throw unsafe violation(of: index, row.keyBytes, key)
          }
        }
      }
      return true
    }
  }

  /// The error for two objects with the same values in a unique index.
  func violation(
    of index: TableIndex, _ key: UnsafeRawBufferPointer, _ owner: UnsafeRawBufferPointer
  ) -> StoreError {
    .uniqueViolation(
      model: schema.name, fields: index.columns.map { layout.names[$0.place] },
      key: unsafe schema.describe(key: key), existing: unsafe schema.describe(key: owner))
  }
}
