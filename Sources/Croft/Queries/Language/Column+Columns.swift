// Two properties of one object, compared with each other.

extension Column where Value: Storable {
  /// Holds where two properties of an object are equal; nil equals nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func == <Other: Storable>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.place, .equal, right.place))
  }

  /// Holds exactly where `==` does not.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func != <Other: Storable>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.not(.columns(left.place, .equal, right.place)))
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
    Condition(.columns(left.place, .less, right.place))
  }

  /// Holds where one property is at most another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func <= <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.place, .lessOrEqual, right.place))
  }

  /// Holds where one property is greater than another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func > <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.place, .greater, right.place))
  }

  /// Holds where one property is at least another; never where one of them is nil.
  ///
  /// - Parameters:
  ///   - left: One property.
  ///   - right: The other, of the same type or its optional.
  public static func >= <Other: Ordered>(left: Self, right: Column<M, Other>) -> Condition<M>
  where Other.Unwrapped == Value.Unwrapped {
    Condition(.columns(left.place, .greaterOrEqual, right.place))
  }
}
