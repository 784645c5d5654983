#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Decimal: Ordered {
  /// Bytes of variable length, which compare as the numbers do.
  @inlinable public static var storage: StorageType { StorageType(.decimal) }

  /// Writes the number's key code.
  public func store(into row: inout _RowEncoder) {
    var code = _ByteBuffer()
    DecimalCode.append(self, to: &code)
    // Safety: the bytes are copied while the buffer lives.
    unsafe row.storeVariable(code.bytes)
  }

  /// Reads the number; how many zeroes were written behind its last digit is not kept.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the bytes are no number.
  public static func load(from row: inout _RowDecoder) throws -> Decimal {
    // Safety: the bytes are read while the row is borrowed.
    let value = try unsafe row.withVariable { unsafe DecimalCode.value(of: $0) }
    guard let value else { throw row.badValue("a decimal number") }
    return value
  }

  /// The value as conditions hold it.
  public var stored: StoredValue { .decimal(self) }
  /// Appends the number's key code: NaN sorts behind all numbers.
  public func appendKey(to key: inout _ByteBuffer) { DecimalCode.append(self, to: &key) }
}

extension URL: Ordered {
  /// The text of the whole URL.
  @inlinable public static var storage: StorageType { StorageType(.string) }
  /// Writes the absolute text: a base that the URL is relative to is resolved.
  public func store(into row: inout _RowEncoder) { absoluteString.store(into: &row) }

  /// Reads the URL.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where the text is no URL.
  public static func load(from row: inout _RowDecoder) throws -> URL {
    let text = try String.load(from: &row)
    guard let url = URL(string: text) else { throw row.noURL(text) }
    return url
  }

  /// The text as conditions hold it.
  public var stored: StoredValue { .string(absoluteString) }
  /// Appends the text's key code.
  public func appendKey(to key: inout _ByteBuffer) { absoluteString.appendKey(to: &key) }
}
