extension Model {
  /// The objects that refer to another one by a property, by primary key.
  ///
  /// ```swift
  /// let items = try store.fetch(TodoItem.referring(to: group, by: \.group))
  /// ```
  /// The index that every column of references has finds them.
  ///
  /// - Parameters:
  ///   - target: The object referred to.
  ///   - property: A property that holds a reference.
  /// - Returns: A query, to be narrowed, ordered and limited.
  public static func referring<Target: Model>(
    to target: Target, by property: KeyPath<Self, Ref<Target>>
  ) -> Query<Self> {
    Query(.compare(ColumnPath(property), .equal, target._primaryKey.stored))
  }

  /// The objects that refer to another one by a property that may be nil, by primary key.
  ///
  /// - Parameters:
  ///   - target: The object referred to.
  ///   - property: A property that may hold a reference.
  /// - Returns: A query, to be narrowed, ordered and limited.
  public static func referring<Target: Model>(
    to target: Target, by property: KeyPath<Self, Ref<Target>?>
  ) -> Query<Self> {
    Query(.compare(ColumnPath(property), .equal, target._primaryKey.stored))
  }

  /// The objects that refer to another one by a collection of references, by primary key.
  ///
  /// An object comes once, however often its collection has the reference.
  ///
  /// - Parameters:
  ///   - target: The object referred to.
  ///   - property: An array or a set of references, or a dictionary with such values.
  /// - Returns: A query, to be narrowed, ordered and limited.
  public static func referring<Target: Model, References: StoredCollection>(
    to target: Target, by property: KeyPath<Self, References>
  ) -> Query<Self> where References.StoredElement == Ref<Target> {
    Query(
      .any(ColumnPath(property), .compare(.element, .equal, target._primaryKey.stored)))
  }
}
