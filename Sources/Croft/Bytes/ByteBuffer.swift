/// A growing buffer of bytes, which owns its memory.
@safe
public struct _ByteBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutableRawPointer
  @usableFromInline var count = 0
  @usableFromInline var capacity: Int
  /// Bytes after the capacity, so that a row's checksum can be appended without moving the row.
  private static let slack = 8

  /// Makes an empty buffer.
  public init() { self.init(capacity: 64) }

  init(capacity: Int) {
    let capacity = min(capacity, Threshold.bufferBytes.value)
    self.capacity = capacity
    unsafe base = .allocate(byteCount: capacity + Self.slack, alignment: 16)
  }

  deinit { unsafe base.deallocate() }

  /// Makes room for `extra` bytes after the last one.
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

// MARK: - Bytes

extension _ByteBuffer {
  /// The bytes so far, borrowed until the buffer changes.
  var bytes: UnsafeRawBufferPointer {
    // Safety: `count` bytes at `base` are initialised.
    unsafe UnsafeRawBufferPointer(start: base, count: count)
  }

  /// A copy of the bytes.
  var copied: [UInt8] {
    // Safety: the bytes are copied while the buffer lives.
    unsafe [UInt8](bytes)
  }

  /// Appends an integer, least significant byte first.
  mutating func append(littleEndian value: some FixedWidthInteger) {
    append(bigEndian: value.byteSwapped)
  }

  mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    let added = bytes.count
    reserve(added)
    // Safety: `reserve` made room after the last byte. Most keys have eight bytes, as integers do.
    if added == 8 {
      unsafe base.storeBytes(
        of: source.loadUnaligned(as: UInt64.self), toByteOffset: count, as: UInt64.self)
    } else {
      unsafe base.advanced(by: count).copyMemory(from: source, byteCount: added)
    }
    count &+= added
  }

  /// Appends each byte, 00 as 00 FF, and the end mark 00 00.
  @usableFromInline
  mutating func appendEscaped(_ bytes: UnsafeRawBufferPointer) {
    if unsafe bytes.contains(0) {
      for place in 0..<bytes.count {
        let byte = unsafe bytes[place]
        append(byte)
        if byte == 0 { append(0xFF) }
      }
    } else {
      unsafe append(contentsOf: bytes)
    }
    append(bigEndian: 0 as UInt16)
  }

  /// Appends the UTF-8 of a text's normalisation form C, escaped and with the end mark.
  @usableFromInline
  mutating func appendNormalized(_ utf8: UnsafeRawBufferPointer) {
    if unsafe utf8.isASCII {
      unsafe appendEscaped(utf8)
    } else {
      unsafe appendComposed(utf8)
    }
  }

  /// Inverts the bytes from `start` on, so that they compare in the opposite order.
  mutating func invert(from start: Int) {
    for offset in start..<count {
      // Safety: the offsets are below `count`.
      let byte = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
      unsafe base.storeBytes(of: ~byte, toByteOffset: offset, as: UInt8.self)
    }
  }

  /// Appends the key code of one column of a row, without making a Swift value of it.
  ///
  /// - Parameters:
  ///   - cut: The most bytes kept of a value of variable length; `nil` keeps all.
  ///   - foldsCase: Whether a text is entered with its case folded.
  mutating func appendCode(
    of column: ColumnLayout, in row: RecordView, layout: RecordLayout, cut: Int?,
    foldsCase: Bool = false
  ) throws {
    if let bit = column.presenceBit {
      guard row.isPresent(bit) else { return append(0) }
      append(1)
    }
    switch column.place {
    case .key:
      unsafe append(contentsOf: row.keyBytes)
    case .fixed(let offset):
      // Safety: a checked row holds its whole fixed-width area.
      unsafe appendFixedCode(column.kind, at: row.row.advanced(by: offset))
    case .variable(let slot):
      unsafe appendVariableCode(
        column.kind, try row.variable(slot, layout), cut: cut, foldsCase: foldsCase)
    }
  }

  mutating func appendVariableCode(
    _ kind: StorageType.Kind, _ bytes: UnsafeRawBufferPointer, cut: Int?,
    foldsCase: Bool = false
  ) {
    let start = count
    switch kind {
    // Rows hold these kinds as their key code, which is always short enough for an index.
    case .decimal, .compound: return unsafe append(contentsOf: bytes)
    case .string: unsafe foldsCase ? appendCaseFolded(bytes) : appendNormalized(bytes)
    default: unsafe appendEscaped(bytes)
    }
    if let cut { cutCode(from: start, keeping: cut) }
  }

  /// Appends the key code of a value of fixed width whose bytes start at `place`.
  mutating func appendFixedCode(_ kind: StorageType.Kind, at place: UnsafeRawPointer) {
    // Safety: the caller's place holds `kind.width` bytes.
    @inline(__always)
    func word<I: FixedWidthInteger>(_ type: I.Type) -> I {
      I(littleEndian: unsafe place.loadUnaligned(as: I.self))
    }
    switch kind {
    case .bool: append(word(UInt8.self) != 0 ? 1 : 0)
    case .int8: word(Int8.self).appendKey(to: &self)
    case .int16: word(Int16.self).appendKey(to: &self)
    case .int32: word(Int32.self).appendKey(to: &self)
    case .int64: word(Int64.self).appendKey(to: &self)
    case .uint8: word(UInt8.self).appendKey(to: &self)
    case .uint16: word(UInt16.self).appendKey(to: &self)
    case .uint32: word(UInt32.self).appendKey(to: &self)
    case .uint64: word(UInt64.self).appendKey(to: &self)
    case .float: Float(bitPattern: word(UInt32.self)).appendKey(to: &self)
    case .double, .date: Double(bitPattern: word(UInt64.self)).appendKey(to: &self)
    case .uuid:
      unsafe append(contentsOf: UnsafeRawBufferPointer(start: place, count: 16))
    case .string, .data, .decimal, .coded, .compound:
      assertionFailure("variable kinds have no fixed place")
    }
  }

  /// The bits that are kept of the hash in a truncated code: all, unless a test wants them to collide.
  @inline(__always)
  private static var keptHashBits: UInt128 {
    .max >> (UInt128.bitWidth - Threshold.truncatedKeyHashBits.value)
  }

  /// Truncates the code of a value of variable length that is longer than an index keeps.
  ///
  /// A truncated code is the code's first bytes, the mark 00 01 (which no whole code has, because there
  /// 00 is followed by 00 or FF) and a 16-byte hash of the whole code.
  ///
  /// - Returns: Whether the code was truncated, so that several values may share it.
  @discardableResult
  mutating func cutCode(from start: Int, keeping kept: Int) -> Bool {
    guard count - start - 2 > kept else { return false }
    // Safety: the range ends at `count`.
    let hash = unsafe Checksum.FNV1a.hash(
      UnsafeRawBufferPointer(start: base.advanced(by: start), count: count - start))
    var end = start + kept
    // An escape pair is not split: a lone 00 would read as the start of a mark.
    if unsafe base.load(fromByteOffset: end - 1, as: UInt8.self) == 0 { end -= 1 }
    count = end
    append(bigEndian: 1 as UInt16)
    append(bigEndian: hash & Self.keptHashBits)
    return true
  }
}

extension UnsafeRawBufferPointer {
  /// Whether all bytes are ASCII, which is in normalisation form C already.
  var isASCII: Bool {
    var index = 0
    while index &+ 8 <= count {
      // Safety: the buffer has eight bytes from `index` on.
      let word = unsafe self.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      index &+= 8
    }
    while index < count {
      if unsafe self[index] >= 0x80 { return false }
      index &+= 1
    }
    return true
  }
}

extension RawSpan {
  /// One byte; traps past the end.
  func byte(at offset: Int) -> UInt8 {
    // Safety: the load checks its bounds, and any byte is a UInt8.
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// Eight bytes as a little-endian word; traps past the end.
  func word(at offset: Int) -> UInt64 {
    // Safety: the load checks its bounds, and any eight bytes are a UInt64.
    UInt64(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  func copied() -> [UInt8] {
    // Safety: the bytes are copied while the span is borrowed.
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }
}
