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
    _ index: TableIndex, in transaction: inout LMDB.WriteTransaction,
    runBytes: Int = IndexWriter.longestBufferBytes
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
    of index: TableIndex, behind start: [UInt8], _ limits: IndexBuildLimits,
    in transaction: inout LMDB.WriteTransaction
  ) throws -> [UInt8]? {
    var pending = IndexWriter.PendingEntries()
    var unique = PendingUniqueEntries()
    var rowCount = 0
    let last = try forEachRow(
      behind: start, in: transaction, skipsDamaged: index.skipsDamagedRows
    ) { row in
      rowCount += 1
      if index.isUnique {
        try unique.append(row, index, layout)
      } else {
        try pending.append(row, index, layout, isRemoval: false)
      }
      return rowCount < limits.rowsPerStep
        && pending.byteCount + unique.byteCount < limits.bytesPerStep
    }
    try pending.flush(to: index.entries, &transaction)
    try unique.flush(to: index, of: self, &transaction)
    return last
  }

  /// Reads all rows once, and makes the entries that some indexes will have, without keeping them.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for the first row that cannot be read.
  /// - Complexity: O(*n*) for *n* rows.
  func checkRows(
    for indexes: [TableIndex], in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    _ = try forEachRow(behind: [], in: transaction) { row in
      for index in indexes {
        bytes.count = 0
        entries.removeAll(keepingCapacity: true)
        try index.appendEntries(of: row, layout, to: &bytes, &entries)
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

/// Entries of a unique index that is being built, which its tree does not have yet.
@safe
private struct PendingUniqueEntries: ~Copyable {
  /// Entries whose owner is their value, as the code with the primary key after it.
  private var unique = ByteList()
  /// Entries that cannot clash, because a value of theirs is nil.
  private var nonUnique = ByteList()
  /// The primary keys of rows with truncated codes, which must be compared with others' rows.
  private var truncated = ByteList()
  private var bytes = _ByteBuffer()
  private var entries: [IndexEntry] = []

  /// The bytes of the entries that have yet to be put.
  var byteCount: Int { unique.byteCount + nonUnique.byteCount + truncated.byteCount }

  /// Appends a row's entries.
  mutating func append(_ row: RecordView, _ index: TableIndex, _ layout: RecordLayout) throws {
    bytes.count = 0
    entries.removeAll(keepingCapacity: true)
    try index.appendEntries(of: row, layout, to: &bytes, &entries)
    for place in entries.indices {
      // Safety: the key is copied before the buffer changes.
      let key = unsafe bytes.key(at: place, of: entries)
      switch entries[place].form {
      case .nonUnique: unsafe nonUnique.append(key)
      case .truncated: unsafe truncated.append(row.keyBytes)
      case .unique:
        unsafe unique.bytes.append(contentsOf: key)
        unsafe unique.bytes.append(contentsOf: row.keyBytes)
        unique.endItem(at: unique.byteCount)
      }
    }
  }

  /// Puts the entries into the index's tree, and forgets them.
  ///
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)``.
  mutating func flush(
    to index: TableIndex, of model: Table, _ transaction: inout LMDB.WriteTransaction
  ) throws {
    unique.sort()
    for place in 0..<unique.count {
      try unsafe Self.put(unique[place], index, model, &transaction)
    }
    nonUnique.sort()
    var batch = index.entries.changes
    for place in 0..<nonUnique.count {
      try unsafe batch.append(nonUnique[place], isDelete: false, to: &transaction)
    }
    try batch.finish(&transaction)
    for place in 0..<truncated.count { try putTruncated(at: place, index, model, &transaction) }
    unique.removeAll()
    nonUnique.removeAll()
    truncated.removeAll()
  }

  /// Puts a code with a primary key as its value; a code that another object has is a violation.
  private static func put(
    _ entry: UnsafeRawBufferPointer, _ index: TableIndex, _ model: Table,
    _ transaction: inout LMDB.WriteTransaction
  ) throws {
    let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    let key = try unsafe model.primaryKey(ofKey: entry, value: nothing, in: index)
    // Safety: the entry does not change during the calls.
    let code = unsafe UnsafeRawBufferPointer(rebasing: entry.dropLast(key.count))
    let isNew = try unsafe transaction.put(
      code, .unique, of: key, into: index.entries, mode: .insert)
    guard !isNew,
      let owner = try unsafe transaction.get(RawSpan(_unsafeBytes: code), in: index.entries)?
        .copied()
    else { return }
    try unsafe owner.withUnsafeBytes { owner in
      // An element that a list holds twice gives its entry twice.
      if unsafe ByteList.compare(owner, key) != 0 {
        throw unsafe model.violation(of: index, key, owner)
      }
    }
  }

  /// Puts the entries of a row with truncated codes; another row with the same whole values is a
  /// violation.
  private mutating func putTruncated(
    at place: Int, _ index: TableIndex, _ model: Table,
    _ transaction: inout LMDB.WriteTransaction
  ) throws {
    let arena = RecordArena()
    bytes.count = 0
    entries.removeAll(keepingCapacity: true)
    guard let row = try unsafe model.row(truncated[place], in: transaction, arena) else { return }
    try model.checkUnique(row, in: index, transaction, arena)
    try index.appendEntries(of: row, model.layout, to: &bytes, &entries)
    for place in entries.indices where entries[place].form == .truncated {
      // Safety: the entry does not change during the call.
      try unsafe transaction.put(
        bytes.key(at: place, of: entries), .truncated, of: row.keyBytes, into: index.entries)
    }
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
