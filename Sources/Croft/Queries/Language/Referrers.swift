extension QueryColumn where Value: Model {
  /// The objects that refer to this one by a property.
  ///
  /// ```swift
  /// TodoGroup.where { $0.referrers(by: \TodoItem.group).any { !$0.isDone } }
  /// ```
  ///
  /// They are found by the index over the references.
  ///
  /// - Precondition: The property holds references to `Value`.
  public func referrers<Source: Model, V: StorableProperty>(
    by property: KeyPath<Source, V>
  ) -> Referrers<M, Source> {
    let path = ColumnPath(property)
    let schema = Source._schema.erased
    guard schema.columns[path.place].reference?.target() === Value._schema.erased else {
      preconditionFailure("\(schema.name).\(path.name) holds no references to \(Value.self).")
    }
    return Referrers(source: ReferringColumn(schema: schema, column: path.place))
  }
}

/// The objects that refer to a model's object, inside a condition on it.
public struct Referrers<M, Source: Model>: Sendable {
  let source: ReferringColumn

  /// Holds where at least one of them matches a condition.
  ///
  /// - Parameter condition: Makes the condition on one of them.
  public func any<C: ConditionConvertible<ElementOf<M, Source>>>(
    _ condition: (QueryColumn<ElementOf<M, Source>, Source>) -> C
  ) -> QueryCondition<M> {
    let referrer = QueryColumn<ElementOf<M, Source>, Source>(nil)
    return QueryCondition(.referred(source, meeting: condition(referrer).condition.tree))
  }

  /// Holds where all of them match a condition, and where there is none.
  public func all<C: ConditionConvertible<ElementOf<M, Source>>>(
    _ condition: (QueryColumn<ElementOf<M, Source>, Source>) -> C
  ) -> QueryCondition<M> {
    !any { !condition($0) }
  }

  /// Holds where none of them matches a condition.
  public func none<C: ConditionConvertible<ElementOf<M, Source>>>(
    _ condition: (QueryColumn<ElementOf<M, Source>, Source>) -> C
  ) -> QueryCondition<M> {
    !any(condition)
  }

  /// Holds where there is none.
  public var isEmpty: QueryCondition<M> { count == 0 }

  /// How many there are.
  public var count: QueryColumn<M, Int> {
    let path = ColumnPath(place: 0, name: source.name)
    return QueryColumn<M, Int>(
      ColumnPathBuilder(
        path.measured(ColumnPath.Measure(kind: .count, source: source)), source.schema))
  }

  /// The sum of one of their properties; if it does not fit 64 bits, the nearest number that does.
  public func sum<V: Storable>(_ property: KeyPath<Source, V>) -> QueryColumn<M, V.Unwrapped.Sum>
  where V.Unwrapped: Summable {
    measured(.sum, ColumnPath(property))
  }

  /// The average of one of their properties; nil where there is no value.
  public func average<V: Storable>(_ property: KeyPath<Source, V>) -> QueryColumn<M, Double?>
  where V.Unwrapped: Summable {
    measured(.average, ColumnPath(property))
  }

  /// The smallest value of one of their properties; nil where there is none.
  public func min<V: OrderedStorable>(_ property: KeyPath<Source, V>) -> QueryColumn<
    M, V.Unwrapped?
  > {
    measured(.min, ColumnPath(property))
  }

  /// The greatest value of one of their properties; nil where there is none.
  public func max<V: OrderedStorable>(_ property: KeyPath<Source, V>) -> QueryColumn<
    M, V.Unwrapped?
  > {
    measured(.max, ColumnPath(property))
  }

  private func measured<Value>(_ kind: ColumnPath.Measure.Kind, _ path: ColumnPath) -> QueryColumn<
    M, Value
  > {
    let named = ColumnPath(place: path.place, name: source.name + "." + path.name)
    return QueryColumn<M, Value>(
      ColumnPathBuilder(
        named.measured(ColumnPath.Measure(kind: kind, source: source)), source.schema))
  }
}

extension Model {
  /// The objects that refer to another one by a property, by primary key.
  ///
  /// ```swift
  /// let items = try store.fetch(TodoItem.referring(to: group, by: \.group))
  /// ```
  /// They are found by the index that every column of references has.
  ///
  /// - Returns: A query, to be narrowed, ordered and limited.
  public static func referring<Target: Model, V: StorableProperty>(
    to target: Target, by property: KeyPath<Self, V>
  ) -> Query<Self> where V.Unwrapped == Ref<Target> {
    Query(.comparing(ColumnPath(property), .equal, Ref(target)))
  }

  /// The objects that refer to another one by a collection of references, by primary key.
  ///
  /// An object comes once, however often its collection has the reference.
  public static func referring<Target: Model, References: StoredCollection>(
    to target: Target, by property: KeyPath<Self, References>
  ) -> Query<Self> where References.StoredElement == Ref<Target> {
    Query(
      .any(ColumnPath(property), .comparing(.element, .equal, Ref(target))))
  }
}
