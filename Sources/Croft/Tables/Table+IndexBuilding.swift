import LMDB

extension Table {
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
    _ index: TableIndex, in transaction: inout LMDB.WriteTransaction,
    runBytes: Int = IndexBuffer.longestRunBytes
  ) throws {
    let limits = IndexBuilding(rowsPerStep: .max, bytesPerStep: runBytes)
    var last: [UInt8]? = []
    while let start = last {
      last = try buildRun(of: index, behind: start, limits, in: &transaction)
    }
  }

  /// Makes the entries of the rows behind a key, as many as are sorted at a time.
  ///
  /// - Parameters:
  ///   - index: The index, whose tree has the entries of the rows up to the key.
  ///   - start: The key of the last row that has its entries; empty for none.
  ///   - limits: How many rows and bytes of entries at a time, and some more.
  ///   - transaction: Where it is built; where this throws, it must be aborted.
  /// - Returns: The key of the last row that now has its entries; nil where there are no more.
  /// - Throws: As ``build(_:in:runBytes:)``.
  func buildRun(
    of index: TableIndex, behind start: [UInt8], _ limits: IndexBuilding,
    in transaction: inout LMDB.WriteTransaction
  ) throws -> [UInt8]? {
    var run = IndexRun()
    var unique = UniqueRun()
    var rowCount = 0
    let last = try forEachRow(behind: start, in: transaction) { row in
      rowCount += 1
      if index.isUnique {
        try unique.take(row, index, layout)
      } else {
        try run.take(row, index, layout, isDelete: false)
      }
      return rowCount < limits.rowsPerStep
        && run.byteCount + unique.byteCount < limits.bytesPerStep
    }
    try run.apply(to: index.entries, &transaction)
    try unique.apply(to: index, of: self, &transaction)
    return last
  }

  /// Lends rows by primary key, until the body returns false.
  ///
  /// - Returns: The key of the last row lent, where the body returned false.
  private func forEachRow(
    behind start: [UInt8], in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RowView) throws -> Bool
  ) throws -> [UInt8]? {
    let arena = RowArena()
    var last: [UInt8]?
    let range = start.isEmpty ? KeyRange.all : KeyRange(lower: .exclusive(start))
    try transaction.forEachBlock(of: rows, in: range) { block in
      arena.clear()
      var goesOn = true
      for place in 0..<block.count {
        // Safety: the bytes are used while the block is lent.
        let bytes = unsafe block.entries[place]
        // A block is taken as a whole: some more entries than were asked for.
        let row = try unsafe view(key: bytes.key, row: bytes.value, arena)
        try row.checkSum(layout)
        goesOn = try body(row) && goesOn
      }
      if !goesOn { last = block.key(at: block.count - 1).copied() }
      return goesOn
    }
    return last
  }
}
