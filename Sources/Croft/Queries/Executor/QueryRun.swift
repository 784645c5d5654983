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
  func keys(in transaction: borrowing some LMDB.Transaction & ~Copyable) throws -> KeyList {
    var keys = KeyList(width: table.layout.keyWidth)
    try access.collect(into: &keys, table, in: transaction)
    keys.sort()
    return keys
  }
}

extension Plan.Access {
  fileprivate func collect(
    into keys: inout KeyList, _ table: Table,
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

extension Plan {
  /// Calls the body with a decoder at each row of the query's result, in order.
  func forEachDecoded(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (inout _RowDecoder) throws -> Bool
  ) throws {
    var decoder = _RowDecoder(layout: table.layout)
    try forEachMatch(in: transaction) { row in
      decoder.move(to: row)
      return try body(&decoder)
    }
  }
}

extension Table {
  /// Lends the row of a key's code to a closure, if there is one.
  func withRow(
    _ key: UnsafeRawBufferPointer, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ arena: RowArena, _ body: (inout _RowDecoder) throws -> Void
  ) throws {
    arena.clear()
    // Safety: the caller lends the key and keeps the arena until the closure has returned.
    guard let row = try unsafe row(key, in: transaction, arena) else { return }
    try row.checkSum(layout)
    var decoder = _RowDecoder(layout: layout)
    decoder.move(to: row)
    try body(&decoder)
  }
}

extension Plan {
  /// How many rows the query's result has.
  func count(in transaction: borrowing some LMDB.Transaction & ~Copyable) throws -> Int {
    if query.limit == 0 { return 0 }
    let count: Int
    if !query.distinct.isEmpty {
      count = try countDistinct(in: transaction)
    } else if residual == nil, let entries = try countEntries(in: transaction) {
      count = entries
    } else {
      count = try countRows(in: transaction)
    }
    let behindOffset = max(0, count - query.offset)
    return min(behindOffset, query.limit ?? behindOffset)
  }

  /// The rows without looking at them, where each is one entry; nil where it is not so.
  private func countEntries(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Int? {
    switch access {
    case .nothing: return 0
    case .rows(.all): return try transaction.count(of: table.rows)
    case .rows(let range):
      if let counted { return counted }
      return try transaction.count(of: table.rows, in: range, upTo: .max)
    case .index(let index, let ranges):
      guard index.columns.allSatisfy({ table.schema.givesOneEntry($0) }) else {
        return try keys(in: transaction).countDifferent()
      }
      if let counted { return counted }
      return try ranges.reduce(0) { count, range in
        try count + transaction.count(of: index.entries, in: range, upTo: .max)
      }
    // A key that was asked for need not exist.
    case .union where access.asksForKeys: return nil
    case .union: return try keys(in: transaction).countDifferent()
    case .keys: return nil
    }
  }

  /// How many entries the choice of the plan has counted, if it went to the end.
  private var counted: Int? { rows.flatMap { $0.isExact ? $0.count : nil } }

  private func countRows(in transaction: borrowing some LMDB.Transaction & ~Copyable) throws -> Int
  {
    var count = 0
    let most = query.limit.map { min($0, Int.max - query.offset) + query.offset } ?? .max
    try forEachBatch(in: transaction, RowArena()) { batch in
      count += batch.count
      return count < most
    }
    return count
  }

  private func countDistinct(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Int {
    var seen = try DistinctValues(query.distinct, table, catalog)
    try forEachBatch(in: transaction, RowArena()) { batch in
      for place in 0..<batch.count { _ = try seen.insert(batch[place], in: transaction) }
      return true
    }
    return seen.count
  }
}

extension Plan.Access {
  /// Whether single keys are among what it brings.
  fileprivate var asksForKeys: Bool {
    switch self {
    case .keys: true
    case .union(let members): members.contains(where: \.asksForKeys)
    case .nothing, .rows, .index: false
    }
  }
}

/// Puts rows into a query's order by key codes, keeping only what the limit can show.
///
/// A row's code is its sort columns' codes, descending ones inverted, then its primary
/// key: codes compare as the order does, and no two are equal.
@safe
struct RowSorter: ~Copyable {
  private struct Entry {
    var prefix: UInt64
    var start: Int
    var count: Int
    var row: RowView
  }

  private let columns: [SortColumn]
  /// How many rows the limit can show, offset included.
  private let most: Int?
  private var codes = _ByteBuffer(capacity: 4096)
  private var entries: [Entry] = []
  /// The start of the last code that the limit can show so far; greater ones need not be kept.
  private var lastPrefix = UInt64.max

  init(_ query: QueryCore, _ table: Table, _ catalog: Catalog) throws {
    columns = try query.order.map {
      try SortColumn($0.path, isDescending: $0.isDescending, table, catalog)
    }
    let offset = query.offset
    // Distinct values are told apart behind the sort, so that any row may be shown.
    most =
      query.distinct.isEmpty ? query.limit.map { min($0, Int.max - offset) + offset } : nil
  }

  /// Takes a row, whose bytes must stay where they are until the sorter is done.
  ///
  /// Its key's bytes are copied: where an index found it, they are a list's that goes.
  mutating func take(
    _ row: RowView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    let start = codes.count
    for column in columns { try column.appendCode(of: row, to: &codes, in: transaction) }
    unsafe codes.append(contentsOf: row.keyBytes)
    let count = codes.count - start
    // Safety: the code was just written there.
    let code = unsafe UnsafeRawBufferPointer(start: codes.base + start, count: count)
    let prefix = unsafe KeySort.prefix(code)
    if prefix > lastPrefix {
      codes.count = start
      return
    }
    entries.append(Entry(prefix: prefix, start: start, count: count, row: row))
    // A difference, because a limit of all there can be leaves no room for a sum.
    if let most, entries.count - most > max(most, Threshold.rowsPastLimit.value) { prune(to: most) }
  }

  /// Calls the body with the rows in order, until it returns false.
  mutating func forEach(_ body: (RowView) throws -> Bool) throws {
    sort()
    for entry in entries.prefix(most ?? entries.count) {
      guard try body(view(of: entry)) else { return }
    }
  }

  /// The row, with its key in the codes: the bytes it came with may be gone.
  private func view(of entry: Entry) -> RowView {
    // Safety: a code ends with its row's key.
    unsafe entry.row.under(
      UnsafeRawPointer(codes.base + entry.start + entry.count - entry.row.keyCount))
  }

  private mutating func sort() {
    let base = unsafe codes.base
    entries.sort { left, right in
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      // Safety: both codes lie in the buffer, which is not changed while it is sorted.
      return unsafe KeySort.compare(
        UnsafeRawBufferPointer(start: base + left.start, count: left.count),
        UnsafeRawBufferPointer(start: base + right.start, count: right.count)) < 0
    }
  }

  /// Drops what can no longer be shown, and its codes.
  private mutating func prune(to most: Int) {
    CoverageMark.hit(.sorterPruned)
    sort()
    entries.removeLast(entries.count - most)
    lastPrefix = entries.last?.prefix ?? 0
    var kept = _ByteBuffer(capacity: max(4096, codes.count / 2))
    for place in entries.indices {
      let entry = entries[place]
      entries[place].start = kept.count
      // Safety: the code lies in the old buffer.
      unsafe kept.append(
        contentsOf: UnsafeRawBufferPointer(start: codes.base + entry.start, count: entry.count))
    }
    codes = kept
  }
}

/// Distinct values, offset and limit, over rows that come in the query's order.
struct ResultWindow: ~Copyable {
  private var offset: Int
  private var open: Int
  private var seen: DistinctValues?

  init(_ query: QueryCore, _ table: Table, _ catalog: Catalog) throws {
    offset = query.offset
    open = query.limit ?? .max
    seen = query.distinct.isEmpty ? nil : try DistinctValues(query.distinct, table, catalog)
  }

  /// Hands a row to the body where it is inside.
  ///
  /// - Returns: Whether more rows are wanted.
  mutating func pass(
    _ row: RowView, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RowView) throws -> Bool
  ) throws -> Bool {
    if let isNew = try seen?.insert(row, in: transaction), !isNew { return true }
    if offset > 0 {
      offset -= 1
      return true
    }
    open -= 1
    return try body(row) && open > 0
  }
}
