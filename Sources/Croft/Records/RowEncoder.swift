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

  /// Writes the next column's bytes, which are copied from another row.
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

extension _RowEncoder {
  /// Writes a row whose columns are those of other rows, without decoding any.
  ///
  /// - Parameters:
  ///   - layout: The layout of the row.
  ///   - source: The row whose key it gets.
  ///   - choose: For each column, the row that it is copied from, and its column there.
  mutating func assemble(
    _ layout: RowLayout, key source: RowView,
    _ choose: (ColumnLayout) throws -> (row: RowView, column: ColumnLayout, layout: RowLayout)
  ) throws {
    begin(layout)
    // Safety: the key and the values are copied while the rows are lent.
    unsafe key.append(contentsOf: source.keyBytes)
    for column in layout.columns where column.place != .key {
      let (row, place, rowLayout) = try choose(column)
      if place.isPresent(in: row) {
        unsafe store(try place.bytes(in: row, rowLayout), in: column, layout)
      } else {
        storeNothing(in: column, layout)
      }
    }
  }
}

// A collection's bytes are written by the same cursors as a row's: for the time of the
// elements they stand in the collection, so that an element writes itself as a column does.

extension _RowEncoder {
  /// Where the cursors stood before a collection.
  @usableFromInline
  struct CollectionFrame {
    let start: Int
    let parts: CollectionParts
    let presence: Int
    let fixed: Int
    let ends: Int
    let variableStart: Int
    let isWide: Bool
  }

  /// Writes a collection's elements as the next column; an empty one has no bytes.
  @inlinable
  mutating func storeElements<C: Collection>(
    _ elements: C, as storage: StorageType
  ) where C.Element: Storable {
    guard !elements.isEmpty else { return storeEnd() }
    let frame = beginCollection(storage, count: elements.count)
    for element in elements { element.store(into: &self) }
    endCollection(frame)
  }

  /// Writes texts and their values, which are in the order of the texts, as the next column.
  @inlinable
  mutating func storePairs<V: Storable>(
    _ pairs: [(key: String, value: V)], as storage: StorageType
  ) {
    guard !pairs.isEmpty else { return storeEnd() }
    let frame = beginCollection(storage, count: pairs.count)
    for pair in pairs { pair.key.store(into: &self) }
    beginValues(frame)
    for pair in pairs { pair.value.store(into: &self) }
    endCollection(frame)
  }

  /// Makes room for a collection's parts of known length, and puts the cursors there.
  @usableFromInline
  mutating func beginCollection(_ storage: StorageType, count: Int) -> CollectionFrame {
    let start = row.count
    let parts = CollectionParts(storage, count: count)
    let frame = CollectionFrame(
      start: start, parts: parts, presence: presence, fixed: fixed, ends: ends,
      variableStart: variableStart, isWide: isWide)
    row.reserve(parts.variable)
    // Safety: `reserve` made room for all parts but the bytes of variable length.
    unsafe row.base.advanced(by: start).initializeMemory(
      as: UInt8.self, repeating: 0, count: parts.variable)
    unsafe row.base.storeBytes(
      of: UInt32(truncatingIfNeeded: count).littleEndian, toByteOffset: start, as: UInt32.self)
    row.count = start + parts.variable
    // Bits are counted from the row's first presence byte, which comes after four others, as
    // a collection's do.
    presence = start << 3
    fixed = start + parts.values
    ends = start + (storage.collection == .dictionary ? parts.keyEnds : parts.values)
    variableStart = row.count
    isWide = true
    return frame
  }

  /// Puts the cursors behind a dictionary's texts.
  @usableFromInline
  mutating func beginValues(_ frame: CollectionFrame) {
    ends = frame.start + frame.parts.values
    variableStart = row.count
  }

  /// Puts the cursors back, behind the collection.
  @usableFromInline
  mutating func endCollection(_ frame: CollectionFrame) {
    presence = frame.presence
    fixed = frame.fixed
    ends = frame.ends
    variableStart = frame.variableStart
    isWide = frame.isWide
    storeEnd()
  }
}
