import LMDB

extension ModelStorage {
  /// Fills an empty index from the rows, in sorted runs of bounded memory.
  ///
  /// - Parameters:
  ///   - index: The index, whose tree is empty.
  ///   - transaction: Where it is built; where this throws, it must be aborted.
  ///   - runBytes: The bytes of entries that are sorted at a time.
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)`` where a unique index
  ///   finds the same values twice.
  /// - Complexity: O(*n* log *n*) for *n* rows.
  func build(
    _ index: IndexStorage, in transaction: inout LMDB.WriteTransaction,
    runBytes: Int = IndexBuffer.longestRunBytes
  ) throws {
    var run = IndexRun()
    var unique = UniqueRun()
    var next: KeyRange.Bound? = .unbounded
    while let start = next {
      next = try forEachRow(from: start, in: transaction) { row in
        if index.isUnique {
          try unique.take(row, index, layout)
        } else {
          try run.take(row, index, layout, isDelete: false)
        }
        return run.byteCount + unique.byteCount < runBytes
      }
      try run.apply(to: index.entries, &transaction)
      try unique.apply(to: index, of: self, &transaction)
    }
  }

  /// Lends rows by primary key, until the body returns false.
  ///
  /// - Returns: Where to go on behind the last row; nil where there is no more.
  private func forEachRow(
    from start: KeyRange.Bound, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RowView) throws -> Bool
  ) throws -> KeyRange.Bound? {
    let arena = RowArena()
    var next: KeyRange.Bound?
    try transaction.forEachBlock(of: rows, in: KeyRange(lower: start)) { block in
      arena.clear()
      var goesOn = true
      for place in 0..<block.count {
        // Safety: the bytes are used while the block is lent.
        let bytes = unsafe block.entries[place]
        // A block is taken as a whole: some more entries than were asked for.
        goesOn = try unsafe body(view(key: bytes.key, row: bytes.value, arena)) && goesOn
      }
      if !goesOn { next = .exclusive(block.key(at: block.count - 1).copied()) }
      return goesOn
    }
    return next
  }
}
