// A collection's bytes are read by the same cursors as a row's, as they are written.

extension _RowDecoder {
  /// Where the cursors stood before a collection.
  @usableFromInline
  struct CollectionFrame {
    @usableFromInline let count: Int
    let values: Int
    let presence: Int
    let fixed: Int
    let ends: Int
    let variableStart: Int
    let lastEnd: Int
    let rowCount: Int
    let isWide: Bool
  }

  /// Reads the elements of the next column.
  ///
  /// - Throws: ``StoreError`` where the bytes are no such collection.
  @inlinable
  mutating func loadElements<V: Storable>(as storage: StorageType) throws -> [V] {
    let frame = try beginCollection(storage)
    var elements: [V] = []
    elements.reserveCapacity(frame.count)
    for _ in 0..<frame.count { elements.append(try V.load(from: &self)) }
    endCollection(frame)
    return elements
  }

  /// Reads the texts and values of the next column, in the order of the texts.
  ///
  /// - Throws: ``StoreError`` where the bytes are no such collection.
  @inlinable
  mutating func loadPairs<V: Storable>(as storage: StorageType) throws -> [(String, V)] {
    let frame = try beginCollection(storage)
    var keys: [String] = []
    keys.reserveCapacity(frame.count)
    for _ in 0..<frame.count { keys.append(try String.load(from: &self)) }
    beginValues(frame)
    let pairs = try keys.map { ($0, try V.load(from: &self)) }
    endCollection(frame)
    return pairs
  }

  /// Puts the cursors into the next column's collection, whose parts fit its length.
  @usableFromInline
  mutating func beginCollection(_ storage: StorageType) throws -> CollectionFrame {
    let row = unsafe row
    // Safety: the bytes are looked at while the row is borrowed.
    let found = try unsafe withVariable { bytes -> (start: Int, count: Int, end: Int)? in
      guard let view = unsafe CollectionView(bytes, storage) else { return nil }
      let start = unsafe bytes.baseAddress.map { unsafe $0 - row } ?? 0
      return (start, view.count, start + bytes.count)
    }
    guard let found else { throw badEnds() }
    let parts = CollectionParts(storage, count: found.count)
    let frame = CollectionFrame(
      count: found.count, values: found.start + parts.values, presence: presence, fixed: fixed,
      ends: ends, variableStart: variableStart, lastEnd: lastEnd, rowCount: rowCount,
      isWide: isWide)
    presence = found.start << 3
    fixed = frame.values
    ends = storage.collection == .dictionary ? found.start + parts.keyEnds : frame.values
    variableStart = found.start + parts.variable
    lastEnd = 0
    rowCount = found.end
    isWide = true
    return frame
  }

  /// Puts the cursors behind a dictionary's texts.
  @usableFromInline
  mutating func beginValues(_ frame: CollectionFrame) {
    ends = frame.values
    variableStart += lastEnd
    lastEnd = 0
  }

  /// Puts the cursors back, behind the collection.
  @usableFromInline
  mutating func endCollection(_ frame: CollectionFrame) {
    presence = frame.presence
    fixed = frame.fixed
    ends = frame.ends
    variableStart = frame.variableStart
    lastEnd = frame.lastEnd
    rowCount = frame.rowCount
    isWide = frame.isWide
  }
}
