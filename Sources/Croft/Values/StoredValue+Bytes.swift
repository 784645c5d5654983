#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoredValue {
  /// The value of a column's bytes, or nil where they are none.
  ///
  /// - Parameters:
  ///   - bytes: The bytes as they lie in a row; of a fixed width as many as it is.
  ///   - storage: How the column is stored; the value is present.
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
