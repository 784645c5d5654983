extension QueryColumn where Value: StoredCollection {
  /// Holds where at least one element matches a condition; an index over the elements finds them.
  ///
  /// ```swift
  /// Song.where { $0.tags.any { $0.hasPrefix("live") } }
  /// ```
  ///
  /// - Parameter condition: Makes the condition on an element; where elements are references, it
  ///   can use the properties of the objects. Columns of the outer object do not compile in it: see
  ///   ``ElementOf``.
  public func any<C: ConditionConvertible<ElementOf<M, Value.StoredElement>>>(
    _ condition: (QueryColumn<ElementOf<M, Value.StoredElement>, Value.StoredElement>) -> C
  ) -> QueryCondition<M> {
    let element = QueryColumn<ElementOf<M, Value.StoredElement>, Value.StoredElement>(
      builder.map { ColumnPathBuilder(elementOf: $0) })
    return QueryCondition(.any(path, meeting: condition(element).condition.tree))
  }

  /// Holds where every element matches a condition, and where there is none.
  public func all<C: ConditionConvertible<ElementOf<M, Value.StoredElement>>>(
    _ condition: (QueryColumn<ElementOf<M, Value.StoredElement>, Value.StoredElement>) -> C
  ) -> QueryCondition<M> {
    !any { !condition($0) }
  }

  /// Holds where no element matches a condition.
  public func none<C: ConditionConvertible<ElementOf<M, Value.StoredElement>>>(
    _ condition: (QueryColumn<ElementOf<M, Value.StoredElement>, Value.StoredElement>) -> C
  ) -> QueryCondition<M> {
    !any(condition)
  }

  /// Holds where an element equals a value; an index over the elements finds it.
  public func contains(_ element: Value.StoredElement) -> QueryCondition<M> {
    any { $0 == element }
  }

  /// Holds where an element refers to an object; an index over the elements finds it.
  public func contains<Target: Model>(_ object: Target) -> QueryCondition<M>
  where Value.StoredElement == Ref<Target> { contains(Ref(object)) }

  /// Holds where there is no element.
  public var isEmpty: QueryCondition<M> { count == 0 }

  /// How many elements there are.
  public var count: QueryColumn<M, Int> { measured(.count) }

  private func measured<Result>(_ kind: ColumnPath.Measure.Kind) -> QueryColumn<M, Result> {
    QueryColumn<M, Result>(builder?.measured(ColumnPath.Measure(kind: kind)))
  }
}

extension QueryColumn where Value: StoredCollection, Value.StoredElement: OrderedStorable {
  /// The smallest element; nil where there is none.
  public var min: QueryColumn<M, Value.StoredElement.Unwrapped?> { measured(.min) }

  /// The greatest element; nil where there is none.
  public var max: QueryColumn<M, Value.StoredElement.Unwrapped?> { measured(.max) }
}

extension QueryColumn where Value: StoredCollection, Value.StoredElement.Unwrapped: Summable {
  /// The sum of the elements; a sum that does not fit 64 bits becomes the nearest one that does.
  public var sum: QueryColumn<M, Value.StoredElement.Unwrapped.Sum> { measured(.sum) }

  /// The average of the elements; nil where there is none.
  public var average: QueryColumn<M, Double?> { measured(.average) }
}

/// The root of a condition on an element of a collection, or on an object that refers.
///
/// It has no values. Inside `any`, `all` and `none` a condition tests one element. Columns of the
/// outer object have another root there, so they do not compile. Write two conditions, or fetch
/// and compare.
///
/// `Outer` is the root of the outer condition, `Value` the type of an element.
public enum ElementOf<Outer, Value> {}
