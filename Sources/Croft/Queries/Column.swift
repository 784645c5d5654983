/// A property of a model inside a condition.
///
/// `TodoItem.where { $0.priority >= .normal }` hands the closure the model itself as a
/// column; its properties are columns of their own, and comparing one makes a
/// ``Condition``. Paths go on through references: `$0.group.name == "Home"`. Where a
/// reference on the way is nil, so is the column behind it.
@dynamicMemberLookup
public struct Column<M: Model, Value>: Sendable {
  /// The property's place; nil for the model itself.
  let path: ColumnPath?

  /// The column of a stored property.
  ///
  /// - Precondition: The property is stored: a computed one has no column.
  public subscript<V: Storable>(dynamicMember property: KeyPath<Value, V>) -> Column<M, V>
  where Value: Model {
    Column<M, V>(path: ColumnPath(property).behind(path))
  }

  /// The column of a property of the object referred to.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model, V: Storable>(
    dynamicMember property: KeyPath<Target, V>
  ) -> Column<M, V> where Value == Ref<Target> {
    Column<M, V>(path: ColumnPath(property).behind(path))
  }

  /// The column of a property of the object referred to; nil where there is none.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model, V: Storable>(
    dynamicMember property: KeyPath<Target, V>
  ) -> Column<M, V.Unwrapped?> where Value == Ref<Target>? {
    Column<M, V.Unwrapped?>(path: ColumnPath(property).behind(path))
  }

  /// The place of a column that conditions are made of.
  var place: ColumnPath {
    guard let path else {
      preconditionFailure("A condition compares a property of \(M.self), not the model itself.")
    }
    return path
  }
}
