import LMDB

/// Reads rows in the order of an index, and puts right what it leaves open.
///
/// Entries that the sorted columns do not tell apart are a group. In a backward walk a group
/// stands the wrong way round, and codes that were cut stand in the order of their hashes.
struct IndexWalker: ~Copyable {
  /// Groups past this size are read again from their front, so that a limit need not see all.
  private static var longestTurn: Int { Threshold.entriesPerTurn.value }

  private let plan: Plan
  private let index: IndexStorage
  private let walk: Walk
  private let arena: RowArena
  private var reader: RowReader
  /// Keeps the rows of a group until it is sorted.
  private var groupReader: RowReader
  /// Keys whose rows come next, in order.
  private var ready: KeyList
  /// The keys of the group at hand, in the order of the walk.
  private var group: KeyList
  private var groupPrefix: [UInt8] = []
  private var isGroupCut = false
  /// Whether every entry is for itself, so that groups need not be told apart.
  private let isPlain: Bool

  init(
    _ plan: Plan, _ index: IndexStorage, _ walk: Walk, _ filter: Filter?, _ entryFilter: Filter?,
    _ arena: RowArena
  ) {
    self.plan = plan
    self.index = index
    self.walk = walk
    self.arena = arena
    reader = RowReader(
      plan.storage, filter, entryFilter, arena, keepsRows: false, isOfIndex: true)
    groupReader = RowReader(
      plan.storage, filter, entryFilter, arena, keepsRows: true, isOfIndex: true)
    ready = KeyList(width: plan.storage.layout.keyWidth)
    group = KeyList(width: plan.storage.layout.keyWidth)
    isPlain =
      walk.ties == .stand
      && index.columns.prefix(walk.columns).allSatisfy {
        !plan.storage.layout.columns[$0.place].kind.canBeCut
      }
  }

  mutating func run(
    _ ranges: [KeyRange], in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws {
    for range in walk.direction == .forward ? ranges : ranges.reversed() {
      var rest: KeyRange? = range
      while let range = rest {
        var goesOn = true
        var turned = false
        try transaction.forEachBlock(of: index.entries, in: range, direction: walk.direction) {
          block throws in
          // Safety: entries are read while the block is lent.
          for place in 0..<block.count {
            guard try unsafe take(block.entries[place], in: transaction, body) else {
              goesOn = false
              return false
            }
            turned = walk.ties == .turn && !isGroupCut && group.count > Self.longestTurn
            if turned { return false }
          }
          goesOn = try flush(in: transaction, body)
          return goesOn
        }
        guard goesOn else { return }
        rest = nil
        if turned {
          CoverageMark.hit(.groupTurned)
          guard try readGroupForward(in: transaction, body) else { return }
          rest = KeyRange(lower: range.lower, upper: .exclusive(groupPrefix))
        }
      }
    }
    guard try closeGroup(in: transaction, body) else { return }
    _ = try flush(in: transaction, body)
  }

  /// Takes an entry; the group before it is closed where it begins another.
  private mutating func take(
    _ entry: RowBlock.Entry, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws -> Bool {
    let key = try unsafe plan.storage.primaryKey(of: entry, in: index)
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

  /// Puts the group's keys behind those that are ready, or hands its rows out where they must
  /// be sorted by their values.
  private mutating func closeGroup(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws -> Bool {
    defer { group.clear() }
    if group.count > 1, isGroupCut || walk.ties == .sort {
      guard try flush(in: transaction, body) else { return false }
      CoverageMark.hit(.groupSorted)
      return try sortGroup(in: transaction, body)
    }
    for place in 0..<group.count {
      unsafe ready.append(group[walk.ties == .turn ? group.count - 1 - place : place])
    }
    return true
  }

  private mutating func sortGroup(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws -> Bool {
    var sorter = try RowSorter(plan.query, plan.storage, plan.catalog)
    _ = try groupReader.read(group, in: transaction) { batch in
      for place in 0..<batch.count { try sorter.take(batch[place], in: transaction) }
      return true
    }
    var batch = RowBatch(plan.storage, arena)
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

  /// Reads the whole group at hand in the order of its keys.
  private mutating func readGroupForward(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws -> Bool {
    group.clear()
    guard try flush(in: transaction, body) else { return false }
    var goesOn = true
    try transaction.forEachBlock(of: index.entries, in: .prefix(groupPrefix)) { block in
      for place in 0..<block.count {
        unsafe ready.append(try plan.storage.primaryKey(of: block.entries[place], in: index))
      }
      goesOn = try flush(in: transaction, body)
      return goesOn
    }
    return goesOn
  }

  /// Hands out the rows whose keys are ready.
  private mutating func flush(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing RowBatch) throws -> Bool
  ) throws -> Bool {
    guard ready.count > 0 else { return true }
    let goesOn = try reader.read(ready, in: transaction, body)
    ready.clear()
    return goesOn
  }

  /// How much of an entry tells its group, and whether a column in it was cut.
  private func groupLength(of entry: UnsafeRawBufferPointer) throws -> (Int, Bool) {
    var length = 0
    for column in index.columns.prefix(walk.columns) {
      let storage = plan.storage.layout.columns[column.place].storage
      let rest = unsafe UnsafeRawBufferPointer(rebasing: entry.dropFirst(length))
      guard
        let own = unsafe KeyCode.length(of: storage, in: rest, isDescending: column.isDescending)
      else { return (entry.count, false) }
      let mask: UInt8 = column.isDescending ? 0xFF : 0
      if storage.kind.canBeCut, own > 18, unsafe rest[own - 18] == mask,
        unsafe rest[own - 17] == mask ^ 1
      {
        // The hash says nothing of the order, and neither does what follows it.
        return (length + own - 16, true)
      }
      length += own
    }
    return (length, false)
  }
}
