extension Bool: Ordered {
  /// One byte.
  @inlinable public static var storage: StorageType { StorageType(.bool) }
  /// Writes 0 or 1.
  @inlinable public func store(into row: inout _RowEncoder) {
    row.storeFixed(self ? 1 as UInt8 : 0)
  }
  /// Reads one byte; anything but 0 is true.
  @inlinable
  public static func load(from row: inout _RowDecoder) -> Bool { row.loadFixed(UInt8.self) != 0 }
  /// The value as conditions hold it.
  public var stored: StoredValue { .bool(self) }
  /// Appends 0 or 1.
  @inlinable public func appendKey(to key: inout _ByteBuffer) { key.append(self ? 1 : 0) }
}

/// What all integer widths share: the row holds them as they are, keys hold 64 bits.
public protocol StorableInteger: StorableKey, FixedWidthInteger, BitwiseCopyable {
  /// The kind of the bytes.
  static var kind: StorageType.Kind { get }
}

extension StorableInteger {
  /// Its own width, little-endian.
  @inlinable public static var storage: StorageType { StorageType(kind) }
  /// Writes the integer, little-endian.
  @inlinable public func store(into row: inout _RowEncoder) { row.storeFixed(littleEndian) }
  /// Reads the integer.
  @inlinable
  public static func load(from row: inout _RowDecoder) -> Self {
    Self(littleEndian: row.loadFixed(Self.self))
  }
  /// The value as conditions hold it.
  public var stored: StoredValue { Self.isSigned ? .int(Int64(self)) : .uint(UInt64(self)) }
  /// Eight bytes, so that widening a key's type changes no key.
  @inlinable
  public func appendKey(to key: inout _ByteBuffer) {
    let bits = UInt64(truncatingIfNeeded: self)
    key.append(bigEndian: Self.isSigned ? bits ^ (1 << 63) : bits)
  }
  /// The code is the integer: the row does not repeat it.
  @inlinable public static var keyRestoresValue: Bool { true }
  /// Reads the integer back from its eight bytes.
  @inlinable
  public static func loadKey(from row: inout _RowDecoder) -> Self {
    let bits = row.loadKeyWord()
    return Self(truncatingIfNeeded: Self.isSigned ? bits ^ (1 << 63) : bits)
  }
}

extension Int: StorableInteger {
  /// Sixty-four bits: platforms of other word sizes are not supported.
  @inlinable public static var kind: StorageType.Kind { .int64 }
}
extension Int8: StorableInteger {
  /// Eight bits.
  @inlinable public static var kind: StorageType.Kind { .int8 }
}
extension Int16: StorableInteger {
  /// Sixteen bits.
  @inlinable public static var kind: StorageType.Kind { .int16 }
}
extension Int32: StorableInteger {
  /// Thirty-two bits.
  @inlinable public static var kind: StorageType.Kind { .int32 }
}
extension Int64: StorableInteger {
  /// Sixty-four bits.
  @inlinable public static var kind: StorageType.Kind { .int64 }
}
extension UInt: StorableInteger {
  /// Sixty-four bits, as for Int.
  @inlinable public static var kind: StorageType.Kind { .uint64 }
}
extension UInt8: StorableInteger {
  /// Eight bits.
  @inlinable public static var kind: StorageType.Kind { .uint8 }
}
extension UInt16: StorableInteger {
  /// Sixteen bits.
  @inlinable public static var kind: StorageType.Kind { .uint16 }
}
extension UInt32: StorableInteger {
  /// Thirty-two bits.
  @inlinable public static var kind: StorageType.Kind { .uint32 }
}
extension UInt64: StorableInteger {
  /// Sixty-four bits.
  @inlinable public static var kind: StorageType.Kind { .uint64 }
}

extension Float: Ordered {
  /// IEEE 754 binary32.
  @inlinable public static var storage: StorageType { StorageType(.float) }
  /// Writes the bit pattern, little-endian.
  @inlinable
  public func store(into row: inout _RowEncoder) { row.storeFixed(bitPattern.littleEndian) }
  /// Reads the bit pattern.
  @inlinable
  public static func load(from row: inout _RowDecoder) -> Float {
    Float(bitPattern: UInt32(littleEndian: row.loadFixed(UInt32.self)))
  }
  /// The value as conditions hold it; widening to Double is exact.
  public var stored: StoredValue { .double(Double(self)) }
  /// Four bytes that compare as the values do; see the key format's article.
  public func appendKey(to key: inout _ByteBuffer) {
    let bits = isNaN ? Float.nan.bitPattern : (self == 0 ? 0 : bitPattern)
    key.append(bigEndian: bits >> 31 == 1 ? ~bits : bits | (1 << 31))
  }
}

extension Double: Ordered {
  /// IEEE 754 binary64.
  @inlinable public static var storage: StorageType { StorageType(.double) }
  /// Writes the bit pattern, little-endian.
  @inlinable
  public func store(into row: inout _RowEncoder) { row.storeFixed(bitPattern.littleEndian) }
  /// Reads the bit pattern.
  @inlinable
  public static func load(from row: inout _RowDecoder) -> Double {
    Double(bitPattern: UInt64(littleEndian: row.loadFixed(UInt64.self)))
  }
  /// The value as conditions hold it.
  public var stored: StoredValue { .double(self) }
  /// Eight bytes that compare as the values do; see the key format's article.
  @inlinable
  public func appendKey(to key: inout _ByteBuffer) { key.append(bigEndian: orderedBits) }

  /// The bit pattern made to compare as an unsigned integer, NaN last, one zero.
  @inlinable var orderedBits: UInt64 {
    let bits = isNaN ? Double.nan.bitPattern : (self == 0 ? 0 : bitPattern)
    return bits >> 63 == 1 ? ~bits : bits | (1 << 63)
  }

  /// The value that a pattern of ``orderedBits`` was made from.
  @inlinable init(orderedBits bits: UInt64) {
    self.init(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
  }
}
