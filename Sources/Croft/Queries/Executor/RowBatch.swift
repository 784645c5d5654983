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
  private let rows: UnsafeMutablePointer<RowView>
  private var rowCount = 0
  /// Room for `capacity` places in `rows`; the first `count` are selected, ascending.
  private let places: UnsafeMutablePointer<UInt16>
  /// How many rows are selected.
  private(set) var count = 0
  private let table: Table
  /// Holds rows that were stored in another layout and then transcoded.
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

// The loops over numbers, one for each width: with closed bounds no loop depends on the comparison.

extension Filter.NumberPlace {
  /// The place of a number, a truth value or a date; nil for other columns.
  init?(_ column: ColumnLayout, isNot: Bool) {
    guard case .fixed(let offset) = column.place, column.kind != .uuid else { return nil }
    self.init(offset: offset, kind: column.kind, presenceBit: column.presenceBit, isNot: isNot)
  }

  /// The place of a path that is a number column of the row itself.
  init?(_ path: ColumnPath, _ layout: RowLayout, isNot: Bool) {
    guard path.isColumn(path.place) else { return nil }
    self.init(layout.columns[path.place], isNot: isNot)
  }
}

extension Filter.NumberPlace {
  func keep(_ batch: inout RowBatch, _ low: Int64, _ high: Int64) {
    switch kind {
    case .int8: keep(&batch, as: Int8.self, low, high) { Int64($0) }
    case .int16: keep(&batch, as: Int16.self, low, high) { Int64(Int16(littleEndian: $0)) }
    case .int32: keep(&batch, as: Int32.self, low, high) { Int64(Int32(littleEndian: $0)) }
    default: keep(&batch, as: Int64.self, low, high) { Int64(littleEndian: $0) }
    }
  }

  func keep(_ batch: inout RowBatch, _ low: UInt64, _ high: UInt64) {
    switch kind {
    case .uint8, .bool: keep(&batch, as: UInt8.self, low, high) { UInt64($0) }
    case .uint16: keep(&batch, as: UInt16.self, low, high) { UInt64(UInt16(littleEndian: $0)) }
    case .uint32: keep(&batch, as: UInt32.self, low, high) { UInt64(UInt32(littleEndian: $0)) }
    default: keep(&batch, as: UInt64.self, low, high) { UInt64(littleEndian: $0) }
    }
  }

  func keep(_ batch: inout RowBatch, _ low: Double, _ high: Double) {
    switch kind {
    case .float:
      keep(&batch, as: UInt32.self, low, high) {
        Double(Float(bitPattern: UInt32(littleEndian: $0)))
      }
    default:
      keep(&batch, as: UInt64.self, low, high) { Double(bitPattern: UInt64(littleEndian: $0)) }
    }
  }

  @inline(__always)
  private func keep<Raw: BitwiseCopyable, Number: Comparable>(
    _ batch: inout RowBatch, as type: Raw.Type, _ low: Number, _ high: Number,
    _ number: (Raw) -> Number
  ) {
    let (offset, isNot) = (offset, isNot)
    // Safety: a checked row holds its whole fixed-width area.
    if let bit = presenceBit {
      batch.keep { row in
        let value = number(unsafe row.row.loadUnaligned(fromByteOffset: offset, as: Raw.self))
        return (row.isPresent(bit) && value >= low && value <= high) != isNot
      }
    } else {
      batch.keep { row in
        let value = number(unsafe row.row.loadUnaligned(fromByteOffset: offset, as: Raw.self))
        return (value >= low && value <= high) != isNot
      }
    }
  }
}

// The loops that compare two columns of one kind.

extension Filter.NumberPlace {
  /// Keeps the rows where a comparison holds between this number and another; nil equals nil.
  func keep(_ batch: inout RowBatch, _ comparison: Comparison, _ other: Self) {
    switch kind {
    case .int8: keep(&batch, comparison, other, as: Int8.self) { $0 }
    case .int16: keep(&batch, comparison, other, as: Int16.self) { Int16(littleEndian: $0) }
    case .int32: keep(&batch, comparison, other, as: Int32.self) { Int32(littleEndian: $0) }
    case .int64: keep(&batch, comparison, other, as: Int64.self) { Int64(littleEndian: $0) }
    case .uint8, .bool: keep(&batch, comparison, other, as: UInt8.self) { $0 }
    case .uint16: keep(&batch, comparison, other, as: UInt16.self) { UInt16(littleEndian: $0) }
    case .uint32: keep(&batch, comparison, other, as: UInt32.self) { UInt32(littleEndian: $0) }
    case .float:
      keep(&batch, comparison, other, as: UInt32.self) {
        Float(bitPattern: UInt32(littleEndian: $0))
      }
    case .double, .date:
      keep(&batch, comparison, other, as: UInt64.self) {
        Double(bitPattern: UInt64(littleEndian: $0))
      }
    default: keep(&batch, comparison, other, as: UInt64.self) { UInt64(littleEndian: $0) }
    }
  }

  @inline(__always)
  private func isNil(in row: RowView) -> Bool {
    guard let presenceBit else { return false }
    return !row.isPresent(presenceBit)
  }

  @inline(__always)
  private func keep<Raw: BitwiseCopyable, Number: Comparable>(
    _ batch: inout RowBatch, _ comparison: Comparison, _ other: Self, as type: Raw.Type,
    _ number: (Raw) -> Number
  ) {
    batch.keep { row in
      let isNil = isNil(in: row)
      if isNil || other.isNil(in: row) {
        return (comparison == .equal && isNil && other.isNil(in: row)) != isNot
      }
      // Safety: a checked row holds its whole fixed-width area.
      let left = number(unsafe row.row.loadUnaligned(fromByteOffset: offset, as: Raw.self))
      let right = number(unsafe row.row.loadUnaligned(fromByteOffset: other.offset, as: Raw.self))
      return comparison.holds(left, right) != isNot
    }
  }
}

extension ColumnLayout {
  func keepBytes(
    _ batch: inout RowBatch, _ comparison: Comparison, _ value: [UInt8], isNot: Bool
  ) throws {
    let layout = batch.layout
    try unsafe value.withUnsafeBytes { value in
      try batch.keep { row in
        guard isPresent(in: row) else { return isNot }
        return comparison.holds(unsafe KeySort.compare(try bytes(in: row, layout), value)) != isNot
      }
    }
  }

  func keepText(
    _ batch: inout RowBatch, _ comparison: Comparison, _ test: TextTest, isNot: Bool
  ) throws {
    let layout = batch.layout
    try batch.keep { row in
      guard isPresent(in: row) else { return isNot }
      let text = try unsafe bytes(in: row, layout)
      if comparison == .equal { return unsafe test.isEqual(to: text) != isNot }
      return comparison.holds(unsafe test.order(of: text)) != isNot
    }
  }

  func keepMatches(_ batch: inout RowBatch, _ matcher: TextMatcher, isNot: Bool) throws {
    let layout = batch.layout
    try batch.keep { row in
      guard isPresent(in: row) else { return isNot }
      return unsafe matcher.matches(try bytes(in: row, layout)) != isNot
    }
  }
}
