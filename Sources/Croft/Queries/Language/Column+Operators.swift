extension Column where Value: Storable {
  /// Holds where the property equals the value; texts by canonical equivalence.
  ///
  /// As in Swift, no number equals NaN, NaN included.
  public static func == (column: Self, value: Value) -> Condition<M> {
    switch value.stored {
    case .none: Condition(.isNil(column.path))
    case let stored: Condition(.compare(column.path, .equal, stored))
    }
  }

  /// Holds exactly where `==` does not; so `!= v` includes nil.
  public static func != (column: Self, value: Value) -> Condition<M> {
    Condition(.negation(of: (column == value).tree))
  }

  /// Holds where the property is one of the values.
  ///
  /// - Parameter values: The values; nil may be among those for an optional property.
  /// - Complexity: O(1) for each row, however many values there are.
  public func `in`(_ values: some Sequence<Value>) -> Condition<M> {
    Condition(.within(path, values.map(\.stored)))
  }
}

extension Column {
  /// Holds where the property refers to an object.
  public static func == <Target: Model>(column: Self, object: Target) -> Condition<M>
  where Value == Ref<Target> { column == Ref(object) }

  /// Holds where the property refers to another object.
  public static func != <Target: Model>(column: Self, object: Target) -> Condition<M>
  where Value == Ref<Target> { column != Ref(object) }

  /// Holds where an optional property refers to an object.
  public static func == <Target: Model>(column: Self, object: Target) -> Condition<M>
  where Value == Ref<Target>? { column == Ref(object) }

  /// Holds where an optional property refers to another object, or to none.
  public static func != <Target: Model>(column: Self, object: Target) -> Condition<M>
  where Value == Ref<Target>? { column != Ref(object) }

  /// Holds where the property refers to one of some objects.
  ///
  /// - Parameter objects: The objects.
  public func `in`<Target: Model>(_ objects: some Sequence<Target>) -> Condition<M>
  where Value == Ref<Target> { self.in(objects.map { Ref($0) }) }

  /// Holds where an optional property refers to one of some objects.
  ///
  /// - Parameter objects: The objects.
  public func `in`<Target: Model>(_ objects: some Sequence<Target>) -> Condition<M>
  where Value == Ref<Target>? { self.in(objects.map { Ref($0) }) }
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

  /// Holds where the property is between two values, both included; never for nil.
  ///
  /// - Parameters:
  ///   - lower: The least value that passes.
  ///   - upper: The greatest value that passes.
  public func between(_ lower: Value, _ upper: Value) -> Condition<M> {
    self >= lower && self <= upper
  }

  private func compare(_ comparison: ConditionTree.Comparison, _ value: Value) -> Condition<M> {
    switch value.stored {
    // An order with nil never holds.
    case .none: Condition(.constant(false))
    case let stored: Condition(.compare(path, comparison, stored))
    }
  }
}

extension Column where Value: Ordered, Value.Unwrapped: Ordered & Comparable {
  /// Holds where the property is in a range, both ends included; never for nil.
  ///
  /// - Parameter range: The range, which an index reads as such.
  public func `in`(_ range: ClosedRange<Value.Unwrapped>) -> Condition<M> {
    Condition(
      .both(
        .compare(path, .greaterOrEqual, range.lowerBound.stored),
        .compare(path, .lessOrEqual, range.upperBound.stored)))
  }

  /// Holds where the property is in a range, its end excluded; never for nil.
  ///
  /// - Parameter range: The range, which an index reads as such.
  public func `in`(_ range: Range<Value.Unwrapped>) -> Condition<M> {
    Condition(
      .both(
        .compare(path, .greaterOrEqual, range.lowerBound.stored),
        .compare(path, .less, range.upperBound.stored)))
  }
}

extension Column where Value: OptionalStorable {
  /// Holds where an optional property has no value.
  public var isNil: Condition<M> {
    // A struct has a column of its own that holds whether it is there.
    Value.Unwrapped.self is any Embedded.Type
      ? Condition(.not(.compare(path, .equal, .bool(true)))) : Condition(.isNil(path))
  }
}

extension Column where Value: Storable {
  /// Holds where two properties of an object are equal; nil equals nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func == <Other: Storable>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.path, .equal, right.path))
  }

  /// Holds exactly where `==` does not.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func != <Other: Storable>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.not(.columns(left.path, .equal, right.path)))
  }
}

extension Column where Value: Ordered {
  /// Holds where one property is less than another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func < <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.path, .less, right.path))
  }

  /// Holds where one property is at most another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func <= <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.path, .lessOrEqual, right.path))
  }

  /// Holds where one property is greater than another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func > <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.path, .greater, right.path))
  }

  /// Holds where one property is at least another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func >= <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.path, .greaterOrEqual, right.path))
  }
}

// Texts are compared as bytes of UTF-8 in normalisation form C, as the keys of an index are.
