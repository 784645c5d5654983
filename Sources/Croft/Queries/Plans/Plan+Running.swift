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
    let layout = storage.layout
    var order = try EntryOrder(of: self)
    func deliver(_ row: RowView) throws -> Bool {
      try row.checkSum(layout)
      return try body(row)
    }
    var window = try ResultWindow(query, storage, catalog)
    guard isSorted else {
      return try forEachBatch(in: transaction, arena, checksEntries: true) { batch in
        for place in 0..<batch.count {
          try order?.check(batch[place], in: transaction)
          guard try window.pass(batch[place], in: transaction, deliver) else { return false }
        }
        return true
      }
    }
    var sorter = try RowSorter(query, storage, catalog)
    try forEachBatch(in: transaction, arena, keepsRows: true, checksEntries: true) { batch in
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
  ///   - checksEntries: Whether a row is tested for what the entry says that brought it.
  ///   - body: Returns false to stop.
  func forEachBatch(
    in transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RowArena,
    keepsRows: Bool = false, checksEntries: Bool = false,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws {
    let filter = try filter()
    let entryFilter = checksEntries ? try entryFilter() : nil
    switch (access, delivery) {
    case (.nothing, _): return
    case (.rows(let range), let delivery):
      var batch = RowBatch(storage, arena)
      let direction =
        if case .walk(let walk) = delivery { walk.direction } else { Direction.forward }
      try transaction.forEachBlock(of: storage.rows, in: range, direction: direction) { block in
        if !keepsRows { arena.clear() }
        try unsafe batch.fill(block.entries)
        try filter?.apply(to: &batch, in: transaction)
        return try body(batch)
      }
    case (.index(let index, let ranges), .walk(let walk)):
      var walker = IndexWalker(self, index, walk, filter, entryFilter, arena)
      try walker.run(ranges, in: transaction, body)
    case (.keys, _), (.index, _), (.union, _):
      let isOfIndex = if case .index = access { true } else { false }
      var reader = RowReader(
        storage, filter, entryFilter, arena, keepsRows: keepsRows, isOfIndex: isOfIndex)
      _ = try reader.read(keys(in: transaction), in: transaction, body)
    }
  }

  /// The primary keys that the access brings, ascending; some may be there twice.
  func keys(in transaction: borrowing some LMDB.Transaction & ~Copyable) throws -> KeyList {
    var keys = KeyList(width: storage.layout.keyWidth)
    try access.collect(into: &keys, storage, in: transaction)
    keys.sort()
    return keys
  }
}

extension Plan.Access {
  fileprivate func collect(
    into keys: inout KeyList, _ storage: ModelStorage,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    switch self {
    case .nothing: return
    case .keys(let codes):
      for code in codes { unsafe code.withUnsafeBytes { unsafe keys.append($0) } }
    case .rows(let range):
      try transaction.forEachBlock(of: storage.rows, in: range) { block in
        for place in 0..<block.count { unsafe keys.append(block.entries[place].key) }
        return true
      }
    case .index(let index, let ranges):
      for range in ranges {
        try transaction.forEachBlock(of: index.entries, in: range) { block in
          for place in 0..<block.count {
            unsafe keys.append(try storage.primaryKey(of: block.entries[place], in: index))
          }
          return true
        }
      }
    case .union(let members):
      CoverageMark.hit(.plansUnited)
      for member in members { try member.collect(into: &keys, storage, in: transaction) }
    }
  }
}

extension ModelStorage {
  /// The error of an index entry that brings no row, or one that has other values.
  fileprivate var falseEntry: StoreError {
    .corrupt(
      model: shape.name, key: nil,
      reason: "an index has an entry of an object that is not there or has other values; "
        + "`store.verify()` names it, and `store.rebuildIndexes()` makes the index anew")
  }
}

/// Checks that rows come in the order of the index that is walked, each once.
///
/// Entries have no checksum: a changed one stands in another one's place.
struct EntryOrder: ~Copyable {
  private let storage: ModelStorage
  private let columns: [SortColumn]
  private var last = _ByteBuffer(capacity: 64)
  private var next = _ByteBuffer(capacity: 64)
  private var isFirst = true

  /// Nil where no index is walked.
  init?(of plan: Plan) throws {
    guard case (.index, .walk) = (plan.access, plan.delivery), !plan.isSorted else { return nil }
    storage = plan.storage
    columns = try plan.query.order.map {
      try SortColumn($0.path, isDescending: $0.isDescending, plan.storage, plan.catalog)
    }
  }

  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for a row that belongs before the last one.
  mutating func check(
    _ row: RowView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    next.count = 0
    for column in columns { try column.appendCode(of: row, to: &next, in: transaction) }
    // Safety: the codes and the key are compared while they are lent.
    unsafe next.append(contentsOf: row.keyBytes)
    if !isFirst, unsafe KeySort.compare(last.bytes, next.bytes) >= 0 { throw storage.falseEntry }
    isFirst = false
    swap(&last, &next)
  }
}

/// Reads rows by their keys, a batch at a time.
struct RowReader: ~Copyable {
  private let storage: ModelStorage
  private let filter: Filter?
  /// What the entries say that brought the keys.
  private let entryFilter: Filter?
  private var batch: RowBatch
  private let keepsRows: Bool
  /// Whether all keys come from entries of an index, each of which has its row.
  private let isOfIndex: Bool

  init(
    _ storage: ModelStorage, _ filter: Filter?, _ entryFilter: Filter?, _ arena: RowArena,
    keepsRows: Bool, isOfIndex: Bool
  ) {
    self.isOfIndex = isOfIndex
    self.storage = storage
    self.filter = filter
    self.entryFilter = entryFilter
    self.keepsRows = keepsRows
    batch = RowBatch(storage, arena)
  }

  /// Calls the body with batches of the rows that match; a key that repeats the last is passed over.
  ///
  /// - Returns: Whether the body wants to go on.
  mutating func read(
    _ keys: borrowing KeyList, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws -> Bool {
    batch.clear()
    for place in 0..<keys.count {
      if !keys.isRepeated(place) {
        let key = unsafe keys[place]
        // Safety: the key and the row live as long as the transaction is borrowed.
        if let row = try unsafe storage.row(key, in: transaction, batch.arena) {
          batch.append(row)
        } else if isOfIndex {
          throw storage.falseEntry
        }
      }
      guard batch.isFull || place == keys.count - 1 else { continue }
      try filter?.apply(to: &batch, in: transaction)
      if let entryFilter {
        let count = batch.count
        try entryFilter.apply(to: &batch, in: transaction)
        if batch.count < count { throw storage.falseEntry }
      }
      guard try body(batch) else { return false }
      batch.clear()
      if !keepsRows { batch.arena.clear() }
    }
    return true
  }
}
