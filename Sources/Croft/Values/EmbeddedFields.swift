/// The properties of an embedded struct, as the macro found them.
public final class _EmbeddedFields<E: Embedded>: Sendable {
  let list: [_Field<E>]
  let names: PropertyNames

  /// Makes the list, in declaration order.
  public init(_ list: [_Field<E>]) {
    self.list = list
    names = PropertyNames(list.map { ($0.path, $0.name) })
  }

  /// Passes over the places of a struct that is not there.
  @usableFromInline
  func skip(_ row: inout _RowDecoder) throws {
    for field in list { try field.skip(&row) }
  }
}

/// One property of an embedded struct.
public struct _Field<E: Embedded>: Sendable {
  typealias Columns = [(schema: ColumnDefinition, type: any Sendable.Type)]

  let path: any PartialKeyPath<E> & Sendable
  let name: String
  /// The columns under the struct's name, with what the struct's default holds.
  private let required: @Sendable (_ prefix: String, (@Sendable () -> E)?) -> Columns
  /// The same, each of which may be nil.
  private let optional: @Sendable (_ prefix: String, (@Sendable () -> E?)?) -> Columns
  let skip: @Sendable (inout _RowDecoder) throws -> Void
  /// What the property was called before.
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
}

extension _Field {
  /// Says what the property was called before.
  public func renamed(from names: String...) -> Self {
    var field = self
    field.aliases = names
    return field
  }

  /// The columns of a struct that is always there.
  func columns(_ prefix: String, _ value: (@Sendable () -> E)?) -> Columns {
    addingAliases(to: required(prefix, value), prefix)
  }

  /// The columns of a struct that may be absent.
  func optionalColumns(_ prefix: String, _ value: (@Sendable () -> E?)?) -> Columns {
    addingAliases(to: optional(prefix, value), prefix)
  }

  /// A property's columns had names that began with its own old one.
  private func addingAliases(to columns: Columns, _ prefix: String) -> Columns {
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

/// Describes a property that is stored as JSON.
public func _codedField<E: Embedded, V: Codable & Sendable>(
  _ path: any KeyPath<E, V> & Sendable, _ name: String, default value: (@Sendable () -> V)? = nil
) -> _Field<E> {
  _Field(path, name, _Coded<V>.self, derive(from: value) { _Coded($0, name) }) {
    _Coded($0[keyPath: path], name)
  }
}
