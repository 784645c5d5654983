import Croft
import Foundation

/// What a property's value is, as far as making one up needs to know.
indirect enum Kind: Hashable, Sendable {
  case bool
  case int(bits: Int)
  case uint(bits: Int)
  case float, double, date, uuid, text, url, bytes, decimal
  /// An enum, with its raw values.
  case cases([Value])
  case reference(String)
  case parts([Kind])
  /// A struct, of which queries see the properties.
  case structure([Kind])
  case array(Kind)
  case set(Kind)
  case dictionary(Kind)
  case optional(Kind)
  /// JSON, which queries cannot look into.
  case coded

  var isOptional: Bool { if case .optional = self { true } else { false } }
  var unwrapped: Kind { if case .optional(let kind) = self { kind } else { self } }

  /// Whether it is one value, which is there.
  var isSimple: Bool {
    switch self {
    case .parts, .structure, .coded, .optional: false
    default: element == nil
    }
  }

  /// What a collection holds; nil for others.
  var element: Kind? {
    switch unwrapped {
    case .array(let kind), .set(let kind), .dictionary(let kind): kind
    default: nil
    }
  }
  var isNumber: Bool {
    switch self {
    case .int, .uint, .float, .double: true
    default: false
    }
  }
  var isReal: Bool { self == .float || self == .double }
  var isUnsigned: Bool { if case .uint = self { true } else { false } }
  /// The model that a reference, or a collection of them, names.
  var target: String? {
    switch self {
    case .optional(let kind), .array(let kind), .set(let kind), .dictionary(let kind): kind.target
    case .reference(let model): model
    default: nil
    }
  }
}

/// A type of properties that the swarm knows to make of plain values.
protocol SwarmValue: StorableProperty {
  static var swarmKind: Kind { get }
  init(swarm value: Value)
  var swarm: Value { get }

  /// A condition on a column of this type; nil where it cannot be written.
  static func condition<N>(_ test: FieldTest, on column: QueryColumn<N, Self>) -> QueryCondition<N>?
  /// A condition on two columns of this type.
  static func condition<N>(
    _ comparison: Comparison, _ left: QueryColumn<N, Self>, _ right: QueryColumn<N, Self>
  ) -> QueryCondition<N>?
}

extension SwarmValue {
  static func condition<N>(
    _ test: FieldTest, on column: QueryColumn<N, Self>
  ) -> QueryCondition<N>? { nil }

  static func condition<N>(
    _ comparison: Comparison, _ left: QueryColumn<N, Self>, _ right: QueryColumn<N, Self>
  ) -> QueryCondition<N>? { nil }
}

/// A value that has an order.
protocol SwarmScalar: SwarmValue, OrderedStorable where Unwrapped: SwarmScalar {
  /// A condition on an optional column of this type.
  static func condition<N>(_ test: FieldTest, onOptional column: QueryColumn<N, Self?>)
    -> QueryCondition<N>?
  /// A condition on the sum or the average of a collection's elements; nil where there is none.
  static func condition<N, C: StoredCollection>(
    _ measure: Measure, _ comparison: Comparison, _ value: Value, of column: QueryColumn<N, C>
  ) -> QueryCondition<N>? where C.StoredElement.Unwrapped == Self
  /// The sum or the average of a property; nil where there is none.
  static func measure<N: Model, V: Storable, T: ReadableTransaction & ~Copyable>(
    _ measure: Measure, of property: KeyPath<N, V>, _ query: Query<N>, in transaction: inout T
  ) throws -> Value? where V.Unwrapped == Self
}

extension SwarmScalar {
  static func condition<N>(
    _ test: FieldTest, on column: QueryColumn<N, Self>
  ) -> QueryCondition<N>? {
    ordered(test, column)
  }

  static func condition<N, C: StoredCollection>(
    _ measure: Measure, _ comparison: Comparison, _ value: Value, of column: QueryColumn<N, C>
  ) -> QueryCondition<N>? where C.StoredElement.Unwrapped == Self { nil }

  static func measure<N: Model, V: Storable, T: ReadableTransaction & ~Copyable>(
    _ measure: Measure, of property: KeyPath<N, V>, _ query: Query<N>, in transaction: inout T
  ) throws -> Value? where V.Unwrapped == Self { nil }

  /// What all values with an order can be asked.
  static func ordered<N>(_ test: FieldTest, _ column: QueryColumn<N, Self>) -> QueryCondition<N>? {
    switch test {
    case .compare(let comparison, let value):
      let value = Self(swarm: value)
      return switch comparison {
      case .equal: column == value
      case .notEqual: column != value
      case .less: column < value
      case .lessOrEqual: column <= value
      case .greater: column > value
      case .greaterOrEqual: column >= value
      }
    case .within(let values): return column.in(values.map { Self(swarm: $0) })
    case .text(let kind, let text, let options):
      let options = TextOptions(rawValue: options)
      if let column = column as? QueryColumn<N, String> {
        return column.matches(kind, text, options)
      }
      return (column as? QueryColumn<N, String?>)?.matches(kind, text, options)
    case .search(let search):
      if let column = column as? QueryColumn<N, String> { return column.matches(search.query) }
      return (column as? QueryColumn<N, String?>)?.matches(search.query)
    case .isNil, .elements, .measure, .target, .targets: return nil
    }
  }

  static func condition<N>(
    _ comparison: Comparison, _ left: QueryColumn<N, Self>, _ right: QueryColumn<N, Self>
  ) -> QueryCondition<N>? {
    ordered(comparison, left, right)
  }

  static func ordered<N>(
    _ comparison: Comparison, _ left: QueryColumn<N, Self>, _ right: QueryColumn<N, Self>
  ) -> QueryCondition<N>? {
    switch comparison {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }
}

extension SwarmScalar where Unwrapped == Self {
  static func condition<N>(
    _ test: FieldTest, onOptional column: QueryColumn<N, Self?>
  ) -> QueryCondition<N>? {
    if case .isNil = test { return column.isNil }
    return Self?.ordered(test, column)
  }
}

/// A value that sums are made of.
protocol SwarmNumber: SwarmScalar, Summable where Unwrapped == Self, Sum: SwarmScalar {}

extension SwarmNumber {
  static func condition<N, C: StoredCollection>(
    _ measure: Measure, _ comparison: Comparison, _ value: Value, of column: QueryColumn<N, C>
  ) -> QueryCondition<N>? where C.StoredElement.Unwrapped == Self {
    switch measure {
    case .sum: Sum.condition(.compare(comparison, value), on: column.sum)
    case .average: Double?.condition(.compare(comparison, value), on: column.average)
    case .count, .min, .max: nil
    }
  }

  static func measure<N: Model, V: Storable, T: ReadableTransaction & ~Copyable>(
    _ measure: Measure, of property: KeyPath<N, V>, _ query: Query<N>, in transaction: inout T
  ) throws -> Value? where V.Unwrapped == Self {
    switch measure {
    case .sum: try transaction.fetch(query.sum(property)).swarm
    case .average: try transaction.fetch(query.average(property)).swarm
    case .count, .min, .max: nil
    }
  }
}

extension QueryColumn where Value: StoredText {
  func matches(_ kind: TextTest, _ text: String, _ options: TextOptions) -> QueryCondition<M> {
    switch kind {
    case .equals: equals(text, options: options)
    case .contains: contains(text, options: options)
    case .hasPrefix: hasPrefix(text, options: options)
    case .hasSuffix: hasSuffix(text, options: options)
    case .like: like(text, options: options)
    }
  }
}

extension Optional: SwarmValue where Wrapped: SwarmValue & Storable, Wrapped.Unwrapped == Wrapped {
  static var swarmKind: Kind { .optional(Wrapped.swarmKind) }
  init(swarm value: Value) { self = value == .null ? nil : Wrapped(swarm: value) }
  var swarm: Value { map(\.swarm) ?? .null }

  static func condition<N>(
    _ test: FieldTest, on column: QueryColumn<N, Self>
  ) -> QueryCondition<N>? {
    if case .isNil = test { return column.isNil }
    guard let scalar = Wrapped.self as? any SwarmScalar.Type else { return nil }
    func open<S: SwarmScalar>(_ type: S.Type) -> QueryCondition<N>? {
      (column as? QueryColumn<N, S?>).flatMap { S.condition(test, onOptional: $0) }
    }
    return open(scalar)
  }

  static func condition<N>(
    _ comparison: Comparison, _ left: QueryColumn<N, Self>, _ right: QueryColumn<N, Self>
  ) -> QueryCondition<N>? {
    guard let scalar = Self.self as? any SwarmScalar.Type else { return nil }
    func open<S: SwarmScalar>(_ type: S.Type) -> QueryCondition<N>? {
      guard let left = left as? QueryColumn<N, S>, let right = right as? QueryColumn<N, S> else {
        return nil
      }
      return S.ordered(comparison, left, right)
    }
    return open(scalar)
  }
}

extension Optional: SwarmScalar
where Wrapped: SwarmScalar, Wrapped.Unwrapped == Wrapped {
  static func condition<N>(
    _ test: FieldTest, on column: QueryColumn<N, Self>
  ) -> QueryCondition<N>? {
    Wrapped.condition(test, onOptional: column)
  }

  static func condition<N>(
    _ test: FieldTest, onOptional column: QueryColumn<N, Self?>
  ) -> QueryCondition<N>? { nil }
}
