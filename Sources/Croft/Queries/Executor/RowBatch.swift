import LMDB

/// A block of checked rows, and the places of those that passed every test so far.
///
/// Conditions run a term at a time over a batch: each term's loop reads one column
/// and keeps the places that pass.
@safe
struct RowBatch: ~Copyable {
  /// The most rows in a batch, which takes a block whole.
  static var capacity: Int { max(Threshold.rowsPerBatch.value, RowBlock.capacity) }

  /// Room for `capacity` rows, of which the first `rowCount` are initialised.
  private let rows: UnsafeMutablePointer<RecordView>
  private var rowCount = 0
  /// Room for `capacity` places in `rows`; the first `count` are selected, ascending.
  private let places: UnsafeMutablePointer<UInt16>
  /// How many rows are selected.
  private(set) var count = 0
  private let table: Table
  /// Holds rows that were stored in another layout and then transcoded.
  let arena: RecordArena

  init(_ table: Table, _ arena: RecordArena) {
    self.table = table
    self.arena = arena
    unsafe rows = .allocate(capacity: Self.capacity)
    unsafe places = .allocate(capacity: Self.capacity)
  }

  deinit {
    unsafe rows.deallocate()
    unsafe places.deallocate()
  }

  var layout: RecordLayout { table.layout }
  var isEmpty: Bool { count == 0 }
  var isFull: Bool { rowCount == Self.capacity }

  /// A selected row.
  subscript(position: Int) -> RecordView {
    // Safety: callers' positions are below the count, and places below the number of rows.
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
  mutating func append(_ row: RecordView) {
    precondition(!isFull, "A full batch takes no row.")
    // Safety: there is room for another row.
    unsafe (rows + rowCount).initialize(to: row)
    unsafe places[count] = UInt16(truncatingIfNeeded: rowCount)
    rowCount += 1
    count += 1
  }

  /// Keeps the selected rows that pass a test.
  @inline(__always)
  mutating func keep(_ test: (RecordView) throws -> Bool) rethrows {
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

extension RowBlock.Entry {
  /// The key's bytes, valid as long as the block.
  var key: UnsafeRawBufferPointer {
    // Safety: the cursor filled both words for one row of the map.
    unsafe UnsafeRawBufferPointer(start: keyStart, count: keyCount)
  }

  /// The value's bytes, valid as long as the block.
  var value: UnsafeRawBufferPointer {
    // Safety: as for the key.
    unsafe UnsafeRawBufferPointer(start: valueStart, count: valueCount)
  }
}

/// Reads rows by their keys, a batch at a time.
struct RowBatchReader: ~Copyable {
  private let table: Table
  private let filter: Filter?
  /// What the entries say that brought the keys.
  private let entryFilter: Filter?
  private var batch: RowBatch
  private let keepsRows: Bool
  /// Whether all keys come from entries of an index, each of which has its row.
  private let isOfIndex: Bool

  init(
    _ table: Table, _ filter: Filter?, _ entryFilter: Filter?, _ arena: RecordArena,
    keepsRows: Bool,
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
