/// An enum with raw values that a model can hold; declaring it is all it needs.
///
/// ```swift
/// enum Priority: Int, StoredEnum { case none, low, normal, high }
/// ```
///
/// The raw value is what is stored, compared and indexed: conditions such as
/// `$0.priority >= .normal` follow the raw values' order. A row whose raw value has
/// no case (an older program reads a newer one's row) makes a fetch throw
/// ``StoreError/schemaMismatch(model:field:reason:)``; conditions, counts and
/// deletes still work on its bytes.
public protocol StoredEnum: RawRepresentable, StorableKey where RawValue: StorableKey {}

extension StoredEnum {
  /// The raw value's storage.
  @inlinable public static var storage: StorageType { RawValue.storage }
  /// Writes the raw value.
  @inlinable public func store(into row: inout _RowEncoder) { rawValue.store(into: &row) }

  /// Reads the raw value and finds its case.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where no case has it.
  @inlinable
  public static func load(from row: inout _RowDecoder) throws -> Self {
    let raw = try RawValue.load(from: &row)
    guard let value = Self(rawValue: raw) else {
      throw row.noCase(of: "\(Self.self)", rawValue: "\(raw)")
    }
    return value
  }

  /// The raw value as conditions hold it.
  public var stored: StoredValue { rawValue.stored }
  /// Appends the raw value's key code.
  @inlinable public func appendKey(to key: inout _ByteBuffer) { rawValue.appendKey(to: &key) }
  /// As for the raw value.
  @inlinable public static var keyRestoresValue: Bool { RawValue.keyRestoresValue }

  /// Reads the raw value from its key code and finds its case.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where no case has it.
  @inlinable
  public static func loadKey(from row: inout _RowDecoder) throws -> Self {
    let raw = try RawValue.loadKey(from: &row)
    guard let value = Self(rawValue: raw) else {
      throw row.noCase(of: "\(Self.self)", rawValue: "\(raw)")
    }
    return value
  }
}
