/// Reads integers of variable length.
struct VariableReader {
  private(set) var offset: Int

  init(offset: Int) { self.offset = offset }

  /// The next integer; nil where the bytes end inside it, or it has more than 35 bits.
  @inline(__always)
  mutating func next(in bytes: RawSpan) -> UInt64? {
    guard offset < bytes.byteCount else { return nil }
    let first = bytes.byte(at: offset)
    offset &+= 1
    return first < 0x80 ? UInt64(first) : rest(after: first, in: bytes)
  }

  /// The integer whose first byte was read, and is not its last one.
  @inline(never)
  private mutating func rest(after first: UInt8, in bytes: RawSpan) -> UInt64? {
    var (value, shift): (UInt64, UInt64) = (UInt64(first & 0x7F), 7)
    while offset < bytes.byteCount, shift < 35 {
      let byte = bytes.byte(at: offset)
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// Moves past some bytes; false where there are fewer.
  mutating func skip(_ count: UInt64, in bytes: RawSpan) -> Bool {
    guard count <= bytes.byteCount - offset else { return false }
    offset += Int(count)
    return true
  }
}

extension _ByteBuffer {
  /// Appends an integer of up to 35 bits, seven bits a byte, the lowest first.
  mutating func append(variable value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}
