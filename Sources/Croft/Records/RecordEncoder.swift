/// Encodes one object as its key's code and its row in the R1 format.
///
/// Values are written in declaration order; three cursors (presence bits, fixed-width area, end
/// offsets) advance with them, so that no column is looked up.
@safe
public struct _RecordEncoder: ~Copyable {
  @usableFromInline var key = _ByteBuffer()
  @usableFromInline var row = _ByteBuffer(capacity: 256)
  @usableFromInline var presence = 0
  @usableFromInline var fixed = 0
  @usableFromInline var ends = 0
  @usableFromInline var variableStart = 0
  @usableFromInline var isWide = false
  /// The first property whose value cannot be encoded, and why.
  var failure: (field: Failure, reason: String)?

  init() {}

  /// Writes the next property.
  @inlinable
  public mutating func encode<V: StorableProperty>(_ value: V) { value.store(into: &self) }

  /// Writes the next property of an optional struct.
  @inlinable
  public mutating func encode<V: StorableProperty>(optional value: V?) {
    V._store(value, into: &self)
  }

  /// Writes a property that cannot be stored; ``_requireStorable(_:)`` reports the error.
  @_disfavoredOverload
  public mutating func encode<V>(_ value: V) {
    preconditionFailure("\(V.self) cannot be stored.")
  }

  /// Writes a property of an optional struct that cannot be stored.
  @_disfavoredOverload
  public mutating func encode<V>(optional value: V?) {
    preconditionFailure("\(V.self) cannot be stored.")
  }

  /// Writes the primary key's code, and its value too if the code does not give it back.
  @inlinable
  public mutating func encodeKey<V: StorableKey>(_ value: V) {
    value.appendKey(to: &key)
    if !V.keyRestoresValue { value.store(into: &self) }
  }

  /// Writes a part of a compound key: its code, and its value.
  @inlinable
  public mutating func encodeKeyPart<V: StorableKey>(_ value: V) {
    value.appendKey(to: &key)
    value.store(into: &self)
  }

  @inlinable
  mutating func storeFixed<T: BitwiseCopyable>(_ value: T) {
    // Safety: `begin` made the fixed-width area, and columns fill it in order.
    unsafe row.base.storeBytes(of: value, toByteOffset: fixed, as: T.self)
    fixed &+= MemoryLayout<T>.size
  }

  @inlinable
  mutating func storePresence(_ isPresent: Bool) {
    if isPresent {
      // Safety: `begin` zeroed the bitmap, which starts after the four header bytes.
      let byte = unsafe row.base.advanced(by: 4 &+ presence >> 3)
        .assumingMemoryBound(to: UInt8.self)
      unsafe byte.pointee |= 1 << UInt8(truncatingIfNeeded: presence & 7)
    }
    presence &+= 1
  }

  @inlinable
  mutating func storeVariable(_ bytes: UnsafeRawBufferPointer) {
    let count = bytes.count
    row.reserve(count)
    if let source = bytes.baseAddress {
      // Safety: `reserve` made room after the row's last byte.
      unsafe row.base.advanced(by: row.count).copyMemory(from: source, byteCount: count)
    }
    row.count &+= count
    storeEnd()
  }

  @inlinable
  mutating func storeEnd() {
    let end = row.count &- variableStart
    // Safety: `begin` made one place for each variable column's end.
    if isWide {
      unsafe row.base.storeBytes(
        of: UInt32(truncatingIfNeeded: end).littleEndian, toByteOffset: ends, as: UInt32.self)
      ends &+= 4
    } else {
      unsafe row.base.storeBytes(
        of: UInt16(truncatingIfNeeded: end).littleEndian, toByteOffset: ends, as: UInt16.self)
      ends &+= 2
    }
  }

  /// Writes an empty column: zeroes in the fixed-width area, or no bytes of variable length.
  @usableFromInline
  mutating func storeNothing(_ storage: StorageType) {
    let width = storage.width
    guard width > 0 else { return storeEnd() }
    // Safety: `begin` made the fixed-width area, and columns fill it in order.
    unsafe row.base.advanced(by: fixed).initializeMemory(as: UInt8.self, repeating: 0, count: width)
    fixed &+= width
  }
}

// MARK: - Objects

extension _RecordEncoder {
  @inlinable
  mutating func encode<M: Model>(_ object: M, _ layout: RecordLayout) {
    begin(layout)
    object._encode(into: &self)
    if isTooLongForNarrowEnds {
      begin(layout, isWide: true)
      object._encode(into: &self)
    }
  }

  /// The row so far, valid until the encoder is written again.
  var view: RecordView {
    // Safety: both buffers live as long as the encoder.
    unsafe RecordView(
      key: UnsafeRawPointer(key.base), keyCount: key.count, row: UnsafeRawPointer(row.base),
      rowCount: row.count, isWide: isWide)
  }

  /// Starts a row: header, empty presence bits, and room for everything of fixed width.
  @usableFromInline
  mutating func begin(_ layout: RecordLayout, isWide: Bool = false) {
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

  /// Writes the next column's bytes, which are copied from another row; without bytes it is nil.
  mutating func store(
    _ bytes: UnsafeRawBufferPointer?, in column: ColumnLayout, _ layout: RecordLayout
  ) {
    if column.presenceBit != nil { storePresence(unsafe bytes != nil) }
    guard let bytes = unsafe bytes else { return storeNothing(column.storage) }
    guard case .fixed = column.place else {
      if !isWide, row.count + bytes.count - variableStart > 0xFFFF { widen(layout) }
      return unsafe storeVariable(bytes)
    }
    guard let source = bytes.baseAddress else { return }
    // Safety: `begin` made the fixed-width area, and columns fill it in order.
    unsafe row.base.advanced(by: fixed).copyMemory(from: source, byteCount: bytes.count)
    fixed &+= bytes.count
  }

  /// Turns a narrow row, of which some variable columns are written, into a wide one.
  private mutating func widen(_ layout: RecordLayout) {
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

  /// The property whose value cannot be encoded.
  enum Failure {
    case named(String)
    /// By the offset of its bytes in the row.
    case fixed(Int)
  }

  /// Remembers that a property has no bytes; its statement then fails.
  mutating func fail(_ field: String, _ reason: String) {
    if failure == nil { failure = (.named(field), reason) }
  }

  /// Remembers that the next property, of fixed width, has no bytes; its statement then fails.
  mutating func failHere(_ reason: String) {
    if failure == nil { failure = (.fixed(fixed), reason) }
  }

  /// Writes a row from the bytes of its columns, each borrowed until the next one; nil for nil.
  mutating func assemble(
    _ layout: RecordLayout, key: UnsafeRawBufferPointer,
    _ bytes: (ColumnLayout) throws -> UnsafeRawBufferPointer?
  ) rethrows {
    begin(layout)
    // Safety: the key and the values are copied while they are borrowed.
    unsafe self.key.append(contentsOf: key)
    for column in layout.columns where column.place != .key {
      unsafe store(try bytes(column), in: column, layout)
    }
  }
}

// A collection's bytes are written by the same cursors as a row's. While the elements are written
// the cursors point into the collection, so that an element writes itself as a column does.

extension _RecordEncoder {
  /// The positions of the cursors before a collection.
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

  /// Puts the cursors after a dictionary's texts.
  @usableFromInline
  mutating func beginValues(_ frame: CollectionFrame) {
    ends = frame.start + frame.parts.values
    variableStart = row.count
  }

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
