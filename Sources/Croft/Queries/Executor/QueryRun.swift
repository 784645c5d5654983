import LMDB

/// One run of a query: it takes the steps that its plan names, over bytes, without making objects.
///
/// 1. The access reads rows in batches: by the rows' tree, by an index, or by single keys.
/// 2. The filter drops the rows that do not match what the access leaves to test. Rows that are handed
///    out are tested for what index entries said of them, which have no checksum.
/// 3. The sorter orders the rows where the access does not deliver them in the query's order.
/// 4. The window drops rows with values seen before, passes over the offset and ends at the limit.
///
/// Threads: confined to the thread of its transaction.
struct QueryRun: ~Copyable {
  private let plan: Plan
  /// The plan's residual, compiled; nil where the access answers the whole condition.
  private let filter: Filter?
  /// When it began; nil where nobody measures queries.
  private let start: ContinuousClock.Instant?

  /// Prepares a run: compiles the condition that is left to test.
  ///
  /// - Throws: ``StoreError/conditionTooDeep(model:)``; ``StoreError/expressionTooDeep(model:)``;
  ///   ``StoreError/unknownModel(model:)`` where the condition leads to a model that was not opened.
  init(_ plan: Plan) throws {
    start = plan.catalog.monitor.startOfQuery
    // A limit of zero reads no row, so it has nothing to test.
    filter =
      plan.query.limit == 0
      ? nil : try plan.residual.map { try Filter($0, plan.table.layout, plan.catalog) }
    // Its last use, which moves it: a copy retains all that the plan refers to.
    self.plan = plan
  }

  deinit {
    if let start { plan.catalog.monitor.ended(plan, since: start) }
  }

  /// Calls the body with each row of the query's result, in order.
  ///
  /// - Parameters:
  ///   - transaction: The transaction to read in. Nothing may be written to it meanwhile.
  ///   - body: Returns false to stop.
  /// - Throws: ``StoreError`` where bytes cannot be read; what the body throws.
  func forEach(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RecordView) throws -> Bool
  ) throws {
    if plan.query.limit == 0 { return }
    let arena = RecordArena()
    let layout = plan.table.layout
    func deliver(_ row: RecordView) throws -> Bool {
      try row.checkSum(layout)
      return try body(row)
    }
    let entryFilter = try plan.answered.map { try Filter($0, layout, plan.catalog) }
    var window = try Window(plan)
    if let lookup = plan.ranked {
      var ranked = try RankedRows(plan, lookup, filter, arena)
      return try withExtendedLifetime(arena) {
        try ranked.forEach(in: transaction) { try window.pass($0, in: transaction, deliver) }
      }
    }
    var order = try OrderCheck(of: plan)
    guard plan.isSorted else {
      return try forEachBatch(in: transaction, arena, entryFilter) { batch in
        for place in 0..<batch.count {
          try order?.check(batch[place], in: transaction)
          guard try window.pass(batch[place], in: transaction, deliver) else { return false }
        }
        return true
      }
    }
    var sorter = try Sorter(plan)
    try forEachBatch(in: transaction, arena, entryFilter, keepsRows: true) { batch in
      for place in 0..<batch.count { try sorter.add(batch[place], in: transaction) }
      return true
    }
    try withExtendedLifetime(arena) {
      try sorter.forEach(checking: { try transaction.checkProgress() }) {
        try window.pass($0, in: transaction, deliver)
      }
    }
  }

  /// Calls the body with a decoder at each row of the query's result, in order.
  func forEachDecoded(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (inout _RecordDecoder) throws -> Bool
  ) throws {
    var decoder = _RecordDecoder(layout: plan.table.layout)
    decoder.expectedRows = try expectedRows(in: transaction)
    try forEach(in: transaction) { row in
      decoder.move(to: row)
      return try body(&decoder)
    }
  }

  /// How many rows the result has, where that is known before they are read; else 0.
  private func expectedRows(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Int {
    guard filter == nil, plan.query.distinct.isEmpty, case .rows(.all) = plan.access else {
      return 0
    }
    let count = max(0, try transaction.count(of: plan.table.rows) - plan.query.offset)
    // The count of a damaged tree may be any.
    return min(count, plan.query.limit ?? count, Threshold.expectedRows.value)
  }

  /// The primary keys of the query's result, in its order.
  func resultKeys(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> ByteList {
    var keys = ByteList()
    try forEach(in: transaction) { row in
      // Safety: the list copies the bytes.
      unsafe keys.append(row.keyBytes)
      return true
    }
    return keys
  }

  /// Calls the body with each row of the query's result and the values that are read of it, in order.
  func forEach(
    reading: _RowReading, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (_RowReference) throws -> Bool
  ) throws {
    let layout = plan.table.layout
    let readers = try reading.readers(layout, plan.catalog)
    var values: [StoredValue] = []
    try forEach(in: transaction) { row in
      values.removeAll(keepingCapacity: true)
      for reader in readers { values.append(try reader.value(in: row, transaction)) }
      return try body(_RowReference(view: row, layout: layout, values: values))
    }
  }

  /// Reads the rows of the access in batches, and calls the body with those that match.
  ///
  /// - Parameters:
  ///   - arena: Holds rows of other layouts; it must live as long as the rows are used.
  ///   - entryFilter: What index entries say of the rows that they bring; nil to count rows.
  ///   - keepsRows: Whether rows are used when the body has returned; else the arena is cleared
  ///     from batch to batch.
  ///   - body: Returns false to stop.
  private func forEachBatch(
    in transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RecordArena,
    _ entryFilter: Filter? = nil, keepsRows: Bool = false,
    _ body: (borrowing Filter.Batch) throws -> Bool
  ) throws {
    let table = plan.table
    switch (plan.access, plan.delivery) {
    case (.nothing, _): return
    case (.rows(let range), let delivery):
      var batch = Filter.Batch(table, arena)
      let direction =
        if case .walk(let walk) = delivery { walk.direction } else { KeyRange.Direction.forward }
      try transaction.forEachBlock(of: table.rows, in: range, direction: direction) { block in
        try transaction.checkProgress()
        if !keepsRows { arena.clear() }
        try unsafe batch.fill(block.entries)
        try filter?.apply(to: &batch, in: transaction)
        return try body(batch)
      }
    case (.index(let index, let ranges), .walk(let walk)):
      var walker = IndexWalker(plan, index, walk, filter, entryFilter, arena)
      try walker.run(ranges, in: transaction, body)
    case (.keys, _), (.index, _), (.lookup, _), (.union, _), (.intersection, _):
      let isOfIndex =
        switch plan.access {
        case .index, .lookup, .intersection: true
        case .nothing, .rows, .keys, .union: false
        }
      var reader = RowReader(
        plan, filter, entryFilter, arena, keepsRows: keepsRows, isOfIndex: isOfIndex)
      guard case (.lookup(let lookup), .walk) = (plan.access, plan.delivery) else {
        _ = try reader.read(keys(in: transaction), in: transaction, body)
        return
      }
      // In the order of the index, and only as many as are wanted.
      var key = ByteList()
      // Safety: the key is copied during the call.
      try unsafe lookup.forEachCandidate(in: transaction) { candidate in
        key.removeAll()
        unsafe key.append(candidate)
        return try reader.read(key, in: transaction, body)
      }
    }
  }

  /// The primary keys that the access brings, ascending; some may be there twice.
  private func keys(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> ByteList {
    var keys = ByteList()
    try plan.access.collect(into: &keys, plan.table, in: transaction)
    keys.sort()
    return keys
  }

  func count(in transaction: borrowing some LMDB.Transaction & ~Copyable) throws -> Int {
    let query = plan.query
    if query.limit == 0 { return 0 }
    let count: Int
    if !query.distinct.isEmpty {
      count = try countDistinct(in: transaction)
    } else if plan.residual == nil, let entries = try countEntries(in: transaction) {
      count = entries
    } else if plan.countsByLists, let known = try countByLists(in: transaction) {
      count = known
    } else {
      count = try countRows(in: transaction)
    }
    let behindOffset = max(0, count - query.offset)
    return min(behindOffset, query.limit ?? behindOffset)
  }

  /// Counts the entries of the access alone; nil where an entry need not be a row of the result.
  private func countEntries(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Int? {
    let table = plan.table
    switch plan.access {
    case .nothing: return 0
    case .rows(.all): return try transaction.count(of: table.rows)
    case .rows(let range):
      if let counted = plan.countedRows { return counted }
      return try transaction.countChecking(table.rows, in: range, upTo: .max)
    case .index(let index, let ranges):
      guard index.columns.allSatisfy({ table.schema.givesOneEntry($0) }) else {
        return try keys(in: transaction).countDifferent()
      }
      if let counted = plan.countedRows { return counted }
      return try ranges.reduce(0) { count, range in
        try count + transaction.countChecking(index.entries, in: range, upTo: .max)
      }
    // A key that was asked for need not exist.
    case .union where plan.access.asksForKeys: return nil
    case .union, .intersection: return try keys(in: transaction).countDifferent()
    case .keys, .lookup: return nil
    }
  }

  /// Counts the rows of which a search index knows that they match, and tests the others.
  private func countByLists(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Int? {
    guard case .lookup(let access) = plan.access, let lookup = access as? TextLookup else {
      return nil
    }
    var open = ByteList()
    var count = try lookup.countCertain(in: transaction, addingOthersTo: &open)
    open.sort()
    var reader = RowReader(
      plan, filter, nil, RecordArena(), keepsRows: false, isOfIndex: true)
    _ = try reader.read(open, in: transaction) { batch in
      count += batch.count
      return true
    }
    return count
  }

  private func countRows(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Int {
    var count = 0
    let query = plan.query
    let most = query.limit.map { min($0, Int.max - query.offset) + query.offset } ?? .max
    try forEachBatch(in: transaction, RecordArena()) { batch in
      count += batch.count
      return count < most
    }
    return count
  }

  private func countDistinct(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Int {
    var seen = try DistinctValues(plan)
    try forEachBatch(in: transaction, RecordArena()) { batch in
      for place in 0..<batch.count { _ = try seen.insert(batch[place], in: transaction) }
      return true
    }
    return seen.count
  }
}

extension Plan.Access {
  /// Appends the primary keys of the access to a list.
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
        try transaction.checkProgress()
        for place in 0..<block.count { unsafe keys.append(block.entries[place].key) }
        return true
      }
    case .index(let index, let ranges):
      for range in ranges {
        try transaction.forEachBlock(of: index.entries, in: range) { block in
          try transaction.checkProgress()
          for place in 0..<block.count {
            unsafe keys.append(try table.primaryKey(of: block.entries[place], in: index))
          }
          return true
        }
      }
    case .lookup(let lookup):
      // Safety: the key is copied during the call.
      try unsafe lookup.forEachCandidate(in: transaction) { key in
        unsafe keys.append(key)
        return true
      }
    case .union(let members):
      CoverageMark.hit(.plansUnited)
      for member in members { try member.collect(into: &keys, table, in: transaction) }
    case .intersection(let members):
      CoverageMark.hit(.plansIntersected)
      for (ordinal, member) in members.enumerated() {
        var found = ByteList()
        try member.collect(into: &found, table, in: transaction)
        found.sort()
        if ordinal == 0 { keys = found } else { keys.formIntersection(found) }
      }
    }
  }

  /// Whether the access looks up single keys.
  fileprivate var asksForKeys: Bool {
    switch self {
    case .keys: true
    case .union(let members): members.contains(where: \.asksForKeys)
    case .nothing, .rows, .index, .lookup, .intersection: false
    }
  }
}

extension QueryRun {
  /// Applies distinct values, offset and limit to rows that come in the query's order.
  struct Window: ~Copyable {
    private var offset: Int
    private var left: Int
    private var seen: DistinctValues?

    init(_ plan: Plan) throws {
      offset = plan.query.offset
      left = plan.query.limit ?? .max
      seen = plan.query.distinct.isEmpty ? nil : try DistinctValues(plan)
    }

    /// Calls the body with a row that is in the window; whether more rows are wanted.
    mutating func pass(
      _ row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable,
      _ body: (RecordView) throws -> Bool
    ) throws -> Bool {
      if let isNew = try seen?.insert(row, in: transaction), !isNew { return true }
      if offset > 0 {
        offset -= 1
        return true
      }
      left -= 1
      return try body(row) && left > 0
    }
  }

  /// The distinct values that a run has seen, as key codes: equal values have equal codes.
  struct DistinctValues {
    private let columns: [ColumnReader]
    private var codes: Set<[UInt8]> = []

    init(_ plan: Plan) throws {
      columns = try plan.query.distinct.map {
        try ColumnReader($0, plan.table.layout, plan.catalog)
      }
    }

    var count: Int { codes.count }

    /// Inserts a row's values; whether they were not seen before.
    mutating func insert(
      _ row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable
    ) throws -> Bool {
      var code = _ByteBuffer()
      for column in columns { try column.appendCode(of: row, to: &code, in: transaction) }
      return codes.insert(code.copied).inserted
    }
  }

  /// Checks that rows come in the order of the index that is walked, each once.
  ///
  /// Entries have no checksum: a changed one is found at another one's place.
  struct OrderCheck: ~Copyable {
    private let table: Table
    private let columns: [ColumnReader]
    private var last = _ByteBuffer(capacity: 64)
    private var next = _ByteBuffer(capacity: 64)
    private var isFirst = true

    /// Nil where no index is walked.
    init?(of plan: Plan) throws {
      guard case (.index, .walk) = (plan.access, plan.delivery), !plan.isSorted else { return nil }
      table = plan.table
      columns = try plan.query.order.map { try ColumnReader($0, plan.table, plan.catalog) }
    }

    /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for a row that belongs before the last one.
    mutating func check(
      _ row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable
    ) throws {
      defer { isFirst = false }
      // Safety: codes and keys are compared while they are borrowed.
      if columns.isEmpty {
        guard unsafe isFirst || ByteList.compare(last.bytes, row.keyBytes) < 0 else {
          throw table.falseEntry
        }
        last.count = 0
        return unsafe last.append(contentsOf: row.keyBytes)
      }
      next.count = 0
      for column in columns { try column.appendCode(of: row, to: &next, in: transaction) }
      unsafe next.append(contentsOf: row.keyBytes)
      if !isFirst, unsafe ByteList.compare(last.bytes, next.bytes) >= 0 { throw table.falseEntry }
      swap(&last, &next)
    }
  }
}
