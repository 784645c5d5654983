/// A struct whose values a store keeps; `@Model` writes the conformance.
///
/// Models are plain values: they may cross threads, outlive a deleted row, and never
/// change under their owner. The requirements are the macro's affair.
public protocol Model: Sendable {
  /// The type of the property marked `@PrimaryKey`.
  associatedtype PrimaryKey: StorableKey
  /// The model's name and columns, built once.
  static var _schema: _ModelSchema<Self> { get }
  /// The value of the primary key.
  var _primaryKey: PrimaryKey { get }
  /// Reads a value from a row, property by property in declaration order.
  init(_row: inout _RowDecoder) throws
  /// Writes the value into a row, property by property in declaration order.
  func _encode(into row: inout _RowEncoder)
}
