/// What a model's property can be: a ``Storable`` value, or an ``Embedded`` struct.
///
/// Optionals of both conform. The requirements are met by Croft and by its macros.
public protocol StorableProperty: Sendable {
  /// The type without its optional: what a path through a reference may find to be nil.
  associatedtype Unwrapped: StorableProperty = Self
  /// The columns that a property of this type has.
  static func _columns(
    named name: String, default value: (@Sendable () -> Self)?
  ) -> _PropertyColumns
  /// The columns that an optional property of this type has.
  static func _optionalColumns(
    named name: String, default value: (@Sendable () -> Self?)?
  ) -> _PropertyColumns
  /// Writes the value into the next place of a row.
  func store(into row: inout _RowEncoder)
  /// Writes the value of an optional property into the next place of a row.
  static func _store(_ value: Self?, into row: inout _RowEncoder)
  /// Reads the value from the next place of a row.
  static func load(from row: inout _RowDecoder) throws -> Self
  /// Reads the value of an optional property from the next place of a row.
  static func _loadOptional(from row: inout _RowDecoder) throws -> Self?
}

/// What a property's default makes of another's, where there is one.
func derive<A, B>(
  from value: (@Sendable () -> A)?, _ change: @escaping @Sendable (A) -> B
) -> (@Sendable () -> B)? {
  guard let value else { return nil }
  return { change(value()) }
}

/// The columns of one property, each with the type of its values.
public struct _PropertyColumns: Sendable {
  var columns: [(schema: ColumnDefinition, type: any Sendable.Type)]
}

extension Storable {
  /// One column.
  public static func _columns(
    named name: String, default value: (@Sendable () -> Self)?
  ) -> _PropertyColumns {
    var column = ColumnDefinition(name: name, storage: storage)
    if let value { column.storeDefault = { row in value().store(into: &row) } }
    return _PropertyColumns(columns: [(column, Self.self)])
  }

  /// One column with a presence bit; without a default it is nil.
  public static func _optionalColumns(
    named name: String, default value: (@Sendable () -> Self?)?
  ) -> _PropertyColumns {
    var column = ColumnDefinition(name: name, storage: Self?.storage)
    column.storeDefault = { row in _store(value?(), into: &row) }
    return _PropertyColumns(columns: [(column, Self?.self)])
  }

  /// Sets the presence bit and writes the value, or leaves its place empty.
  @inlinable
  public static func _store(_ value: Self?, into row: inout _RowEncoder) {
    switch value {
    case .some(let value):
      row.storePresence(true)
      value.store(into: &row)
    case .none:
      row.storePresence(false)
      row.storeNothing(storage)
    }
  }

  /// Reads the presence bit, then the value.
  @inlinable
  public static func _loadOptional(from row: inout _RowDecoder) throws -> Self? {
    guard row.loadPresence() else {
      row.skip(storage)
      return nil
    }
    return try load(from: &row)
  }
}
