public import CroftFoundation

/// A value without its Swift type, in conditions, sort keys and error messages.
public enum StoredValue: Sendable {
  /// Nil.
  case none
  /// A truth value.
  case bool(Bool)
  /// A signed integer of any width.
  case int(Int64)
  /// An unsigned integer of any width.
  case uint(UInt64)
  /// A Float or Double.
  case double(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// The 16 bytes of a UUID as two big-endian words.
  case uuid(UInt64, UInt64)
  /// A text; equal texts are canonically equivalent, as for `String`.
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// A decimal number; NaN equals itself.
  case decimal(Decimal)
  /// A collection's elements.
  ///
  /// An array's are in its order, a set's in key order; a dictionary's are its texts in key
  /// order, each followed by its value.
  case list([StoredValue])
}

extension StoredValue {
  /// Appends the key code that a column of a kind has for this value, without a nil byte.
  ///
  /// - Parameter cut: The most bytes kept of a variable value; `nil` keeps all.
  /// - Returns: Whether the code was truncated, so that several values may share it.
  @discardableResult
  func appendKey(kind: StorageType.Kind, to key: inout _ByteBuffer, cut: Int?) -> Bool {
    let start = key.count
    switch self {
    case .none: break
    case .bool(let value): value.appendKey(to: &key)
    case .int(let value): value.appendKey(to: &key)
    case .uint(let value): value.appendKey(to: &key)
    case .double(let value):
      if kind == .float { Float(value).appendKey(to: &key) } else { value.appendKey(to: &key) }
    case .date(let value): value.appendKey(to: &key)
    case .uuid(let high, let low):
      key.append(bigEndian: high)
      key.append(bigEndian: low)
    case .string(let value): value.appendKey(to: &key)
    // Safety: the bytes are copied before the buffer is given back.
    case .data(let value) where kind == .compound:
      unsafe value.withUnsafeBytes { unsafe key.append(contentsOf: $0) }
    case .data(let value): unsafe value.withUnsafeBytes { unsafe key.appendEscaped($0) }
    case .decimal(let value): DecimalCode.append(value, to: &key)
    case .list: preconditionFailure("A collection has no key code: only its elements do.")
    }
    guard let cut, kind.canBeCut else { return false }
    return key.cutCode(from: start, keeping: cut)
  }
}

extension StoredValue {
  /// The value of a column's bytes; nil if they are no such value.
  ///
  /// - Parameters:
  ///   - bytes: The bytes in the format of rows; for a kind of fixed width as many as its width.
  ///   - storage: The column's stored type; the value is not nil.
  init?(_ bytes: UnsafeRawBufferPointer, as storage: StorageType) {
    guard storage.collection == nil else {
      guard let view = unsafe CollectionView(bytes, storage), let values = view.values else {
        return nil
      }
      self = .list(values)
      return
    }
    // Safety: a fixed-width value's bytes are as many as its kind's width.
    switch storage.kind {
    case .bool: self = unsafe .bool(bytes[0] != 0)
    case .int8, .int16, .int32, .int64: self = unsafe .int(Self.signed(bytes, storage.kind))
    case .uint8, .uint16, .uint32, .uint64:
      self = unsafe .uint(Self.unsigned(bytes, storage.kind))
    case .float:
      let bits = UInt32(littleEndian: unsafe bytes.loadUnaligned(as: UInt32.self))
      self = .double(Double(Float(bitPattern: bits)))
    case .double, .date:
      let bits = UInt64(littleEndian: unsafe bytes.loadUnaligned(as: UInt64.self))
      let number = Double(bitPattern: bits)
      self = storage.kind == .date ? .date(number) : .double(number)
    case .uuid:
      self = unsafe .uuid(
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    case .string: self = unsafe .string(String(decoding: bytes, as: UTF8.self))
    case .data, .coded, .compound: self = unsafe .data([UInt8](bytes))
    case .decimal:
      guard let number = unsafe DecimalCode.value(of: bytes) else { return nil }
      self = .decimal(number)
    }
  }

  private static func signed(_ bytes: UnsafeRawBufferPointer, _ kind: StorageType.Kind) -> Int64 {
    // Safety: as for the initialiser.
    switch kind {
    case .int8: unsafe Int64(bytes.loadUnaligned(as: Int8.self))
    case .int16: unsafe Int64(Int16(littleEndian: bytes.loadUnaligned(as: Int16.self)))
    case .int32: unsafe Int64(Int32(littleEndian: bytes.loadUnaligned(as: Int32.self)))
    default: unsafe Int64(littleEndian: bytes.loadUnaligned(as: Int64.self))
    }
  }

  private static func unsigned(
    _ bytes: UnsafeRawBufferPointer, _ kind: StorageType.Kind
  ) -> UInt64 {
    // Safety: as for the initialiser.
    switch kind {
    case .uint8: unsafe UInt64(bytes[0])
    case .uint16: unsafe UInt64(UInt16(littleEndian: bytes.loadUnaligned(as: UInt16.self)))
    case .uint32: unsafe UInt64(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
    default: unsafe UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    }
  }
}

extension StoredValue {
  /// The value with which a migration starts if the stored one cannot be converted.
  static func zero(of type: StorageType) -> StoredValue {
    switch type.kind {
    case .bool: .bool(false)
    case .int8, .int16, .int32, .int64: .int(0)
    case .uint8, .uint16, .uint32, .uint64: .uint(0)
    case .float, .double: .double(0)
    case .date: .date(0)
    case .uuid: .uuid(0, 0)
    case .string: .string("")
    case .data, .coded: .data([])
    case .decimal: .decimal(0)
    case .compound: .data(type.parts.zero)
    }
  }
}
