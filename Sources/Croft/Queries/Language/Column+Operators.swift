extension Column where Value: Storable {
  /// Holds where the property equals the value; texts by canonical equivalence.
  ///
  /// As in Swift, no number equals NaN, NaN included.
  public static func == (column: Self, value: Value) -> Condition<M> {
    switch value.stored {
    case .none: Condition(.isNil(column.place))
    case let stored: Condition(.compare(column.place, .equal, stored))
    }
  }

  /// Holds exactly where `==` does not; so `!= v` includes nil.
  public static func != (column: Self, value: Value) -> Condition<M> {
    Condition(.negation(of: (column == value).expression))
  }

  /// Holds where the property is one of the values.
  ///
  /// - Parameter values: The values; nil may be among those for an optional property.
  /// - Complexity: O(1) for each row, however many values there are.
  public func `in`(_ values: some Sequence<Value>) -> Condition<M> {
    Condition(.within(place, values.map(\.stored)))
  }
}

extension Column where Value: Ordered {
  /// Holds where the property is less than the value; never for nil.
  public static func < (column: Self, value: Value) -> Condition<M> {
    column.compare(.less, value)
  }

  /// Holds where the property is at most the value; never for nil.
  public static func <= (column: Self, value: Value) -> Condition<M> {
    column.compare(.lessOrEqual, value)
  }

  /// Holds where the property is greater than the value; never for nil.
  public static func > (column: Self, value: Value) -> Condition<M> {
    column.compare(.greater, value)
  }

  /// Holds where the property is at least the value; never for nil.
  public static func >= (column: Self, value: Value) -> Condition<M> {
    column.compare(.greaterOrEqual, value)
  }

  /// Holds where the property lies between two values, both of which belong to it; never for nil.
  ///
  /// - Parameters:
  ///   - lower: The least value that passes.
  ///   - upper: The greatest value that passes.
  public func between(_ lower: Value, _ upper: Value) -> Condition<M> {
    self >= lower && self <= upper
  }

  private func compare(_ comparison: Comparison, _ value: Value) -> Condition<M> {
    switch value.stored {
    // Nothing is in order with nil.
    case .none: Condition(.constant(false))
    case let stored: Condition(.compare(place, comparison, stored))
    }
  }
}

extension Column where Value: Ordered, Value.Unwrapped: Ordered & Comparable {
  /// Holds where the property lies in a range, both ends included; never for nil.
  ///
  /// - Parameter range: The range, which an index reads as such.
  public func `in`(_ range: ClosedRange<Value.Unwrapped>) -> Condition<M> {
    Condition(
      .both(
        .compare(place, .greaterOrEqual, range.lowerBound.stored),
        .compare(place, .lessOrEqual, range.upperBound.stored)))
  }

  /// Holds where the property lies in a range, its end excluded; never for nil.
  ///
  /// - Parameter range: The range, which an index reads as such.
  public func `in`(_ range: Range<Value.Unwrapped>) -> Condition<M> {
    Condition(
      .both(
        .compare(place, .greaterOrEqual, range.lowerBound.stored),
        .compare(place, .less, range.upperBound.stored)))
  }
}

extension Column where Value: OptionalStorable {
  /// Holds where an optional property has no value.
  public var isNil: Condition<M> {
    // A column of its own tells whether a struct is there.
    Value.Unwrapped.self is any Embedded.Type
      ? Condition(.not(.compare(place, .equal, .bool(true)))) : Condition(.isNil(place))
  }
}

/// An optional property.
public protocol OptionalStorable: StorableProperty {}

extension Optional: OptionalStorable where Wrapped: StorableProperty {}
