/// One key of a query's order; written as a key path: `\.priority.descending`.
public struct SortKey: Hashable, Sendable {
  let path: ColumnPath
  let isDescending: Bool

  /// The same property, smallest first and nil before all.
  public var ascending: SortKey { SortKey(path: path, isDescending: false) }
  /// The same property, greatest first and nil behind all.
  public var descending: SortKey { SortKey(path: path, isDescending: true) }
}

/// The root of the key paths that name a query's order.
@dynamicMemberLookup
public struct SortRoot<M: Model>: Sendable {
  /// The ascending order of a stored property.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: Ordered>(dynamicMember property: KeyPath<M, V>) -> SortKey {
    SortKey(path: ColumnPath(property), isDescending: false)
  }

  /// The object that a property refers to, whose own properties can order.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model>(
    dynamicMember property: KeyPath<M, Ref<Target>>
  ) -> SortLink<Target> {
    SortLink(path: ColumnPath(property))
  }

  /// The object that a property may refer to; without one, its properties are nil.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model>(
    dynamicMember property: KeyPath<M, Ref<Target>?>
  ) -> SortLink<Target> {
    SortLink(path: ColumnPath(property))
  }
}

/// An object behind a reference, on a key path that names a query's order.
@dynamicMemberLookup
public struct SortLink<M: Model>: Sendable {
  let path: ColumnPath

  /// The ascending order of a stored property of the object.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: Ordered>(dynamicMember property: KeyPath<M, V>) -> SortKey {
    SortKey(path: ColumnPath(property).behind(path), isDescending: false)
  }

  /// The object that a property of the object refers to.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model>(
    dynamicMember property: KeyPath<M, Ref<Target>>
  ) -> SortLink<Target> {
    SortLink<Target>(path: ColumnPath(property).behind(path))
  }

  /// The object that a property of the object may refer to.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model>(
    dynamicMember property: KeyPath<M, Ref<Target>?>
  ) -> SortLink<Target> {
    SortLink<Target>(path: ColumnPath(property).behind(path))
  }
}
