import LMDB

/// Reads rows in the order of an index, and reorders entries that the index leaves unordered.
///
/// Entries with equal sorted columns are a group. A backward walk meets a group in reversed order,
/// and entries with cut codes come in the order of their hashes.
struct IndexWalker: ~Copyable {
  /// A larger group is read again from its front, so that a limit need not read all of it.
  private static var largestReversedGroup: Int { Threshold.entriesPerTurn.value }

  private let plan: Plan
  private let index: TableIndex
  private let walk: Walk
  private let arena: RowArena
  private var reader: RowReader
  /// Reads the rows of a group that is sorted, and keeps them until then.
  private var groupReader: RowReader
  /// The keys of the next rows, in order.
  private var ready: ByteList
  /// The keys of the current group, in the order of the walk.
  private var group: ByteList
  private var groupPrefix: [UInt8] = []
  private var isGroupCut = false
  /// Whether entries come in the query's order as they are, so that groups do not matter.
  private let isPlain: Bool

  init(
    _ plan: Plan, _ index: TableIndex, _ walk: Walk, _ filter: Filter?, _ entryFilter: Filter?,
    _ arena: RowArena
  ) {
    self.plan = plan
    self.index = index
    self.walk = walk
    self.arena = arena
    reader = RowReader(plan.table, filter, entryFilter, arena, keepsRows: false, isOfIndex: true)
    groupReader = RowReader(
      plan.table, filter, entryFilter, arena, keepsRows: true, isOfIndex: true)
    ready = ByteList()
    group = ByteList()
    isPlain =
      walk.ties == .asStored
      && index.columns.prefix(walk.columns).allSatisfy {
        !plan.table.layout.columns[$0.place].kind.canBeCut
      }
  }

  /// Reads the index entries within ranges, and calls the body with batches of matching rows.
  mutating func run(
    _ ranges: [KeyRange], in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws {
    for range in walk.direction == .forward ? ranges : ranges.reversed() {
      var rest: KeyRange? = range
      while let range = rest {
        var goesOn = true
        var isTooLarge = false
        try transaction.forEachBlock(of: index.entries, in: range, direction: walk.direction) {
          block throws in
          // Safety: entries are read while the block is lent.
          for place in 0..<block.count {
            guard try unsafe add(block.entries[place], in: transaction, body) else {
              goesOn = false
              return false
            }
            isTooLarge =
              walk.ties == .reversed && !isGroupCut && group.count > Self.largestReversedGroup
            if isTooLarge { return false }
          }
          goesOn = try flush(in: transaction, body)
          return goesOn
        }
        guard goesOn else { return }
        rest = nil
        if isTooLarge {
          CoverageMark.hit(.groupTurned)
          guard try readGroupForward(in: transaction, body) else { return }
          rest = KeyRange(lower: range.lower, upper: .exclusive(groupPrefix))
        }
      }
    }
    guard try closeGroup(in: transaction, body) else { return }
    _ = try flush(in: transaction, body)
  }

  /// Adds an entry to its group; the group before it is closed where it begins another.
  private mutating func add(
    _ entry: RowBlock.Entry, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws -> Bool {
    let key = try unsafe plan.table.primaryKey(of: entry, in: index)
    if isPlain {
      unsafe ready.append(key)
      return true
    }
    let (length, isCut) = try unsafe groupLength(of: entry.key)
    let prefix = unsafe UnsafeRawBufferPointer(rebasing: entry.key.prefix(length))
    let isSame =
      unsafe group.count > 0
      && groupPrefix.withUnsafeBytes { unsafe KeySort.compare($0, prefix) == 0 }
    if !isSame {
      guard try closeGroup(in: transaction, body) else { return false }
      groupPrefix = unsafe Array(prefix)
      isGroupCut = isCut
    }
    unsafe group.append(key)
    return true
  }

  /// Appends the group's keys to those that are ready, or sorts its rows and passes them on.
  private mutating func closeGroup(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws -> Bool {
    defer { group.removeAll() }
    if group.count > 1, isGroupCut || walk.ties == .unordered {
      guard try flush(in: transaction, body) else { return false }
      CoverageMark.hit(.groupSorted)
      return try sortGroup(in: transaction, body)
    }
    for place in 0..<group.count {
      unsafe ready.append(group[walk.ties == .reversed ? group.count - 1 - place : place])
    }
    return true
  }

  private mutating func sortGroup(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws -> Bool {
    var sorter = try RowSorter(plan)
    _ = try groupReader.read(group, in: transaction) { batch in
      for place in 0..<batch.count { try sorter.add(batch[place], in: transaction) }
      return true
    }
    var batch = RowBatch(plan.table, arena)
    var goesOn = true
    try sorter.forEach { row in
      batch.append(row)
      if batch.isFull {
        goesOn = try body(batch)
        batch.clear()
      }
      return goesOn
    }
    return try goesOn && body(batch)
  }

  /// Reads the whole current group in the order of its keys.
  private mutating func readGroupForward(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws -> Bool {
    group.removeAll()
    guard try flush(in: transaction, body) else { return false }
    var goesOn = true
    try transaction.forEachBlock(of: index.entries, in: .prefix(groupPrefix)) { block in
      for place in 0..<block.count {
        unsafe ready.append(try plan.table.primaryKey(of: block.entries[place], in: index))
      }
      goesOn = try flush(in: transaction, body)
      return goesOn
    }
    return goesOn
  }

  /// Reads the rows whose keys are ready, and passes them on.
  private mutating func flush(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws -> Bool {
    guard ready.count > 0 else { return true }
    let goesOn = try reader.read(ready, in: transaction, body)
    ready.removeAll()
    return goesOn
  }

  /// The length of an entry's part that equals in its group, and whether a code in it was cut.
  private func groupLength(of entry: UnsafeRawBufferPointer) throws -> (Int, Bool) {
    var length = 0
    for column in index.columns.prefix(walk.columns) {
      let storage = plan.table.layout.columns[column.place].storage
      let rest = unsafe UnsafeRawBufferPointer(rebasing: entry.dropFirst(length))
      guard
        let own = unsafe KeyCode.length(of: storage, in: rest, isDescending: column.isDescending)
      else { return (entry.count, false) }
      let mask: UInt8 = column.isDescending ? 0xFF : 0
      if storage.kind.canBeCut, own > 18, unsafe rest[own - 18] == mask,
        unsafe rest[own - 17] == mask ^ 1
      {
        // Neither the hash nor the bytes behind it follow the order of the values.
        return (length + own - 16, true)
      }
      length += own
    }
    return (length, false)
  }
}

extension Table {
  /// The error of an index entry that brings no row, or one that has other values.
  fileprivate var falseEntry: StoreError {
    .corrupt(
      model: schema.name, key: nil,
      reason: "an index has an entry of an object that is not there or has other values; "
        + "`store.verify()` names it, and `store.rebuildIndexes()` makes the index anew")
  }
}

/// Checks that rows come in the order of the index that is walked, each once.
///
/// Entries have no checksum: a changed one is found at another one's place.
struct EntryOrder: ~Copyable {
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
    _ row: RowView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    next.count = 0
    for column in columns { try column.appendCode(of: row, to: &next, in: transaction) }
    // Safety: the codes and the key are compared while they are lent.
    unsafe next.append(contentsOf: row.keyBytes)
    if !isFirst, unsafe KeySort.compare(last.bytes, next.bytes) >= 0 { throw table.falseEntry }
    isFirst = false
    swap(&last, &next)
  }
}

/// Reads rows by their keys, a batch at a time.
struct RowReader: ~Copyable {
  private let table: Table
  private let filter: Filter?
  /// What the entries say that brought the keys.
  private let entryFilter: Filter?
  private var batch: RowBatch
  private let keepsRows: Bool
  /// Whether all keys come from entries of an index, each of which has its row.
  private let isOfIndex: Bool

  init(
    _ table: Table, _ filter: Filter?, _ entryFilter: Filter?, _ arena: RowArena, keepsRows: Bool,
    isOfIndex: Bool
  ) {
    self.table = table
    self.filter = filter
    self.entryFilter = entryFilter
    self.keepsRows = keepsRows
    self.isOfIndex = isOfIndex
    batch = RowBatch(table, arena)
  }

  /// Calls the body with batches of the rows that match; repeated keys are skipped.
  ///
  /// - Returns: Whether the body asks for more rows.
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
        } else if isOfIndex {
          throw table.falseEntry
        }
      }
      guard batch.isFull || place == keys.count - 1 else { continue }
      try filter?.apply(to: &batch, in: transaction)
      if let entryFilter {
        let count = batch.count
        try entryFilter.apply(to: &batch, in: transaction)
        if batch.count < count { throw table.falseEntry }
      }
      guard try body(batch) else { return false }
      batch.clear()
      if !keepsRows { batch.arena.clear() }
    }
    return true
  }
}

extension ByteList {
  /// How many different keys there are in a sorted list.
  func countDifferent() -> Int {
    var different = 0
    for place in 0..<count where place == 0 || !isRepeated(place) { different += 1 }
    return different
  }

  /// Whether a key of a sorted list is the one before it.
  func isRepeated(_ place: Int) -> Bool {
    // Safety: both keys are lent while the list stays as it is.
    unsafe place > 0 && KeySort.compare(self[place], self[place - 1]) == 0
  }
}
