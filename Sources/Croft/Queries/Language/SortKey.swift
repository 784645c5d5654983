/// One key of a query's order; written as a key path: `\.priority.descending`.
public struct SortKey: Hashable, Sendable {
  let path: ColumnPath
  let isDescending: Bool

  /// The same property, smallest first and nil before all.
  public var ascending: SortKey { SortKey(path: path, isDescending: false) }
  /// The same property, greatest first and nil after all.
  public var descending: SortKey { SortKey(path: path, isDescending: true) }
}

extension QueryColumn where M: Model, Value: OrderedStorable {
  /// The order by this property or expression, smallest first and nil before all.
  public var ascending: SortKey { SortKey(path: path, isDescending: false) }
  /// The order by this property or expression, greatest first and nil after all.
  public var descending: SortKey { SortKey(path: path, isDescending: true) }
}

/// The root of the key paths that name a query's order.
@dynamicMemberLookup
public struct SortRoot<M: Model>: Sendable {
  /// The ascending order of a stored property.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: OrderedStorable>(dynamicMember property: KeyPath<M, V>) -> SortKey {
    SortKey(path: ColumnPathBuilder(property, behind: nil).path, isDescending: false)
  }

  /// A reference or a struct, whose own properties can order.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: StorableProperty>(
    dynamicMember property: KeyPath<M, V>
  ) -> SortPath<V.Unwrapped> {
    SortPath(builder: ColumnPathBuilder(property, behind: nil))
  }
}

/// A reference or a struct on a key path that names a query's order.
///
/// Where it is nil, so are its properties.
@dynamicMemberLookup
public struct SortPath<Value>: Sendable {
  let builder: ColumnPathBuilder

  /// The ascending order of a property of the object referred to.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model, V: OrderedStorable>(
    dynamicMember property: KeyPath<Target, V>
  ) -> SortKey where Value == Ref<Target> {
    SortKey(path: ColumnPathBuilder(property, behind: builder).path, isDescending: false)
  }

  /// A reference or a struct of the object referred to.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model, V: StorableProperty>(
    dynamicMember property: KeyPath<Target, V>
  ) -> SortPath<V.Unwrapped> where Value == Ref<Target> {
    SortPath<V.Unwrapped>(builder: ColumnPathBuilder(property, behind: builder))
  }

  /// The ascending order of a property of the struct.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: OrderedStorable>(dynamicMember property: KeyPath<Value, V>) -> SortKey
  where Value: Embedded {
    SortKey(path: builder.inside(property).path, isDescending: false)
  }

  /// A reference or a struct inside the struct.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: StorableProperty>(
    dynamicMember property: KeyPath<Value, V>
  ) -> SortPath<V.Unwrapped> where Value: Embedded {
    SortPath<V.Unwrapped>(builder: builder.inside(property))
  }
}
