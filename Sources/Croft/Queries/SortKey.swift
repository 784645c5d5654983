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
}
