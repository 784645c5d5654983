#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Date: StorableKey {
  /// Seconds since 2001-01-01 00:00 UTC as a Double.
  @inlinable public static var storage: StorageType { StorageType(.date) }
  /// Writes the seconds.
  @inlinable
  public func store(into row: inout _RowEncoder) {
    timeIntervalSinceReferenceDate.store(into: &row)
  }
  /// Reads the seconds.
  @inlinable
  public static func load(from row: inout _RowDecoder) -> Date {
    Date(timeIntervalSinceReferenceDate: Double.load(from: &row))
  }
  /// The value as conditions hold it.
  public var stored: StoredValue { .date(timeIntervalSinceReferenceDate) }
  /// Appends the seconds' key code.
  @inlinable
  public func appendKey(to key: inout _ByteBuffer) {
    timeIntervalSinceReferenceDate.appendKey(to: &key)
  }
  /// The code gives the date back; a negative zero comes back as the same instant.
  @inlinable public static var keyRestoresValue: Bool { true }
  /// Reads the date back from its eight bytes.
  @inlinable
  public static func loadKey(from row: inout _RowDecoder) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(orderedBits: row.loadKeyWord()))
  }
}

extension UUID: StorableKey {
  /// Sixteen bytes, in the order of the text form.
  @inlinable public static var storage: StorageType { StorageType(.uuid) }
  /// Writes the sixteen bytes.
  @inlinable public func store(into row: inout _RowEncoder) { row.storeFixed(uuid) }
  /// Reads the sixteen bytes.
  @inlinable
  public static func load(from row: inout _RowDecoder) -> UUID {
    UUID(uuid: row.loadFixed(uuid_t.self))
  }
  /// The value as conditions hold it.
  public var stored: StoredValue { .uuid(words.0, words.1) }
  /// Appends the sixteen bytes: their order is the text's order.
  @inlinable
  public func appendKey(to key: inout _ByteBuffer) {
    let words = words
    key.append(bigEndian: words.0)
    key.append(bigEndian: words.1)
  }
  /// The code is the value: the row does not repeat it.
  @inlinable public static var keyRestoresValue: Bool { true }
  /// Reads the value back from its sixteen bytes.
  @inlinable
  public static func loadKey(from row: inout _RowDecoder) -> UUID {
    UUID(words: (row.loadKeyWord(), row.loadKeyWord()))
  }

  /// The sixteen bytes as two big-endian words.
  @inlinable var words: (UInt64, UInt64) {
    // Safety: a UUID's bytes are a tuple of sixteen UInt8, laid out without padding.
    unsafe withUnsafeBytes(of: uuid) { bytes in
      unsafe (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// The UUID of two big-endian words.
  @inlinable init(words: (UInt64, UInt64)) {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    // Safety: both words lie within the tuple's sixteen bytes.
    unsafe withUnsafeMutableBytes(of: &bytes) { bytes in
      unsafe bytes.storeBytes(of: words.0.bigEndian, as: UInt64.self)
      unsafe bytes.storeBytes(of: words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    self.init(uuid: bytes)
  }
}

extension Data: StorableKey {
  /// Bytes of variable length.
  @inlinable public static var storage: StorageType { StorageType(.data) }
  /// Writes the bytes.
  public func store(into row: inout _RowEncoder) {
    // Safety: the bytes are copied before the buffer is given back.
    unsafe withUnsafeBytes { unsafe row.storeVariable($0) }
  }
  /// Reads the bytes.
  public static func load(from row: inout _RowDecoder) throws -> Data {
    // Safety: the bytes are copied while the row is borrowed.
    try unsafe row.withVariable { unsafe Data($0) }
  }
  /// The value as conditions hold it.
  public var stored: StoredValue { .data([UInt8](self)) }
  /// Reads the bytes.
  public static func loadKey(from row: inout _RowDecoder) -> Data { Data(row.loadEscaped()) }

  /// Appends the escaped bytes and their end mark.
  public func appendKey(to key: inout _ByteBuffer) {
    // Safety: the bytes are copied before the buffer is given back.
    unsafe withUnsafeBytes { unsafe key.appendEscaped($0) }
  }
}
