// The loops over numbers, one for each width: with closed bounds no loop depends on the comparison.

extension Filter.NumberPlace {
  /// The place of a number, a truth value or a date; nil for other columns.
  init?(_ column: ColumnLayout, isNot: Bool) {
    guard case .fixed(let offset) = column.place, column.kind != .uuid else { return nil }
    self.init(offset: offset, kind: column.kind, presenceBit: column.presenceBit, isNot: isNot)
  }

  /// The place of a path that is a number column of the row itself.
  init?(_ path: ColumnPath, _ layout: RecordLayout, isNot: Bool) {
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
  func keep(_ batch: inout RowBatch, _ comparison: ConditionTree.Comparison, _ other: Self) {
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
  private func isNil(in row: RecordView) -> Bool {
    guard let presenceBit else { return false }
    return !row.isPresent(presenceBit)
  }

  @inline(__always)
  private func keep<Raw: BitwiseCopyable, Number: Comparable>(
    _ batch: inout RowBatch, _ comparison: ConditionTree.Comparison, _ other: Self,
    as type: Raw.Type,
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
    _ batch: inout RowBatch, _ comparison: ConditionTree.Comparison, _ value: [UInt8], isNot: Bool
  ) throws {
    let layout = batch.layout
    try unsafe value.withUnsafeBytes { value in
      try batch.keep { row in
        guard isPresent(in: row) else { return isNot }
        return comparison.holds(unsafe ByteList.compare(try bytes(in: row, layout), value)) != isNot
      }
    }
  }

  func keepText(
    _ batch: inout RowBatch, _ comparison: ConditionTree.Comparison, _ test: TextTest, isNot: Bool
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
