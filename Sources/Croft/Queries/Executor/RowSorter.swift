import LMDB

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
