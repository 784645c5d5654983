/// An array, a set, or a dictionary of storable values.
public protocol StoredCollection: Storable {
  /// The type of an element; of a dictionary the type of a value.
  associatedtype StoredElement: Ordered
}

extension Array: StoredCollection where Element: Ordered {
  /// The type of an element.
  public typealias StoredElement = Element
}
extension Set: StoredCollection where Element: Ordered {
  /// The type of an element.
  public typealias StoredElement = Element
}
extension Dictionary: StoredCollection where Key == String, Value: Ordered {
  /// The type of a value.
  public typealias StoredElement = Value
}

extension Column where Value: StoredCollection {
  /// Holds where at least one element meets a condition; an index over the elements finds them.
  ///
  /// ```swift
  /// Song.where { $0.tags.any { $0.hasPrefix("live") } }
  /// ```
  ///
  /// - Parameter condition: Given an element, the condition; where elements are references, it can
  ///   use the properties of the objects. Columns of the object around do not compile in it: see
  ///   ``ElementOf``.
  public func any<C: ConditionConvertible<ElementOf<M, Value.StoredElement>>>(
    _ condition: (Column<ElementOf<M, Value.StoredElement>, Value.StoredElement>) -> C
  ) -> Condition<M> {
    let element = Column<ElementOf<M, Value.StoredElement>, Value.StoredElement>(
      builder.map { PathBuilder(elementOf: $0) })
    return Condition(.any(path, meeting: condition(element).condition.expression))
  }

  /// Holds where every element meets a condition, and where there is none.
  ///
  /// - Parameter condition: Given an element, the condition.
  public func all<C: ConditionConvertible<ElementOf<M, Value.StoredElement>>>(
    _ condition: (Column<ElementOf<M, Value.StoredElement>, Value.StoredElement>) -> C
  ) -> Condition<M> {
    !any { !condition($0) }
  }

  /// Holds where no element meets a condition.
  ///
  /// - Parameter condition: Given an element, the condition.
  public func none<C: ConditionConvertible<ElementOf<M, Value.StoredElement>>>(
    _ condition: (Column<ElementOf<M, Value.StoredElement>, Value.StoredElement>) -> C
  ) -> Condition<M> {
    !any(condition)
  }

  /// Holds where an element equals a value; an index over the elements finds it.
  ///
  /// - Parameter element: The value.
  public func contains(_ element: Value.StoredElement) -> Condition<M> {
    any { $0 == element }
  }

  /// Holds where there is no element.
  public var isEmpty: Condition<M> { count == 0 }

  /// How many elements there are.
  public var count: Column<M, Int> { measured(.count) }

  private func measured<Result>(_ kind: Measure.Kind) -> Column<M, Result> {
    Column<M, Result>(builder?.measured(Measure(kind: kind)))
  }
}

extension Column where Value: StoredCollection, Value.StoredElement: Ordered {
  /// The smallest element; nil where there is none.
  public var min: Column<M, Value.StoredElement.Unwrapped?> {
    Column<M, Value.StoredElement.Unwrapped?>(builder?.measured(Measure(kind: .min)))
  }

  /// The greatest element; nil where there is none.
  public var max: Column<M, Value.StoredElement.Unwrapped?> {
    Column<M, Value.StoredElement.Unwrapped?>(builder?.measured(Measure(kind: .max)))
  }
}

extension Column where Value: StoredCollection, Value.StoredElement.Unwrapped: Summable {
  /// The sum of the elements; past 64 bits it counts as the nearest number that fits.
  public var sum: Column<M, Value.StoredElement.Unwrapped.Sum> {
    Column<M, Value.StoredElement.Unwrapped.Sum>(builder?.measured(Measure(kind: .sum)))
  }

  /// The average of the elements; nil where there is none.
  public var average: Column<M, Double?> {
    Column<M, Double?>(builder?.measured(Measure(kind: .average)))
  }
}

extension Column where Value: Model {
  /// The objects that refer to this one by a property.
  ///
  /// ```swift
  /// TodoGroup.where { $0.referrers(by: \TodoItem.group).any { !$0.isDone } }
  /// ```
  ///
  /// They are found by the index over the references.
  ///
  /// - Parameter property: A property that holds references to this model.
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

  /// Holds where at least one of them meets a condition.
  ///
  /// - Parameter condition: Given one of them, the condition.
  public func any<C: ConditionConvertible<ElementOf<M, Source>>>(
    _ condition: (Column<ElementOf<M, Source>, Source>) -> C
  ) -> Condition<M> {
    let referrer = Column<ElementOf<M, Source>, Source>(nil)
    return Condition(.referred(source, meeting: condition(referrer).condition.expression))
  }

  /// Holds where all of them meet a condition, and where there is none.
  ///
  /// - Parameter condition: Given one of them, the condition.
  public func all<C: ConditionConvertible<ElementOf<M, Source>>>(
    _ condition: (Column<ElementOf<M, Source>, Source>) -> C
  ) -> Condition<M> {
    !any { !condition($0) }
  }

  /// Holds where none of them meets a condition.
  ///
  /// - Parameter condition: Given one of them, the condition.
  public func none<C: ConditionConvertible<ElementOf<M, Source>>>(
    _ condition: (Column<ElementOf<M, Source>, Source>) -> C
  ) -> Condition<M> {
    !any(condition)
  }

  /// Holds where there is none.
  public var isEmpty: Condition<M> { count == 0 }

  /// How many there are.
  public var count: Column<M, Int> {
    let path = ColumnPath(place: 0, name: source.name)
    return Column<M, Int>(
      PathBuilder(path.measured(Measure(kind: .count, source: source)), source.schema))
  }

  /// The sum of a property of theirs; past 64 bits it counts as the nearest number that fits.
  ///
  /// - Parameter property: The property.
  public func sum<V: Storable>(of property: KeyPath<Source, V>) -> Column<M, V.Unwrapped.Sum>
  where V.Unwrapped: Summable {
    measured(.sum, ColumnPath(property))
  }

  /// The average of a property of theirs; nil where there is no value.
  ///
  /// - Parameter property: The property.
  public func average<V: Storable>(of property: KeyPath<Source, V>) -> Column<M, Double?>
  where V.Unwrapped: Summable {
    measured(.average, ColumnPath(property))
  }

  /// The smallest value of a property of theirs; nil where there is none.
  ///
  /// - Parameter property: The property.
  public func min<V: Ordered>(of property: KeyPath<Source, V>) -> Column<M, V.Unwrapped?> {
    measured(.min, ColumnPath(property))
  }

  /// The greatest value of a property of theirs; nil where there is none.
  ///
  /// - Parameter property: The property.
  public func max<V: Ordered>(of property: KeyPath<Source, V>) -> Column<M, V.Unwrapped?> {
    measured(.max, ColumnPath(property))
  }

  private func measured<Value>(_ kind: Measure.Kind, _ path: ColumnPath) -> Column<M, Value> {
    let named = ColumnPath(place: path.place, name: source.name + "." + path.name)
    return Column<M, Value>(
      PathBuilder(named.measured(Measure(kind: kind, source: source)), source.schema))
  }
}
