// Types that the expansion of @Model uses, and members that are inlined into the user's module.
// None of them is meant to be used by hand.

/// A growing buffer of bytes, which owns its memory.
@safe
public struct _ByteBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutableRawPointer
  @usableFromInline var count = 0
  @usableFromInline var capacity: Int
  /// Bytes behind the capacity, so that a row's checksum can be appended without moving the row.
  private static let slack = 8

  /// Makes an empty buffer.
  public init() { self.init(capacity: 64) }

  init(capacity: Int) {
    self.capacity = capacity
    unsafe base = .allocate(byteCount: capacity + Self.slack, alignment: 16)
  }

  deinit { unsafe base.deallocate() }

  /// Makes room for `extra` bytes behind the last one.
  @inlinable
  mutating func reserve(_ extra: Int) {
    if count &+ extra > capacity { grow(to: count + extra) }
  }

  @usableFromInline
  mutating func grow(to needed: Int) {
    let larger = max(needed, capacity * 2)
    // Safety: the new block holds at least `count` bytes, and the old one is freed once.
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: larger + Self.slack, alignment: 16)
    unsafe bytes.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = bytes
    capacity = larger
  }

  /// Appends one byte.
  @inlinable
  mutating func append(_ byte: UInt8) {
    reserve(1)
    // Safety: `reserve` made room for the byte at `count`.
    unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  /// Appends an integer, most significant byte first.
  @inlinable
  mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
    let size = MemoryLayout<T>.size
    reserve(size)
    // Safety: `reserve` made room for `size` bytes at `count`.
    unsafe base.storeBytes(of: value.bigEndian, toByteOffset: count, as: T.self)
    count &+= size
  }
}

/// Encodes one object as its key's code and its row in the R1 format.
///
/// Values are written in declaration order; three cursors (presence bits, fixed-width area, end
/// offsets) advance with them, so that no column is looked up.
@safe
public struct _RowEncoder: ~Copyable {
  @usableFromInline var key = _ByteBuffer()
  @usableFromInline var row = _ByteBuffer(capacity: 256)
  @usableFromInline var presence = 0
  @usableFromInline var fixed = 0
  @usableFromInline var ends = 0
  @usableFromInline var variableStart = 0
  @usableFromInline var isWide = false
  /// The first property whose value cannot be encoded, and why.
  var failure: (field: String, reason: String)?

  init() {}

  /// Writes the next property.
  @inlinable
  public mutating func encode<V: StorableProperty>(_ value: V) { value.store(into: &self) }

  /// Writes the next property of an optional struct.
  @inlinable
  public mutating func encode<V: StorableProperty>(optional value: V?) {
    V._store(value, into: &self)
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
      // Safety: `begin` zeroed the bitmap, which starts behind the four header bytes.
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
      // Safety: `reserve` made room behind the row's last byte.
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

  /// Writes an empty place: zeroes in the fixed-width area, or no bytes of variable length.
  @usableFromInline
  mutating func storeNothing(_ storage: StorageType) {
    let width = storage.width
    guard width > 0 else { return storeEnd() }
    // Safety: `begin` made the fixed-width area, and columns fill it in order.
    unsafe row.base.advanced(by: fixed).initializeMemory(as: UInt8.self, repeating: 0, count: width)
    fixed &+= width
  }
}

/// Decodes one object from its key's code and its row, in declaration order.
///
/// It borrows the transaction's memory, so it cannot be copied and stays in the call that made it.
@safe
public struct _RowDecoder: ~Copyable {
  @usableFromInline var key: UnsafeRawPointer
  @usableFromInline var row: UnsafeRawPointer
  @usableFromInline var keyCount = 0
  /// The start of the next part of a key's code.
  @usableFromInline var keyCursor: UnsafeRawPointer
  @usableFromInline var rowCount = 0
  @usableFromInline var presence = 0
  @usableFromInline var fixed = 0
  @usableFromInline var ends = 0
  @usableFromInline var variableStart = 0
  @usableFromInline var lastEnd = 0
  @usableFromInline var isWide = false
  /// The number of columns begun, by which an error finds the property's name.
  @usableFromInline var columnsBegun = 0
  let layout: RowLayout

  /// Reads the next property.
  ///
  /// - Throws: ``StoreError`` if the bytes are no such value.
  @inlinable
  public mutating func decode<V: StorableProperty>() throws -> V {
    columnsBegun &+= 1
    return try V.load(from: &self)
  }

  /// Reads a key, or the next part of a compound one, from the key's code.
  ///
  /// - Throws: ``StoreError`` if the bytes are no such value.
  @inlinable
  public mutating func decodeKey<V: StorableKey>() throws -> V {
    try V.loadKey(from: &self)
  }

  @inlinable
  mutating func loadFixed<T: BitwiseCopyable>(_ type: T.Type) -> T {
    // Safety: `move` checked that the row holds its whole fixed-width area.
    let value = unsafe row.loadUnaligned(fromByteOffset: fixed, as: T.self)
    fixed &+= MemoryLayout<T>.size
    return value
  }

  @inlinable
  mutating func loadPresence() -> Bool {
    // Safety: `move` checked that the row holds its bitmap.
    let byte = unsafe row.load(fromByteOffset: 4 &+ presence >> 3, as: UInt8.self)
    let bit = byte >> UInt8(truncatingIfNeeded: presence & 7) & 1
    presence &+= 1
    return bit == 1
  }

  /// The next variable column's bytes, lent to the closure.
  @inlinable
  mutating func withVariable<R>(_ body: (UnsafeRawBufferPointer) -> R) throws -> R {
    let start = lastEnd
    // Safety: `move` checked that the row holds all its end offsets.
    if isWide {
      lastEnd = Int(
        UInt32(littleEndian: unsafe row.loadUnaligned(fromByteOffset: ends, as: UInt32.self)))
      ends &+= 4
    } else {
      lastEnd = Int(
        UInt16(littleEndian: unsafe row.loadUnaligned(fromByteOffset: ends, as: UInt16.self)))
      ends &+= 2
    }
    guard start <= lastEnd, variableStart &+ lastEnd <= rowCount else { throw badEnds() }
    // Safety: the guard keeps the range inside the row.
    return unsafe body(
      UnsafeRawBufferPointer(
        start: row.advanced(by: variableStart &+ start), count: lastEnd &- start))
  }

  /// The next eight bytes of the key's code.
  @inlinable
  mutating func loadKeyWord() -> UInt64 {
    // Safety: before the cursor was set, a whole code of the type was found there.
    let word = unsafe keyCursor.loadUnaligned(as: UInt64.self)
    unsafe keyCursor += 8
    return UInt64(bigEndian: word)
  }

  /// Skips the empty place of a value that is nil.
  @usableFromInline
  mutating func skip(_ storage: StorageType) {
    fixed &+= storage.width
    if storage.width == 0 { ends &+= isWide ? 4 : 2 }
  }
}
