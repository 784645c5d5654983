import LMDB

// Running a plan over bytes: access, test, order, distinct, offset and limit. No object is made.

extension Plan {
  /// Calls the body with each row of the query's result, in order.
  ///
  /// - Parameters:
  ///   - transaction: The transaction to read in. Nothing may be written to it meanwhile.
  ///   - body: Returns false to stop.
  /// - Throws: ``StoreError`` where bytes cannot be read; what the body throws.
  func forEachMatch(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RowView) throws -> Bool
  ) throws {
    if query.limit == 0 { return }
    let arena = RowArena()
    let layout = table.layout
    func deliver(_ row: RowView) throws -> Bool {
      try row.checkSum(layout)
      return try body(row)
    }
    var window = try ResultWindow(query, table, catalog)
    guard isSorted else {
      return try forEachBatch(in: transaction, arena) { batch in
        for place in 0..<batch.count {
          guard try window.pass(batch[place], in: transaction, deliver) else { return false }
        }
        return true
      }
    }
    var sorter = try RowSorter(query, table, catalog)
    try forEachBatch(in: transaction, arena, keepsRows: true) { batch in
      for place in 0..<batch.count { try sorter.take(batch[place], in: transaction) }
      return true
    }
    try withExtendedLifetime(arena) {
      try sorter.forEach { try window.pass($0, in: transaction, deliver) }
    }
  }

  /// Batches with the rows that match, in the order of the delivery.
  ///
  /// - Parameters:
  ///   - transaction: The transaction to read in.
  ///   - arena: Lives as long as the rows are used.
  ///   - keepsRows: Whether rows are used when the body has returned; else the arena is cleared
  ///     from batch to batch.
  ///   - body: Returns false to stop.
  func forEachBatch(
    in transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RowArena,
    keepsRows: Bool = false, _ body: (borrowing RowBatch) throws -> Bool
  ) throws {
    let filter = try filter()
    switch (access, delivery) {
    case (.nothing, _): return
    case (.rows(let range), let delivery):
      var batch = RowBatch(table, arena)
      let direction =
        if case .walk(let walk) = delivery { walk.direction } else { Direction.forward }
      try transaction.forEachBlock(of: table.rows, in: range, direction: direction) { block in
        if !keepsRows { arena.clear() }
        try unsafe batch.fill(block.entries)
        try filter?.apply(to: &batch, in: transaction)
        return try body(batch)
      }
    case (.index(let index, let ranges), .walk(let walk)):
      var walker = IndexWalker(self, index, walk, filter, arena)
      try walker.run(ranges, in: transaction, body)
    case (.keys, _), (.index, _), (.union, _):
      var reader = RowReader(table, filter, arena, keepsRows: keepsRows)
      _ = try reader.read(keys(in: transaction), in: transaction, body)
    }
  }

  /// The primary keys that the access brings, ascending; some may be there twice.
  func keys(in transaction: borrowing some LMDB.Transaction & ~Copyable) throws -> ByteList {
    var keys = ByteList()
    try access.collect(into: &keys, table, in: transaction)
    keys.sort()
    return keys
  }
}

extension Plan.Access {
  fileprivate func collect(
    into keys: inout ByteList, _ table: Table,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    switch self {
    case .nothing: return
    case .keys(let codes):
      for code in codes { unsafe code.withUnsafeBytes { unsafe keys.append($0) } }
    case .rows(let range):
      try transaction.forEachBlock(of: table.rows, in: range) { block in
        for place in 0..<block.count { unsafe keys.append(block.entries[place].key) }
        return true
      }
    case .index(let index, let ranges):
      for range in ranges {
        try transaction.forEachBlock(of: index.entries, in: range) { block in
          for place in 0..<block.count {
            unsafe keys.append(try table.primaryKey(of: block.entries[place], in: index))
          }
          return true
        }
      }
    case .union(let members):
      CoverageMark.hit(.plansUnited)
      for member in members { try member.collect(into: &keys, table, in: transaction) }
    }
  }
}

/// Reads rows by their keys, a batch at a time.
struct RowReader: ~Copyable {
  private let table: Table
  private let filter: Filter?
  private var batch: RowBatch
  private let keepsRows: Bool

  init(_ table: Table, _ filter: Filter?, _ arena: RowArena, keepsRows: Bool) {
    self.table = table
    self.filter = filter
    self.keepsRows = keepsRows
    batch = RowBatch(table, arena)
  }

  /// Calls the body with batches of the rows that match; a key that repeats the last is passed over.
  ///
  /// - Returns: Whether the body wants to go on.
  mutating func read(
    _ keys: borrowing ByteList, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws -> Bool {
    batch.clear()
    for place in 0..<keys.count {
      if !keys.isRepeated(place) {
        let key = unsafe keys[place]
        // Safety: the key and the row live as long as the transaction is borrowed.
        if let row = try unsafe table.row(key, in: transaction, batch.arena) {
          batch.append(row)
        }
      }
      guard batch.isFull || place == keys.count - 1 else { continue }
      try filter?.apply(to: &batch, in: transaction)
      guard try body(batch) else { return false }
      batch.clear()
      if !keepsRows { batch.arena.clear() }
    }
    return true
  }
}
