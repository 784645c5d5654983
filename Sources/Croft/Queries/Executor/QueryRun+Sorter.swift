import LMDB

extension QueryRun {
  /// Sorts rows into a query's order by key codes, keeping only as many as the limit can show.
  ///
  /// A row's code is the codes of its sort columns, descending ones inverted, and its primary key.
  /// Codes compare as the order does, and no two are equal.
  @safe
  struct Sorter: ~Copyable {
    private struct Entry {
      /// The first eight bytes of the code, which decide most comparisons.
      var prefix: UInt64
      var start: Int
      var count: Int
      var row: RecordView
    }

    private let columns: [ColumnReader]
    /// How many rows the limit can show, offset included; nil for all.
    private let most: Int?
    /// The codes of the entries, one after the other.
    private var codes = _ByteBuffer(capacity: 4096)
    private var entries: [Entry] = []
    /// The prefix of the last code that the limit can show so far; greater ones are dropped.
    private var lastPrefix = UInt64.max

    init(_ plan: Plan) throws {
      let query = plan.query
      columns = try query.order.map { try ColumnReader($0, plan.table, plan.catalog) }
      most = query.mostShown
    }

    /// Adds a row, whose bytes must stay where they are until the sorter is done.
    ///
    /// The bytes of its key are copied, because the list of keys that an index gave is reused.
    mutating func add(
      _ row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable
    ) throws {
      let start = codes.count
      for column in columns {
        try column.appendCode(of: row, to: &codes, in: transaction)
        // Most rows are dropped for the code of the first column.
        if codes.count - start >= MemoryLayout<UInt64>.size, prefix(from: start) > lastPrefix {
          codes.count = start
          return
        }
      }
      unsafe codes.append(contentsOf: row.keyBytes)
      let count = codes.count - start
      let prefix = prefix(from: start)
      if prefix > lastPrefix {
        codes.count = start
        return
      }
      entries.append(Entry(prefix: prefix, start: start, count: count, row: row))
      // A difference, because the sum overflows where the limit is the greatest integer.
      if let most, entries.count - most > max(most, Threshold.rowsPastLimit.value) {
        prune(to: most)
      }
    }

    /// The first eight bytes of the code that begins at an offset.
    private func prefix(from start: Int) -> UInt64 {
      // Safety: the code ends with the buffer.
      unsafe ByteList.prefix(
        UnsafeRawBufferPointer(start: codes.base + start, count: codes.count - start))
    }

    /// Calls the body with the rows in order, until it returns false.
    ///
    /// - Parameter check: Called while the rows are sorted; an error that it throws ends that.
    mutating func forEach(
      checking check: () throws -> Void, _ body: (RecordView) throws -> Bool
    ) throws {
      try sort(checking: check)
      for entry in entries.prefix(most ?? entries.count) {
        guard try body(view(of: entry)) else { return }
      }
    }

    /// The row, with the copy of its key at the end of its code.
    private func view(of entry: Entry) -> RecordView {
      // Safety: a code ends with its row's key.
      unsafe entry.row.under(
        UnsafeRawPointer(codes.base + entry.start + entry.count - entry.row.keyCount))
    }

    /// The comparisons between two checks, which take some milliseconds.
    private static let comparisonsPerCheck = 65_536

    /// Puts the rows in order.
    ///
    /// - Parameter check: Called between comparisons; an error that it throws ends the sorting.
    private mutating func sort(checking check: () throws -> Void) rethrows {
      let base = unsafe codes.base
      var comparisons = 0
      try entries.sort { left, right in
        comparisons &+= 1
        if comparisons == Self.comparisonsPerCheck {
          comparisons = 0
          try check()
        }
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        // Safety: both codes are in the buffer, which is not changed while it is sorted.
        return unsafe ByteList.compare(
          UnsafeRawBufferPointer(start: base + left.start, count: left.count),
          UnsafeRawBufferPointer(start: base + right.start, count: right.count)) < 0
      }
    }

    /// Drops the rows that the limit can no longer show, and their codes.
    private mutating func prune(to most: Int) {
      CoverageMark.hit(.sorterPruned)
      sort {}
      entries.removeLast(entries.count - most)
      lastPrefix = entries.last?.prefix ?? 0
      var kept = _ByteBuffer(capacity: max(4096, codes.count / 2))
      for place in entries.indices {
        let entry = entries[place]
        entries[place].start = kept.count
        // Safety: the code is in the old buffer.
        unsafe kept.append(
          contentsOf: UnsafeRawBufferPointer(start: codes.base + entry.start, count: entry.count))
      }
      codes = kept
    }
  }
}
