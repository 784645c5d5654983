import LMDB

/// How much of an index is built at a time, where a program adds it to objects that exist.
struct IndexBuildLimits: Sendable {
  /// The most objects whose entries are made in the transaction that adds the index.
  ///
  /// Indexes over more are built step by step: each step is a transaction of its own, so that an
  /// interruption costs one step, and others write in between.
  var mostAtOnce = Threshold.rowsIndexedAtOnce.value
  /// The rows that a step reads, and some more.
  var rowsPerStep = Threshold.rowsPerIndexStep.value
  /// The bytes of entries that a step sorts, and some more.
  var bytesPerStep = Threshold.bytesPerIndexStep.value
}

extension Table {
  /// Builds an empty index from the rows, in sorted parts of bounded memory.
  ///
  /// - Parameters:
  ///   - index: The index, whose tree is empty.
  ///   - transaction: Where it is built; where this throws, it must be aborted.
  ///   - runBytes: The bytes of entries that are sorted at a time.
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)`` where a unique index
  ///   finds the same values twice.
  /// - Complexity: O(*n* log *n*) for *n* rows.
  func build(
    _ index: any TableIndex, in transaction: inout LMDB.WriteTransaction,
    runBytes: Int = EntryWriter.longestBufferBytes
  ) throws {
    let limits = IndexBuildLimits(rowsPerStep: .max, bytesPerStep: runBytes)
    var last: [UInt8]? = []
    while let start = last {
      last = try buildRun(of: index, behind: start, limits, in: &transaction)
    }
  }

  /// Makes the entries of the rows after a key, as many as are sorted at a time.
  ///
  /// - Parameters:
  ///   - index: The index, whose tree has the entries of the rows up to the key.
  ///   - start: The key of the last row that has its entries; empty for none.
  ///   - limits: How many rows and bytes of entries at a time, and some more.
  ///   - transaction: Where it is built; where this throws, it must be aborted.
  /// - Returns: The key of the last row that now has its entries; nil where there are no more.
  /// - Throws: As ``build(_:in:runBytes:)``.
  func buildRun(
    of index: any TableIndex, behind start: [UInt8], _ limits: IndexBuildLimits,
    in transaction: inout LMDB.WriteTransaction
  ) throws -> [UInt8]? {
    let writer = index.makeWriter(of: self)
    var rowCount = 0
    let last = try forEachRow(
      behind: start, in: transaction, skipsDamaged: index.status.skipsDamagedRows
    ) { row in
      rowCount += 1
      return try writer.build(row) < limits.bytesPerStep && rowCount < limits.rowsPerStep
    }
    try writer.finish(in: &transaction)
    return last
  }

  /// Reads all rows once, and makes what some indexes will have of them, without keeping it.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for the first row that cannot be read.
  /// - Complexity: O(*n*) for *n* rows.
  func checkRows(
    for indexes: [any TableIndex], in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    var writers = indexes.map { $0.makeWriter(of: self) }
    _ = try forEachRow(behind: [], in: transaction) { row in
      for (ordinal, writer) in writers.enumerated()
      where try writer.build(row) > Threshold.bytesPerIndexStep.value {
        writers[ordinal] = indexes[ordinal].makeWriter(of: self)
      }
      return true
    }
  }

  /// Passes rows by primary key, until the body returns false.
  ///
  /// - Parameter skipsDamaged: Whether rows that cannot be read are passed over.
  /// - Returns: The key of the last row borrowed, where the body returned false.
  private func forEachRow(
    behind start: [UInt8], in transaction: borrowing some LMDB.Transaction & ~Copyable,
    skipsDamaged: Bool = false, _ body: (RecordView) throws -> Bool
  ) throws -> [UInt8]? {
    let arena = RecordArena()
    var last: [UInt8]?
    let range = start.isEmpty ? KeyRange.all : KeyRange(lower: .exclusive(start))
    try transaction.forEachBlock(of: rows, in: range) { block in
      arena.clear()
      var continues = true
      for place in 0..<block.count {
        // Safety: the bytes are used while the block is borrowed.
        let bytes = unsafe block.entries[place]
        // A block is taken as a whole: some more entries than the limit.
        let row: RecordView
        do {
          row = try unsafe view(key: bytes.key, row: bytes.value, arena)
          try row.checkSum(layout)
        } catch StoreError.corrupt where skipsDamaged {
          // `verify()` reports the row, and an object of it is an error as before.
          continue
        }
        continues = try body(row) && continues
      }
      if !continues { last = block.key(at: block.count - 1).copied() }
      return continues
    }
    return last
  }
}

/// The progress of rebuilding indexes.
public struct IndexRebuildProgress: Sendable, Hashable {
  /// The model whose index is being built.
  public let model: String
  /// The properties that the index is over, in its order.
  public let properties: [String]
  /// How many entries it has so far.
  public let entries: Int
  /// The number of indexes that are complete.
  public let done: Int
  /// The number of indexes to build.
  public let total: Int

  /// The part of the indexes that is done, from 0 to 1.
  public var fraction: Double { total == 0 ? 1 : Double(done) / Double(total) }
}
