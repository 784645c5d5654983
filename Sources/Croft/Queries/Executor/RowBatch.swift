import LMDB

/// A block of checked rows and the places of those still in question.
///
/// Conditions run a term at a time over a batch: each term's loop touches one column
/// and keeps the places that pass.
@safe
struct RowBatch: ~Copyable {
  /// The most rows in a batch, which takes a block whole.
  static var capacity: Int { max(Threshold.rowsPerBatch.value, RowBlock.capacity) }

  /// Room for `capacity` rows, of which the first `rowCount` are there.
  private let rows: UnsafeMutablePointer<RowView>
  private var rowCount = 0
  /// Room for `capacity` places in `rows`; the first `count` are selected, ascending.
  private let places: UnsafeMutablePointer<UInt16>
  /// How many rows are selected.
  private(set) var count = 0
  private let table: Table
  /// Holds the rows that lie in the tree in another layout.
  let arena: RowArena

  init(_ table: Table, _ arena: RowArena) {
    self.table = table
    self.arena = arena
    unsafe rows = .allocate(capacity: Self.capacity)
    unsafe places = .allocate(capacity: Self.capacity)
  }

  deinit {
    unsafe rows.deallocate()
    unsafe places.deallocate()
  }

  var layout: RowLayout { table.layout }
  var isEmpty: Bool { count == 0 }
  var isFull: Bool { rowCount == Self.capacity }

  /// A selected row.
  subscript(position: Int) -> RowView {
    // Safety: callers' positions lie below the count, and places below the number of rows.
    unsafe rows[Int(places[position])]
  }

  /// Replaces the rows by a block's, all of them selected.
  mutating func fill(_ entries: UnsafeBufferPointer<RowBlock.Entry>) throws {
    precondition(entries.count <= Self.capacity, "A block is no larger than a batch.")
    rowCount = 0
    // Safety: a block has at most `capacity` rows.
    for place in 0..<entries.count {
      let entry = unsafe entries[place]
      unsafe (rows + place).initialize(
        to: try table.view(key: entry.key, row: entry.value, arena))
      unsafe places[place] = UInt16(truncatingIfNeeded: place)
    }
    rowCount = entries.count
    count = rowCount
  }

  /// Starts an empty batch.
  mutating func clear() {
    rowCount = 0
    count = 0
  }

  /// Adds one row, selected.
  mutating func append(_ row: RowView) {
    precondition(!isFull, "A full batch takes no row.")
    // Safety: there is room for another row.
    unsafe (rows + rowCount).initialize(to: row)
    unsafe places[count] = UInt16(truncatingIfNeeded: rowCount)
    rowCount += 1
    count += 1
  }

  /// Keeps the selected rows that pass a test.
  @inline(__always)
  mutating func keep(_ test: (RowView) throws -> Bool) rethrows {
    var kept = 0
    for position in 0..<count {
      // Safety: places are below the number of rows, and `kept` never passes `position`.
      let place = unsafe places[position]
      unsafe places[kept] = place
      kept &+= try unsafe test(rows[Int(place)]) ? 1 : 0
    }
    count = kept
  }

  /// Keeps no row.
  mutating func keepNone() { count = 0 }

  /// The places of the selected rows.
  var selection: [UInt16] {
    get {
      // Safety: the first `count` places are initialised.
      unsafe Array(UnsafeBufferPointer(start: places, count: count))
    }
    set {
      precondition(newValue.count <= rowCount, "A selection has no more places than rows.")
      count = newValue.count
      // Safety: there are at most `capacity` places.
      for (position, place) in newValue.enumerated() { unsafe places[position] = place }
    }
  }
}
