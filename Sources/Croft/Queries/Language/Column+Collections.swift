/// An array, a set, or a dictionary of storable values.
public protocol StoredCollection: Storable {
  /// What an element is; of a dictionary a value.
  associatedtype StoredElement: Ordered
}

extension Array: StoredCollection where Element: Ordered {
  /// What an element is.
  public typealias StoredElement = Element
}
extension Set: StoredCollection where Element: Ordered {
  /// What an element is.
  public typealias StoredElement = Element
}
extension Dictionary: StoredCollection where Key == String, Value: Ordered {
  /// What a value is.
  public typealias StoredElement = Value
}

extension Column where Value: StoredCollection {
  /// Holds where at least one element meets a condition; an index over the elements finds them.
  ///
  /// ```swift
  /// Song.where { $0.tags.any { $0.hasPrefix("live") } }
  /// ```
  ///
  /// - Parameter condition: Given an element, the condition; of references the properties of the
  ///   objects can be used. It can name nothing else: see ``ElementOf``.
  public func any<C: ConditionConvertible<ElementOf<M, Value.StoredElement>>>(
    _ condition: (Column<ElementOf<M, Value.StoredElement>, Value.StoredElement>) -> C
  ) -> Condition<M> {
    let element = Column<ElementOf<M, Value.StoredElement>, Value.StoredElement>(
      spot.map { ColumnSpot(elementOf: $0) })
    return Condition(.any(place, meeting: condition(element).condition.expression))
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
    Column<M, Result>(spot?.measured(Measure(kind: kind)))
  }
}

extension Column where Value: StoredCollection, Value.StoredElement: Ordered {
  /// The smallest element; nil where there is none.
  public var min: Column<M, Value.StoredElement.Unwrapped?> {
    Column<M, Value.StoredElement.Unwrapped?>(spot?.measured(Measure(kind: .min)))
  }

  /// The greatest element; nil where there is none.
  public var max: Column<M, Value.StoredElement.Unwrapped?> {
    Column<M, Value.StoredElement.Unwrapped?>(spot?.measured(Measure(kind: .max)))
  }
}

extension Column where Value: StoredCollection, Value.StoredElement.Unwrapped: Summable {
  /// The sum of the elements; one past 64 bits counts as the greatest or smallest that fits.
  public var sum: Column<M, Value.StoredElement.Unwrapped.Sum> {
    Column<M, Value.StoredElement.Unwrapped.Sum>(spot?.measured(Measure(kind: .sum)))
  }

  /// The average of the elements; nil where there is none.
  public var average: Column<M, Double?> {
    Column<M, Double?>(spot?.measured(Measure(kind: .average)))
  }
}
