extension _RowEncoder {
  /// Writes an object's key and row.
  @inlinable
  mutating func encode<M: Model>(_ object: M, _ layout: RowLayout) {
    begin(layout)
    object._encode(into: &self)
    if isTooLongForNarrowEnds {
      begin(layout, isWide: true)
      object._encode(into: &self)
    }
  }

  /// Starts a row: header, empty presence bits, and room for everything of fixed width.
  @usableFromInline
  mutating func begin(_ layout: RowLayout, isWide: Bool = false) {
    let start = layout.variableStart(isWide: isWide)
    key.count = 0
    row.count = 0
    row.reserve(start)
    // Safety: `reserve` made room for `start` bytes.
    unsafe row.base.storeBytes(of: layout.header(isWide: isWide).littleEndian, as: UInt32.self)
    if layout.fixedStart > 4 {
      unsafe (row.base + 4).initializeMemory(
        as: UInt8.self, repeating: 0, count: layout.fixedStart - 4)
    }
    row.count = start
    presence = 0
    fixed = layout.fixedStart
    ends = layout.endsStart
    variableStart = start
    self.isWide = isWide
    failure = nil
  }

  /// Whether the variable bytes are more than 16-bit end offsets can tell.
  @usableFromInline
  var isTooLongForNarrowEnds: Bool { !isWide && row.count &- variableStart > 0xFFFF }

  /// Writes the next column's bytes as they lie in another row.
  mutating func store(
    _ bytes: UnsafeRawBufferPointer, in column: ColumnLayout, _ layout: RowLayout
  ) {
    if column.presenceBit != nil { storePresence(true) }
    guard case .fixed = column.place else {
      if !isWide, row.count + bytes.count - variableStart > 0xFFFF { widen(layout) }
      return unsafe storeVariable(bytes)
    }
    guard let source = bytes.baseAddress else { return }
    // Safety: `begin` made the fixed-width area, and columns fill it in order.
    unsafe row.base.advanced(by: fixed).copyMemory(from: source, byteCount: bytes.count)
    fixed &+= bytes.count
  }

  /// Writes nil as the next column.
  mutating func storeNothing(in column: ColumnLayout, _ layout: RowLayout) {
    if column.presenceBit != nil { storePresence(false) }
    storeNothing(column.storage)
  }

  /// Turns a narrow row, of which some variable columns are written, into a wide one.
  private mutating func widen(_ layout: RowLayout) {
    let written = (ends - layout.endsStart) / 2
    let start = layout.variableStart(isWide: true)
    row.reserve(start - variableStart)
    // Safety: `reserve` made room for ends of twice the length; the ends, of which the wide
    // ones cover the narrow ones, are read before they are overwritten.
    let values = (0..<written).map { slot in
      UInt16(
        littleEndian: unsafe row.base.loadUnaligned(
          fromByteOffset: layout.endsStart + slot * 2, as: UInt16.self))
    }
    unsafe row.base.advanced(by: start).copyMemory(
      from: row.base.advanced(by: variableStart), byteCount: row.count - variableStart)
    for (slot, end) in values.enumerated() {
      unsafe row.base.storeBytes(
        of: UInt32(end).littleEndian, toByteOffset: layout.endsStart + slot * 4, as: UInt32.self)
    }
    unsafe row.base.storeBytes(of: layout.header(isWide: true).littleEndian, as: UInt32.self)
    row.count += start - variableStart
    ends = layout.endsStart + written * 4
    variableStart = start
    isWide = true
  }
}

extension _RowEncoder {
  /// Remembers that a property has no bytes; its statement then fails.
  mutating func fail(_ field: String, _ reason: String) {
    if failure == nil { failure = (field, reason) }
  }
}
