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

  private let columns: [(column: ColumnLayout, isDescending: Bool)]
  private let layout: RowLayout
  private let offset: Int
  /// How many rows the limit can show, offset included.
  private let most: Int?
  private var codes = _ByteBuffer(capacity: 4096)
  private var entries: [Entry] = []

  init(_ query: QueryCore, _ layout: RowLayout) {
    columns = query.order.map { (layout.columns[$0.path.place], $0.isDescending) }
    self.layout = layout
    offset = query.offset
    let offset = query.offset
    most = query.limit.map { min($0, Int.max - offset) + offset }
  }

  /// Takes a row, whose bytes must stay where they are until the sorter is done.
  ///
  /// Its key's bytes are copied: where an index found it, they are a list's that goes.
  mutating func take(_ row: RowView) throws {
    let start = codes.count
    for (column, isDescending) in columns {
      let columnStart = codes.count
      try codes.appendCode(of: column, in: row, layout: layout, cut: nil)
      if isDescending { codes.invert(from: columnStart) }
    }
    unsafe codes.append(contentsOf: row.keyBytes)
    let count = codes.count - start
    // Safety: the code was just written there.
    let code = unsafe UnsafeRawBufferPointer(start: codes.base + start, count: count)
    entries.append(Entry(prefix: unsafe KeySort.prefix(code), start: start, count: count, row: row))
    if let most, most < entries.count / 2 - 512 { prune(to: most) }
  }

  /// Calls the body with the rows in order, between offset and limit.
  mutating func forEach(_ body: (RowView) throws -> Bool) throws {
    sort()
    for entry in entries.prefix(most ?? entries.count).dropFirst(offset) {
      guard try body(view(of: entry)) else { return }
    }
  }

  /// The row, with its key in the codes: the bytes it came with may be gone.
  private func view(of entry: Entry) -> RowView {
    // Safety: a code ends with its row's key.
    unsafe RowView(
      key: UnsafeRawPointer(codes.base + entry.start + entry.count - entry.row.keyCount),
      keyCount: entry.row.keyCount, row: entry.row.row, rowCount: entry.row.rowCount,
      isWide: entry.row.isWide)
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
    sort()
    entries.removeLast(entries.count - most)
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
