/// A property of a model inside a condition.
///
/// `TodoItem.where { $0.priority >= .normal }` hands the closure the model itself as a
/// column; its properties are columns of their own, and comparing one makes a
/// ``Condition``.
@dynamicMemberLookup
public struct Column<M: Model, Value>: Sendable {
  /// The property's place; nil for the model itself.
  let path: ColumnPath?

  /// The column of a stored property.
  ///
  /// - Precondition: The property is stored: a computed one has no column.
  public subscript<V: Storable>(dynamicMember property: KeyPath<Value, V>) -> Column<M, V>
  where Value: Model {
    Column<M, V>(path: ColumnPath(property))
  }

  /// The place of a column that conditions are made of.
  var place: ColumnPath {
    guard let path else {
      preconditionFailure("A condition compares a property of \(M.self), not the model itself.")
    }
    return path
  }
}

extension ColumnPath {
  /// The place of a stored property.
  init<M: Model, V>(_ property: KeyPath<M, V>) {
    guard let place = M._schema.column(at: property) else {
      preconditionFailure(
        "\(property) is no stored property of \(M.self): a query can only use stored ones.")
    }
    self.init(place: place, name: M._schema.shape.columns[place].name)
  }
}
