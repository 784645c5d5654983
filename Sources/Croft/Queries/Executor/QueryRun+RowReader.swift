import LMDB

extension QueryRun {
  /// Reads the rows of keys in batches, and drops those that do not match.
  struct RowReader: ~Copyable {
    private let table: Table
    private let filter: Filter?
    /// What the entries say that brought the keys.
    private let entryFilter: Filter?
    private var batch: Filter.Batch
    private let keepsRows: Bool
    /// Whether all keys come from entries of an index, each of which has its row.
    private let isOfIndex: Bool
    /// How many rows the next batch is to have, also where it has room for more.
    private var wanted = Int.max

    /// - Parameter keepsRows: Whether all rows are wanted, to be sorted, and kept until then.
    init(
      _ plan: Plan, _ filter: Filter?, _ entryFilter: Filter?, _ arena: RecordArena,
      keepsRows: Bool, isOfIndex: Bool
    ) {
      table = plan.table
      if !keepsRows, let most = plan.query.mostShown { wanted = max(1, most) }
      self.filter = filter
      self.entryFilter = entryFilter
      self.keepsRows = keepsRows
      self.isOfIndex = isOfIndex
      batch = Filter.Batch(table, arena)
    }

    /// Calls the body with batches of the rows that match, each key once, while it asks for more.
    mutating func read(
      _ keys: borrowing ByteList, in transaction: borrowing some LMDB.Transaction & ~Copyable,
      _ body: (borrowing Filter.Batch) throws -> Bool
    ) throws -> Bool {
      try unsafe read(keys.count, in: transaction, body) { unsafe keys[$0] }
    }

    /// The same for keys that a closure gives, which stay where they are during the call.
    @inline(__always)
    mutating func read(
      _ count: Int, in transaction: borrowing some LMDB.Transaction & ~Copyable,
      _ body: (borrowing Filter.Batch) throws -> Bool,
      key: (Int) throws -> UnsafeRawBufferPointer
    ) throws -> Bool {
      batch.clear()
      var last = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      for place in 0..<count {
        // Safety: the key and the row live as long as the transaction is borrowed.
        let key = try unsafe key(place)
        if unsafe ByteList.compare(last, key) != 0 {
          if let row = try unsafe table.row(key, in: transaction, batch.arena) {
            batch.append(row)
          } else if isOfIndex {
            throw table.falseEntry
          }
          unsafe last = key
        }
        guard batch.isFull || batch.count >= wanted || place == count - 1 else { continue }
        try transaction.checkProgress()
        try filter?.apply(to: &batch, in: transaction)
        if let entryFilter {
          let count = batch.count
          try entryFilter.apply(to: &batch, in: transaction)
          if batch.count < count { throw table.falseEntry }
        }
        let delivered = batch.count
        guard try body(batch) else { return false }
        batch.clear()
        // A filter may drop most rows, so that more are read at a time.
        wanted = filter == nil ? max(1, wanted - delivered) : 2 * min(wanted, Filter.Batch.capacity)
        if !keepsRows { batch.arena.clear() }
      }
      return true
    }
  }
}
