import LMDB

/// Reads rows in the order of an index, and reorders entries that the index leaves unordered.
///
/// Entries with equal sorted columns are a group. A backward walk reads a group in reversed order,
/// and entries with truncated codes come in the order of their hashes.
struct IndexWalker: ~Copyable {
  private let plan: Plan
  private let index: EntryIndex
  private let walk: Plan.Walk
  private let arena: RecordArena
  private var reader: QueryRun.RowReader
  /// Reads the rows of a group that is sorted, and keeps them until then.
  private var groupReader: QueryRun.RowReader
  /// The keys of the next rows, in order.
  private var ready: ByteList
  /// The keys of the current group, in the order of the walk.
  private var group: ByteList
  private var groupPrefix: [UInt8] = []
  private var isGroupCut = false
  /// Whether entries come in the query's order as they are, so that groups do not matter.
  private let isPlain: Bool

  init(
    _ plan: Plan, _ index: EntryIndex, _ walk: Plan.Walk, _ filter: Filter?, _ entryFilter: Filter?,
    _ arena: RecordArena
  ) {
    self.plan = plan
    self.index = index
    self.walk = walk
    self.arena = arena
    reader = QueryRun.RowReader(
      plan, filter, entryFilter, arena, keepsRows: false, isOfIndex: true)
    groupReader = QueryRun.RowReader(
      plan, filter, entryFilter, arena, keepsRows: true, isOfIndex: true)
    ready = ByteList()
    group = ByteList()
    isPlain =
      walk.ties == .asStored
      && index.storages.prefix(walk.columns).allSatisfy { !$0.kind.canBeCut }
  }

  /// Reads the index entries within ranges, and calls the body with batches of matching rows.
  mutating func run(
    _ ranges: [KeyRange], in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing Filter.Batch) throws -> Bool
  ) throws {
    // Where the last large group begins: its entries in all of the ranges have been read.
    var end: [UInt8]?
    for range in walk.direction == .forward ? ranges : ranges.reversed() {
      var rest = end.map { range.intersection(KeyRange(upper: .exclusive($0))) } ?? range
      while let range = rest {
        var goesOn = true
        var isTooLarge = false
        try transaction.forEachBlock(of: index.entries, in: range, direction: walk.direction) {
          block throws in
          if isPlain {
            let (entries, table, index) = unsafe (block.entries, plan.table, index)
            goesOn = try unsafe reader.read(entries.count, in: transaction, body) {
              // Safety: entries are read while the block is borrowed.
              try unsafe table.primaryKey(of: entries[$0], in: index)
            }
            return goesOn
          }
          // Safety: as above.
          for place in 0..<block.count {
            guard try unsafe add(block.entries[place], in: transaction, body) else {
              goesOn = false
              return false
            }
            isTooLarge =
              walk.ties == .reversed && !isGroupCut
              && group.count > Threshold.entriesPerReversedGroup.value
            if isTooLarge { return false }
          }
          goesOn = try flush(in: transaction, body)
          return goesOn
        }
        guard goesOn else { return }
        rest = nil
        if isTooLarge {
          CoverageMark.hit(.groupReversed)
          guard try readGroupForward(ranges, in: transaction, body) else { return }
          end = groupPrefix
          rest = range.intersection(KeyRange(upper: .exclusive(groupPrefix)))
        }
      }
    }
    guard try closeGroup(in: transaction, body) else { return }
    _ = try flush(in: transaction, body)
  }

  /// Adds an entry to its group; the group before it is closed where it begins another.
  private mutating func add(
    _ entry: RowBlock.Entry, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing Filter.Batch) throws -> Bool
  ) throws -> Bool {
    let key = try unsafe plan.table.primaryKey(of: entry, in: index)
    let (length, isCut) = try unsafe groupLength(of: entry.key)
    if walk.ties == .asStored, !isCut {
      // Only a truncated code is a reason to read all that equals it first.
      guard try closeGroup(in: transaction, body) else { return false }
      unsafe ready.append(key)
      return true
    }
    let prefix = unsafe UnsafeRawBufferPointer(rebasing: entry.key.prefix(length))
    let isSame =
      unsafe group.count > 0
      && groupPrefix.withUnsafeBytes { unsafe ByteList.compare($0, prefix) == 0 }
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
    _ body: (borrowing Filter.Batch) throws -> Bool
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
    _ body: (borrowing Filter.Batch) throws -> Bool
  ) throws -> Bool {
    var sorter = try QueryRun.Sorter(plan)
    _ = try groupReader.read(group, in: transaction) { batch in
      for place in 0..<batch.count { try sorter.add(batch[place], in: transaction) }
      return true
    }
    var batch = Filter.Batch(plan.table, arena)
    var goesOn = true
    try sorter.forEach(checking: { try transaction.checkProgress() }) { row in
      batch.append(row)
      if batch.isFull {
        goesOn = try body(batch)
        batch.clear()
      }
      return goesOn
    }
    return try goesOn && body(batch)
  }

  /// Reads the whole current group, as far as it is in the ranges, in the order of its keys.
  private mutating func readGroupForward(
    _ ranges: [KeyRange], in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing Filter.Batch) throws -> Bool
  ) throws -> Bool {
    group.removeAll()
    guard try flush(in: transaction, body) else { return false }
    var goesOn = true
    for range in ranges.compactMap({ $0.intersection(.prefix(groupPrefix)) }) {
      try transaction.forEachBlock(of: index.entries, in: range) { block in
        for place in 0..<block.count {
          unsafe ready.append(try plan.table.primaryKey(of: block.entries[place], in: index))
        }
        goesOn = try flush(in: transaction, body)
        return goesOn
      }
      if !goesOn { break }
    }
    return goesOn
  }

  /// Reads the rows whose keys are ready, and passes them on.
  private mutating func flush(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (borrowing Filter.Batch) throws -> Bool
  ) throws -> Bool {
    guard ready.count > 0 else { return true }
    let goesOn = try reader.read(ready, in: transaction, body)
    ready.removeAll()
    return goesOn
  }

  /// The length of an entry's part that equals in its group, and whether a code in it was truncated.
  private func groupLength(of entry: UnsafeRawBufferPointer) throws -> (Int, Bool) {
    var length = 0
    for (column, storage) in zip(index.parts, index.storages).prefix(walk.columns) {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: entry.dropFirst(length))
      guard
        let own = unsafe KeyCode.length(of: storage, in: rest, isDescending: column.isDescending)
      else { return (entry.count, false) }
      let mask: UInt8 = column.isDescending ? 0xFF : 0
      if storage.kind.canBeCut, own > 18, unsafe rest[own - 18] == mask,
        unsafe rest[own - 17] == mask ^ 1
      {
        // Neither the hash nor the bytes after it follow the order of the values.
        return (length + own - 16, true)
      }
      length += own
    }
    return (length, false)
  }
}
