extension Bool: OrderedStorable {
  /// One byte.
  @inlinable public static var storage: StorageType { StorageType(.bool) }
  /// Writes 0 or 1.
  @inlinable public func store(into row: inout _RecordEncoder) {
    row.storeFixed(self ? 1 as UInt8 : 0)
  }
  /// Reads one byte; anything but 0 is true.
  @inlinable
  public static func load(from row: inout _RecordDecoder) -> Bool { row.loadFixed(UInt8.self) != 0 }
  /// The value as conditions compare it.
  public var stored: StoredValue { .bool(self) }
  /// Appends 0 or 1.
  @inlinable public func appendKey(to key: inout _ByteBuffer) { key.append(self ? 1 : 0) }
}

/// An integer of any width: rows store it in its own width, keys in 64 bits.
public protocol StorableInteger: StorableKey, FixedWidthInteger, BitwiseCopyable {
  /// The kind of the bytes.
  static var kind: StorageType.Kind { get }
}

extension StorableInteger {
  /// The kind of the width; that of `Int` is 64 bits, because no other word size is supported.
  @inlinable public static var kind: StorageType.Kind {
    switch bitWidth {
    case Int8.bitWidth: isSigned ? .int8 : .uint8
    case Int16.bitWidth: isSigned ? .int16 : .uint16
    case Int32.bitWidth: isSigned ? .int32 : .uint32
    default: isSigned ? .int64 : .uint64
    }
  }
  /// The integer's own width, little-endian.
  @inlinable public static var storage: StorageType { StorageType(kind) }
  /// Writes the integer, little-endian.
  @inlinable public func store(into row: inout _RecordEncoder) { row.storeFixed(littleEndian) }
  /// Reads the integer.
  @inlinable
  public static func load(from row: inout _RecordDecoder) -> Self {
    Self(littleEndian: row.loadFixed(Self.self))
  }
  /// The value as conditions compare it.
  public var stored: StoredValue { Self.isSigned ? .int(Int64(self)) : .uint(UInt64(self)) }

  /// The value that conditions compare as `stored`; nil where there is none.
  public static func _value(of stored: StoredValue, _ row: inout _RecordDecoder) -> Self? {
    switch stored {
    case .int(let value): Self(exactly: value)
    case .uint(let value): Self(exactly: value)
    default: nil
    }
  }
  /// Appends eight bytes for every width, so that widening a key's type changes no key.
  @inlinable @inline(__always)
  public func appendKey(to key: inout _ByteBuffer) {
    let bits = UInt64(truncatingIfNeeded: self)
    key.append(bigEndian: Self.isSigned ? bits ^ (1 << 63) : bits)
  }
  /// True: the code gives the integer back, and the row does not repeat it.
  @inlinable public static var keyRestoresValue: Bool { true }
  /// Reads the integer back from its eight bytes.
  @inlinable
  public static func loadKey(from row: inout _RecordDecoder) -> Self {
    let bits = row.loadKeyWord()
    return Self(truncatingIfNeeded: Self.isSigned ? bits ^ (1 << 63) : bits)
  }
}

extension Int: StorableInteger, Summable {}
extension Int8: StorableInteger, Summable {}
extension Int16: StorableInteger, Summable {}
extension Int32: StorableInteger, Summable {}
extension Int64: StorableInteger, Summable {}
extension UInt: StorableInteger, Summable {}
extension UInt8: StorableInteger, Summable {}
extension UInt16: StorableInteger, Summable {}
extension UInt32: StorableInteger, Summable {}
extension UInt64: StorableInteger, Summable {}

extension Float: Summable {
  /// IEEE 754 binary32.
  @inlinable public static var storage: StorageType { StorageType(.float) }
  /// Writes the bit pattern, little-endian.
  @inlinable
  public func store(into row: inout _RecordEncoder) { row.storeFixed(bitPattern.littleEndian) }
  /// Reads the bit pattern.
  @inlinable
  public static func load(from row: inout _RecordDecoder) -> Float {
    Float(bitPattern: UInt32(littleEndian: row.loadFixed(UInt32.self)))
  }
  /// The value as conditions compare it; widening to Double is exact.
  public var stored: StoredValue { .double(Double(self)) }

  /// The value that conditions compare as `stored`; nil where there is none.
  public static func _value(of stored: StoredValue, _ row: inout _RecordDecoder) -> Self? {
    guard case .double(let value) = stored else { return nil }
    return Float(value)
  }
  /// Four bytes that compare as the values do; see the key format's article.
  public func appendKey(to key: inout _ByteBuffer) {
    let bits = isNaN ? Float.nan.bitPattern : (self == 0 ? 0 : bitPattern)
    key.append(bigEndian: bits >> 31 == 1 ? ~bits : bits | (1 << 31))
  }
}

extension Double: Summable {
  /// IEEE 754 binary64.
  @inlinable public static var storage: StorageType { StorageType(.double) }
  /// Writes the bit pattern, little-endian.
  @inlinable
  public func store(into row: inout _RecordEncoder) { row.storeFixed(bitPattern.littleEndian) }
  /// Reads the bit pattern.
  @inlinable
  public static func load(from row: inout _RecordDecoder) -> Double {
    Double(bitPattern: UInt64(littleEndian: row.loadFixed(UInt64.self)))
  }
  /// The value as conditions compare it.
  public var stored: StoredValue { .double(self) }
  /// Eight bytes that compare as the values do; see the key format's article.
  @inlinable
  public func appendKey(to key: inout _ByteBuffer) { key.append(bigEndian: orderedBits) }

  /// The bit pattern as an unsigned integer that compares as the value; NaN is last, zeroes are equal.
  @inlinable var orderedBits: UInt64 {
    let bits = isNaN ? Double.nan.bitPattern : (self == 0 ? 0 : bitPattern)
    return bits >> 63 == 1 ? ~bits : bits | (1 << 63)
  }

  /// The value that a pattern of ``orderedBits`` was made from.
  @inlinable init(orderedBits bits: UInt64) {
    self.init(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
  }
}

extension String: StorableKey {
  /// UTF-8 of variable length.
  @inlinable public static var storage: StorageType { StorageType(.string) }

  /// Writes the user's own bytes.
  @inlinable
  public func store(into row: inout _RecordEncoder) {
    // Safety: the bytes are copied before the buffer is given back.
    let isStored: Void? = unsafe utf8.withContiguousStorageIfAvailable {
      unsafe row.storeVariable(UnsafeRawBufferPointer($0))
    }
    // A text of Foundation may have to be copied first.
    var text = self
    if isStored == nil { text.withUTF8 { unsafe row.storeVariable(UnsafeRawBufferPointer($0)) } }
  }

  /// Reads the text; bytes that are not UTF-8, which only damage can bring, are replaced by U+FFFD.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` if the row's end offsets do not fit its
  ///   length.
  @inlinable
  public static func load(from row: inout _RecordDecoder) throws -> String {
    // Safety: the bytes are copied while the row is borrowed.
    try unsafe row.withVariable { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// The value as conditions compare it.
  public var stored: StoredValue { .string(self) }

  /// Reads the text's normalised form.
  public static func loadKey(from row: inout _RecordDecoder) -> String {
    String(decoding: row.loadEscaped(), as: UTF8.self)
  }

  /// Appends the escaped UTF-8 of the normalised form (NFC), and its end mark.
  ///
  /// Swift calls canonically equivalent strings equal, so their keys must be one.
  public func appendKey(to key: inout _ByteBuffer) {
    var text = self
    // Safety: the bytes are copied before the buffer is given back.
    text.withUTF8 { bytes in
      unsafe key.appendNormalized(UnsafeRawBufferPointer(bytes))
    }
  }
}

extension Optional: StorableProperty where Wrapped: StorableProperty {
  /// The type of a value that is not nil.
  public typealias Unwrapped = Wrapped

  /// The wrapped type's columns, each of which may be nil.
  ///
  /// No store has a column of an optional of an optional, because there is one presence bit.
  public static func _columns(
    named name: String, default value: (@Sendable () -> Self)?
  ) -> _PropertyColumns {
    var columns = Wrapped._optionalColumns(named: name, default: value)
    if Wrapped.self is any StorableOptional.Type {
      columns.columns[0].schema.mistake = ModelMistake(
        "\(name) is an optional of an optional; write one `?`")
    }
    return columns
  }

  /// The same columns; a property of a struct that is nil is nil.
  public static func _optionalColumns(
    named name: String, default value: (@Sendable () -> Self?)?
  ) -> _PropertyColumns {
    _columns(named: name, default: derive(from: value) { $0 ?? nil })
  }

  /// Writes the value, or leaves its columns empty.
  @inlinable
  public func store(into row: inout _RecordEncoder) { Wrapped._store(self, into: &row) }

  /// Writes the value, or leaves its columns empty.
  @inlinable
  public static func _store(_ value: Wrapped??, into row: inout _RecordEncoder) {
    Wrapped._store(value ?? nil, into: &row)
  }

  /// Reads the value, or skips its empty columns.
  @inlinable
  public static func load(from row: inout _RecordDecoder) throws -> Wrapped? {
    try Wrapped._loadOptional(from: &row)
  }

  /// Reads the value, which may be nil by itself.
  @inlinable
  public static func _loadOptional(from row: inout _RecordDecoder) throws -> Wrapped?? {
    .some(try Wrapped._loadOptional(from: &row))
  }
}

extension Optional: Storable where Wrapped: Storable {
  /// The wrapped value's kind, with a presence bit.
  @inlinable
  public static var storage: StorageType { Wrapped.storage.optional }

  /// The wrapped type's values.
  public static var _domain: _ValueDomain { Wrapped._domain }

  /// The value as conditions compare it.
  public var stored: StoredValue { self?.stored ?? .none }
}

extension Optional: IndexableStorable where Wrapped: IndexableStorable {}

extension Optional: OrderedStorable where Wrapped: OrderedStorable {
  /// Appends 00 for nil, else 01 and the value's code: nil sorts first.
  @inlinable
  public func appendKey(to key: inout _ByteBuffer) {
    switch self {
    case .some(let value):
      key.append(1)
      value.appendKey(to: &key)
    case .none:
      key.append(0)
    }
  }

  /// Nil, or the value that conditions compare as `stored`; nil itself where there is none.
  public static func _value(of stored: StoredValue, _ row: inout _RecordDecoder) -> Self? {
    stored == .none ? .some(nil) : Wrapped._value(of: stored, &row).map { .some($0) }
  }
}

/// An optional of any type.
protocol StorableOptional {
  /// Whether there is no value.
  var isNil: Bool { get }
}

extension Optional: StorableOptional {
  var isNil: Bool { self == nil }
}

/// A truth value, or an optional one.
public protocol StoredTruth: Storable {}

extension Bool: StoredTruth {}

extension Optional: StoredTruth where Wrapped: StoredTruth {}
