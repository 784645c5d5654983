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
    // Bits are counted from the row's first presence byte, which stands behind four others, as
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
