#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value of any Codable type, stored as JSON.
///
/// An optional one is stored as a column that may be nil.
public struct _Coded<Value: Codable & Sendable>: Storable {
  @usableFromInline let value: Value
  private let name: String

  /// Wraps the value of a property.
  public init(_ value: Value, _ name: String) {
    self.value = value
    self.name = name
  }

  private static var isOptional: Bool { Value.self is any OptionalProperty.Type }

  /// JSON of variable length.
  public static var storage: StorageType { StorageType(.coded, isOptional: isOptional) }

  /// Writes the JSON; a value that has none makes the statement fail.
  public func store(into row: inout _RowEncoder) {
    guard Self.isOptional else { return storeJSON(into: &row) }
    if let value = value as? any OptionalProperty, value.isNil {
      row.storePresence(false)
      row.storeNothing(Self.storage)
    } else {
      row.storePresence(true)
      storeJSON(into: &row)
    }
  }

  private func storeJSON(into row: inout _RowEncoder) {
    let encoder = JSONEncoder()
    // Equal values then have equal bytes, as far as their own encoding goes.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(value).store(into: &row)
    } catch {
      row.fail(name, "\(error)")
      Data().store(into: &row)
    }
  }

  /// Reads the JSON.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where it is no such value.
  public static func load(from row: inout _RowDecoder) throws -> Self {
    if isOptional {
      guard row.loadPresence() else {
        row.skip(storage)
        return Self(try decode(Data("null".utf8), in: row), "")
      }
    }
    return Self(try decode(try Data.load(from: &row), in: row), "")
  }

  private static func decode(_ json: Data, in row: borrowing _RowDecoder) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: json)
    } catch {
      throw row.undecodable(as: "\(Value.self)", "\(error)")
    }
  }

  /// No value: a condition cannot look into JSON.
  public var stored: StoredValue { .none }

  /// Writes a property of a struct that may be absent.
  public static func _store(_ value: Self?, into row: inout _RowEncoder) {
    guard let value else {
      row.storePresence(false)
      return row.storeNothing(storage)
    }
    if !isOptional { row.storePresence(true) }
    value.store(into: &row)
  }

  /// Reads a property of a struct that may be absent.
  public static func _loadOptional(from row: inout _RowDecoder) throws -> Self? {
    if isOptional { return try load(from: &row) }
    guard row.loadPresence() else {
      row.skip(storage)
      return nil
    }
    return try load(from: &row)
  }
}
