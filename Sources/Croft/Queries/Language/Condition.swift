/// What must hold of a model's objects, or of elements; made by comparing columns.
public struct Condition<M>: Hashable, Sendable {
  let expression: Expression

  init(_ expression: Expression) { self.expression = expression }
}

/// What can stand where a condition is asked for: a condition, or a Bool column.
public protocol ConditionConvertible<Root> {
  /// What the condition speaks of: a model, or an ``ElementOf`` a collection.
  associatedtype Root
  /// The condition itself.
  var condition: Condition<Root> { get }
}

extension Condition: ConditionConvertible {
  /// The condition itself.
  public var condition: Condition<M> { self }
}

extension Column: ConditionConvertible where Value: StoredTruth {
  /// Holds where the property is true; so `!` includes nil.
  public var condition: Condition<M> { Condition(.compare(place, .equal, .bool(true))) }
}

/// What a condition on an element of a collection speaks of, or one on an object that refers.
///
/// It has no values. Inside `any`, `all` and `none` a condition is about one element: a column of
/// the object outside is a column of another type there, and does not compile. Name both in two
/// conditions, or fetch and compare.
///
/// `Outer` is what the condition around speaks of, `Value` what an element is.
public enum ElementOf<Outer, Value> {}

/// A truth value, or an optional one.
public protocol StoredTruth: Storable {}

extension Bool: StoredTruth {}
extension Optional: StoredTruth where Wrapped: StoredTruth {}

extension ConditionConvertible {
  /// Holds where both conditions do.
  ///
  /// - Parameters:
  ///   - left: One condition.
  ///   - right: The other.
  public static func && <Other: ConditionConvertible<Root>>(
    left: Self, right: Other
  ) -> Condition<Root> {
    Condition(.both(left.condition.expression, right.condition.expression))
  }

  /// Holds where at least one of the conditions does.
  ///
  /// - Parameters:
  ///   - left: One condition.
  ///   - right: The other.
  public static func || <Other: ConditionConvertible<Root>>(
    left: Self, right: Other
  ) -> Condition<Root> {
    Condition(.either(left.condition.expression, right.condition.expression))
  }

  /// Holds exactly where the condition does not.
  ///
  /// - Parameter term: The condition.
  public static prefix func ! (term: Self) -> Condition<Root> {
    Condition(.negation(of: term.condition.expression))
  }
}
