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

  /// The whole key code that a column of a kind has for this value, without a nil byte.
  func keyCode(kind: StorageType.Kind) -> [UInt8] {
    var code = _ByteBuffer()
    appendKey(kind: kind, to: &code, cut: nil)
    return code.copied
  }

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
    func word<I: FixedWidthInteger>(_ type: I.Type) -> I {
      I(littleEndian: unsafe bytes.loadUnaligned(as: I.self))
    }
    switch storage.kind {
    case .bool: self = .bool(word(UInt8.self) != 0)
    case .int8: self = .int(Int64(word(Int8.self)))
    case .int16: self = .int(Int64(word(Int16.self)))
    case .int32: self = .int(Int64(word(Int32.self)))
    case .int64: self = .int(word(Int64.self))
    case .uint8: self = .uint(UInt64(word(UInt8.self)))
    case .uint16: self = .uint(UInt64(word(UInt16.self)))
    case .uint32: self = .uint(UInt64(word(UInt32.self)))
    case .uint64: self = .uint(word(UInt64.self))
    case .float: self = .double(Double(Float(bitPattern: word(UInt32.self))))
    case .double: self = .double(Double(bitPattern: word(UInt64.self)))
    case .date: self = .date(Double(bitPattern: word(UInt64.self)))
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
