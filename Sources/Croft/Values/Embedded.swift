/// A struct whose properties become columns of the model that holds it.
///
/// `@Embedded` adds the conformance and implements the requirements.
public protocol Embedded: StorableProperty, _RecordStruct {
  /// The properties in declaration order.
  static var _fields: _EmbeddedFields<Self> { get }
  /// Reads a value property by property in declaration order.
  init(_record: inout _RecordDecoder) throws
  /// Reads a value, from columns that may be nil, property by property.
  init(_present row: inout _RecordDecoder) throws
  /// Writes the value property by property in declaration order.
  func _encode(into row: inout _RecordEncoder)
  /// Writes a value, into columns that may be nil, property by property.
  static func _encode(_ value: Self?, into row: inout _RecordEncoder)
}

extension Embedded {
  /// The properties' columns, under the struct's name.
  public static func _columns(
    named name: String, default value: (@Sendable () -> Self)?
  ) -> _PropertyColumns {
    _PropertyColumns(
      columns: _fields.list.flatMap { $0.addingAliases(to: $0.required(name, value), name) })
  }

  /// A column for the struct's presence, then the struct's columns, each of which may be nil.
  public static func _optionalColumns(
    named name: String, default value: (@Sendable () -> Self?)?
  ) -> _PropertyColumns {
    let isThere = Bool._columns(named: name, default: { value?() != nil })
    return _PropertyColumns(
      columns: isThere.columns
        + _fields.list.flatMap { $0.addingAliases(to: $0.optional(name, value), name) })
  }

  /// Writes the properties.
  @inlinable
  public func store(into row: inout _RecordEncoder) { _encode(into: &row) }

  /// Writes the struct's presence, then its properties.
  @inlinable
  public static func _store(_ value: Self?, into row: inout _RecordEncoder) {
    (value != nil).store(into: &row)
    _encode(value, into: &row)
  }

  /// Reads the properties.
  @inlinable
  public static func load(from row: inout _RecordDecoder) throws -> Self {
    // The struct has no column of its own: the column that was begun is its first property's.
    row.columnsBegun &-= 1
    return try Self(_record: &row)
  }

  /// Reads the struct's presence, then its properties.
  @inlinable
  public static func _loadOptional(from row: inout _RecordDecoder) throws -> Self? {
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

  /// Reads the next property of a struct that is present; the closure only gives the type.
  @inlinable
  public static func _decodePresent<V: StorableProperty>(
    _ row: inout _RecordDecoder, _ property: (Self) -> V
  ) throws -> V {
    row.columnsBegun &+= 1
    guard let value = try V._loadOptional(from: &row) else { throw row.missingValue() }
    return value
  }

  /// Reads the next property of a struct that is present, or its default in rows that lack it.
  @inlinable
  public static func _decodePresent<V: StorableProperty>(
    _ row: inout _RecordDecoder, default value: @autoclosure () -> V, _ property: (Self) -> V
  ) throws -> V {
    row.columnsBegun &+= 1
    return try V._loadOptional(from: &row) ?? value()
  }

  /// Reads a property that cannot be stored, of a struct that is present.
  @_disfavoredOverload
  public static func _decodePresent<V>(
    _ row: inout _RecordDecoder, _ property: (Self) -> V
  ) throws -> V {
    preconditionFailure("\(V.self) cannot be stored.")
  }

  /// Reads a property that cannot be stored, or its default in rows that lack it.
  @_disfavoredOverload
  public static func _decodePresent<V>(
    _ row: inout _RecordDecoder, default value: @autoclosure () -> V, _ property: (Self) -> V
  ) throws -> V {
    preconditionFailure("\(V.self) cannot be stored.")
  }

  /// Reads a property that is stored as JSON, of a struct that is present.
  @inlinable
  public static func _decodePresentCoded<V: Codable & Sendable>(
    _ row: inout _RecordDecoder, _ property: (Self) -> V
  ) throws -> V {
    row.columnsBegun &+= 1
    guard let value = try _Coded<V>._loadOptional(from: &row) else { throw row.missingValue() }
    return value.value
  }

  /// Reads a property that is stored as JSON, or its default in rows that lack it.
  @inlinable
  public static func _decodePresentCoded<V: Codable & Sendable>(
    _ row: inout _RecordDecoder, default value: @autoclosure () -> V, _ property: (Self) -> V
  ) throws -> V {
    row.columnsBegun &+= 1
    return try _Coded<V>._loadOptional(from: &row)?.value ?? value()
  }
}

/// The properties of an embedded struct, as the macro describes them.
public final class _EmbeddedFields<E: Embedded>: Sendable {
  let list: [_Field<E>]
  let names: ModelPropertyNames

  /// Makes the list, in declaration order.
  public init(_ list: [_Field<E>]) {
    self.list = list
    names = ModelPropertyNames(list.map { ($0.path, $0.name) })
  }

  @usableFromInline
  func skip(_ row: inout _RecordDecoder) throws {
    for field in list { try field.skip(&row) }
  }
}

/// One property of an embedded struct.
public struct _Field<E: Embedded>: Sendable {
  typealias Columns = [(schema: ColumnDefinition, type: any Sendable.Type)]

  let path: any PartialKeyPath<E> & Sendable
  let name: String
  /// The columns under the struct's name, with the values in the struct's default.
  fileprivate let required: @Sendable (_ prefix: String, (@Sendable () -> E)?) -> Columns
  /// The same, each of which may be nil.
  fileprivate let optional: @Sendable (_ prefix: String, (@Sendable () -> E?)?) -> Columns
  let skip: @Sendable (inout _RecordDecoder) throws -> Void
  /// The property's former names.
  private var aliases: [String] = []

  fileprivate init<V: StorableProperty>(
    _ path: any PartialKeyPath<E> & Sendable, _ name: String, _ type: V.Type,
    _ value: (@Sendable () -> V)?, _ read: @escaping @Sendable (E) -> V
  ) {
    self.path = path
    self.name = name
    required = { prefix, whole in
      let value = derive(from: whole, read) ?? value
      return V._columns(named: prefix + "." + name, default: value).columns
    }
    optional = { prefix, whole in
      // Without a struct its properties are nil, whatever defaults they declare.
      let value = derive(from: whole) { $0.map(read) }
      return V._optionalColumns(named: prefix + "." + name, default: value).columns
    }
    skip = { row in
      row.columnsBegun += 1
      _ = try V._loadOptional(from: &row)
    }
  }

  /// Declares the property's former names.
  public func renamed(from names: String...) -> Self {
    var field = self
    field.aliases = names
    return field
  }

  /// Adds former names to the columns of a renamed property, which start with its former name.
  fileprivate func addingAliases(to columns: Columns, _ prefix: String) -> Columns {
    columns.map { column, type in
      var schema = column
      schema.addAliases(aliases.map { prefix + "." + $0 }, inPlaceOf: prefix + "." + name)
      return (schema, type)
    }
  }
}

/// Describes a property; an error here names one whose type cannot be stored.
public func _field<E: Embedded, V: StorableProperty>(
  _ path: any KeyPath<E, V> & Sendable, _ name: String, default value: (@Sendable () -> V)? = nil
) -> _Field<E> {
  _Field(path, name, V.self, value) { $0[keyPath: path] }
}

/// Describes a property that cannot be stored; ``_requireStorable(_:)`` reports the error.
@_disfavoredOverload
public func _field<E: Embedded, V>(
  _ path: any KeyPath<E, V> & Sendable, _ name: String, default value: (@Sendable () -> V)? = nil
) -> _Field<E> {
  preconditionFailure("\(name) cannot be stored.")
}

/// Describes a property that is stored as JSON.
public func _codedField<E: Embedded, V: Codable & Sendable>(
  _ path: any KeyPath<E, V> & Sendable, _ name: String, default value: (@Sendable () -> V)? = nil
) -> _Field<E> {
  _Field(path, name, _Coded<V>.self, derive(from: value) { _Coded($0, name) }) {
    _Coded($0[keyPath: path], name)
  }
}

protocol EmbeddedOptional {
  var embedded: (any Embedded)? { get }
}

extension Optional: EmbeddedOptional where Wrapped: Embedded {
  var embedded: (any Embedded)? { self }
}
