/// A struct whose properties become columns of the model that holds it.
///
/// `@Embedded` writes the conformance. The requirements are the macro's affair.
public protocol Embedded: StorableProperty {
  /// The properties in declaration order.
  static var _fields: _EmbeddedFields<Self> { get }
  /// Reads a value property by property in declaration order.
  init(_row: inout _RowDecoder) throws
  /// Reads a value, from columns that may be nil, property by property.
  init(_present row: inout _RowDecoder) throws
  /// Writes the value property by property in declaration order.
  func _encode(into row: inout _RowEncoder)
  /// Writes a value, into columns that may be nil, property by property.
  static func _encode(_ value: Self?, into row: inout _RowEncoder)
}

extension Embedded {
  /// The properties' columns, under the struct's name.
  public static func _columns(
    named name: String, default value: (@Sendable () -> Self)?
  ) -> _PropertyColumns {
    _PropertyColumns(columns: _fields.list.flatMap { $0.columns(name, value) })
  }

  /// A column that tells whether the struct is there, then its columns, each of which may be nil.
  public static func _optionalColumns(
    named name: String, default value: (@Sendable () -> Self?)?
  ) -> _PropertyColumns {
    let isThere = Bool._columns(named: name, default: { value?() != nil })
    return _PropertyColumns(
      columns: isThere.columns + _fields.list.flatMap { $0.optionalColumns(name, value) })
  }

  /// Writes the properties.
  @inlinable
  public func store(into row: inout _RowEncoder) { _encode(into: &row) }

  /// Writes whether the struct is there, then its properties.
  @inlinable
  public static func _store(_ value: Self?, into row: inout _RowEncoder) {
    (value != nil).store(into: &row)
    _encode(value, into: &row)
  }

  /// Reads the properties.
  @inlinable
  public static func load(from row: inout _RowDecoder) throws -> Self {
    // The struct has no column of its own: its first property's is the one begun.
    row.columnsBegun &-= 1
    return try Self(_row: &row)
  }

  /// Reads whether the struct is there, then its properties.
  @inlinable
  public static func _loadOptional(from row: inout _RowDecoder) throws -> Self? {
    guard Bool.load(from: &row) else {
      try _fields.skip(&row)
      return nil
    }
    return try Self(_present: &row)
  }

  /// The name of a stored property.
  ///
  /// - Precondition: The property is stored: a computed one has no column.
  static func name(of property: PartialKeyPath<Self>) -> String {
    guard let name = _fields.names[property] else {
      preconditionFailure("\(property) is no stored property of \(Self.self).")
    }
    return name
  }

  /// The stored properties' key paths and names.
  static var properties: [(path: AnyKeyPath, name: String)] {
    _fields.list.map { ($0.path, $0.name) }
  }

  /// Reads the next property; the closure is never called and only tells its type.
  @inlinable @inline(__always)
  public static func _decode<V: StorableProperty>(
    _ row: inout _RowDecoder, _ property: (Self) -> V
  ) throws -> V {
    try row.decode()
  }

  /// Reads the next property of a struct that is there; the closure only tells its type.
  @inlinable
  public static func _decodePresent<V: StorableProperty>(
    _ row: inout _RowDecoder, _ property: (Self) -> V
  ) throws -> V {
    row.columnsBegun &+= 1
    guard let value = try V._loadOptional(from: &row) else { throw row.missingValue() }
    return value
  }

  /// Reads the next property of a struct that is there, or its default where rows lack it.
  @inlinable
  public static func _decodePresent<V: StorableProperty>(
    _ row: inout _RowDecoder, default value: @autoclosure () -> V, _ property: (Self) -> V
  ) throws -> V {
    row.columnsBegun &+= 1
    return try V._loadOptional(from: &row) ?? value()
  }

  /// Reads a property that is stored as JSON; the closure only tells its type.
  @inlinable
  public static func _decodeCoded<V: Codable & Sendable>(
    _ row: inout _RowDecoder, _ property: (Self) -> V
  ) throws -> V {
    try (row.decode() as _Coded<V>).value
  }

  /// Reads a property that is stored as JSON, of a struct that is there.
  @inlinable
  public static func _decodePresentCoded<V: Codable & Sendable>(
    _ row: inout _RowDecoder, _ property: (Self) -> V
  ) throws -> V {
    row.columnsBegun &+= 1
    guard let value = try _Coded<V>._loadOptional(from: &row) else { throw row.missingValue() }
    return value.value
  }

  /// Reads a property that is stored as JSON, or its default where rows lack it.
  @inlinable
  public static func _decodePresentCoded<V: Codable & Sendable>(
    _ row: inout _RowDecoder, default value: @autoclosure () -> V, _ property: (Self) -> V
  ) throws -> V {
    row.columnsBegun &+= 1
    return try _Coded<V>._loadOptional(from: &row)?.value ?? value()
  }
}
