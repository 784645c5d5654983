import LMDB

// Running a query over bytes: access, test, order, offset and limit. No object is made here.

extension ModelStorage {
  /// Calls the body with each row of a query's result, in order.
  ///
  /// - Parameters:
  ///   - query: The query; its columns are this model's.
  ///   - transaction: The transaction to read in. Nothing may be written to it meanwhile.
  ///   - body: Returns false to stop.
  /// - Throws: ``StoreError`` where bytes cannot be read; what the body throws.
  func forEachMatch(
    _ query: QueryCore, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RowView) throws -> Bool
  ) throws {
    if query.limit == 0 { return }
    let plan = Plan(query.condition, self)
    let arena = RowArena()
    if query.order.isEmpty {
      var passed = 0
      var taken = 0
      try forEachUnordered(plan, in: transaction, arena) { row in
        passed += 1
        if passed <= query.offset { return true }
        taken += 1
        return try body(row) && taken != query.limit
      }
      return
    }
    var sorter = RowSorter(query, layout)
    try forEachUnordered(plan, in: transaction, arena, keepsRows: true) { row in
      try sorter.take(row)
      return true
    }
    try withExtendedLifetime(arena) { try sorter.forEach(body) }
  }

  /// How many rows a query's result has, before the limit is looked at.
  func countMatches(
    _ query: QueryCore, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Int {
    let plan = Plan(query.condition, self)
    var count = 0
    switch (plan.access, plan.residual) {
    case (.rows(.all), nil): count = try transaction.count(of: rows)
    case (.rows(let range), nil):
      try transaction.forEachBlock(of: rows, in: range) { block in
        count += block.count
        return true
      }
    case (.index(let index, let ranges, _), nil):
      for range in ranges {
        try transaction.forEachBlock(of: index.entries, in: range) { block in
          count += block.count
          return true
        }
      }
    default:
      try forEachBatch(plan, in: transaction, RowArena()) { batch in
        count += batch.selection.count
        return true
      }
    }
    let behindOffset = max(0, count - query.offset)
    return min(behindOffset, query.limit ?? behindOffset)
  }

  /// Rows that match, by primary key.
  private func forEachUnordered(
    _ plan: Plan, in transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RowArena,
    keepsRows: Bool = false, _ body: (RowView) throws -> Bool
  ) throws {
    try forEachBatch(plan, in: transaction, arena, keepsRows: keepsRows) { batch in
      for place in batch.selection where try !body(batch.rows[Int(place)]) { return false }
      return true
    }
  }

  /// Blocks of rows with the matching ones selected, by primary key.
  ///
  /// - Parameters:
  ///   - plan: How to reach the rows.
  ///   - transaction: The transaction to read in.
  ///   - arena: Lives as long as the rows are used.
  ///   - keepsRows: Whether rows are used when the body has returned; else the arena is cleared
  ///     from block to block.
  ///   - body: Returns false to stop.
  func forEachBatch(
    _ plan: Plan, in transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RowArena,
    keepsRows: Bool = false, _ body: (RowBatch) throws -> Bool
  ) throws {
    var batch = RowBatch(self, arena)
    switch plan.access {
    case .nothing: return
    case .rows(let range):
      try transaction.forEachBlock(of: rows, in: range) { block in
        if !keepsRows { arena.clear() }
        try unsafe batch.fill(block.entries)
        try plan.residual?.apply(to: &batch)
        return try body(batch)
      }
    case .keys(let codes):
      var keys = KeyList(width: nil)
      for code in codes { unsafe code.withUnsafeBytes { unsafe keys.append($0) } }
      _ = try fetch(keys, plan.residual, &batch, keepsRows, in: transaction, body)
    case .index(let index, let ranges, isOneValue: true):
      try forEachKeyBlock(index, ranges, in: transaction) { keys in
        let goesOn = try fetch(keys, plan.residual, &batch, keepsRows, in: transaction, body)
        keys.clear()
        return goesOn
      }
    case .index(let index, let ranges, isOneValue: false):
      var keys = KeyList(width: layout.keyWidth)
      try forEachKeyBlock(index, ranges, in: transaction, into: &keys)
      keys.sort()
      _ = try fetch(keys, plan.residual, &batch, keepsRows, in: transaction, body)
    }
  }

  /// Reads rows by their keys, a batch at a time.
  ///
  /// - Returns: Whether the body wants to go on.
  private func fetch(
    _ keys: borrowing KeyList, _ residual: Filter?, _ batch: inout RowBatch, _ keepsRows: Bool,
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RowBatch) throws -> Bool
  ) throws -> Bool {
    batch.clear()
    for place in 0..<keys.count {
      let key = unsafe keys[place]
      // Safety: the span and the row live as long as the transaction is borrowed.
      if let row = try unsafe transaction.get(RawSpan(_unsafeBytes: key), in: rows) {
        batch.append(
          try unsafe view(key: key, row: row.withUnsafeBytes { unsafe $0 }, batch.arena))
      }
      guard batch.rows.count == RowBatch.capacity || place == keys.count - 1 else { continue }
      try residual?.apply(to: &batch)
      guard try body(batch) else { return false }
      batch.clear()
      if !keepsRows { batch.arena.clear() }
    }
    return true
  }

  /// The primary keys of an index's entries, a block at a time.
  private func forEachKeyBlock(
    _ index: IndexStorage, _ ranges: [KeyRange],
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (inout KeyList) throws -> Bool
  ) throws {
    var keys = KeyList(width: layout.keyWidth)
    var goesOn = true
    for range in ranges where goesOn {
      try transaction.forEachBlock(of: index.entries, in: range) { block in
        for place in 0..<block.count {
          unsafe keys.append(try primaryKey(of: block.entries[place], in: index))
        }
        goesOn = try body(&keys)
        return goesOn
      }
    }
  }

  private func forEachKeyBlock(
    _ index: IndexStorage, _ ranges: [KeyRange],
    in transaction: borrowing some LMDB.Transaction & ~Copyable, into keys: inout KeyList
  ) throws {
    for range in ranges {
      try transaction.forEachBlock(of: index.entries, in: range) { block in
        for place in 0..<block.count {
          unsafe keys.append(try primaryKey(of: block.entries[place], in: index))
        }
        return true
      }
    }
  }
}
