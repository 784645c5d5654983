import Croft
import Foundation

extension Bool: SwarmScalar {
  static var swarmKind: Kind { .bool }
  init(swarm value: Value) {
    guard case .bool(let value) = value else { preconditionFailure("\(value) is no Bool.") }
    self = value
  }
  var swarm: Value { .bool(self) }
}

extension SwarmValue where Self: FixedWidthInteger & SignedInteger {
  static var swarmKind: Kind { .int(bits: bitWidth) }
  init(swarm value: Value) {
    guard case .int(let value) = value else { preconditionFailure("\(value) is no integer.") }
    self = Self(clamping: value)
  }
  var swarm: Value { .int(Int64(self)) }
}

extension SwarmValue where Self: FixedWidthInteger & UnsignedInteger {
  static var swarmKind: Kind { .uint(bits: bitWidth) }
  init(swarm value: Value) {
    guard case .uint(let value) = value else { preconditionFailure("\(value) is no integer.") }
    self = Self(clamping: value)
  }
  var swarm: Value { .uint(UInt64(self)) }
}

extension Int: SwarmNumber {}
extension Int8: SwarmNumber {}
extension Int16: SwarmNumber {}
extension Int32: SwarmNumber {}
extension Int64: SwarmNumber {}
extension UInt: SwarmNumber {}
extension UInt8: SwarmNumber {}
extension UInt16: SwarmNumber {}
extension UInt32: SwarmNumber {}
extension UInt64: SwarmNumber {}

extension SwarmValue where Self: BinaryFloatingPoint {
  init(swarm value: Value) {
    guard case .real(let value) = value else { preconditionFailure("\(value) is no number.") }
    self = Self(value)
  }
  var swarm: Value { .real(Double(self)) }
}

extension Float: SwarmNumber {
  static var swarmKind: Kind { .float }
}
extension Double: SwarmNumber {
  static var swarmKind: Kind { .double }
}

extension Date: SwarmScalar {
  static var swarmKind: Kind { .date }
  init(swarm value: Value) {
    guard case .date(let value) = value else { preconditionFailure("\(value) is no date.") }
    self.init(timeIntervalSinceReferenceDate: value)
  }
  var swarm: Value { .date(timeIntervalSinceReferenceDate) }
}

extension UUID: SwarmScalar {
  static var swarmKind: Kind { .uuid }
  init(swarm value: Value) {
    guard case .uuid(let bytes) = value, bytes.count == 16 else {
      preconditionFailure("\(value) is no UUID.")
    }
    self = UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
        bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }
  var swarm: Value { .uuid(withUnsafeBytes(of: uuid) { Array($0) }) }
}

extension String: SwarmScalar {
  static var swarmKind: Kind { .text }
  init(swarm value: Value) {
    guard case .text(let value) = value else { preconditionFailure("\(value) is no text.") }
    self = value
  }
  var swarm: Value { .text(self) }
}

extension URL: SwarmScalar {
  static var swarmKind: Kind { .url }
  init(swarm value: Value) {
    guard case .text(let text) = value, let url = URL(string: text) else {
      preconditionFailure("\(value) is no URL.")
    }
    self = url
  }
  var swarm: Value { .text(absoluteString) }
}

extension Data: SwarmScalar {
  static var swarmKind: Kind { .bytes }
  init(swarm value: Value) {
    guard case .bytes(let value) = value else { preconditionFailure("\(value) is no data.") }
    self.init(value)
  }
  var swarm: Value { .bytes(Array(self)) }
}

extension Decimal: SwarmScalar {
  static var swarmKind: Kind { .decimal }
  init(swarm value: Value) {
    guard case .decimal(let text) = value else { preconditionFailure("\(value) is no decimal.") }
    self = Value.number(text)
  }
  var swarm: Value { .decimal("\(self)") }
}

extension SwarmValue where Self: StoredEnum & CaseIterable, RawValue: SwarmValue {
  static var swarmKind: Kind { .cases(allCases.map(\.rawValue.swarm)) }
  init(swarm value: Value) {
    guard let own = Self(rawValue: RawValue(swarm: value)) else {
      preconditionFailure("\(value) is no case of \(Self.self).")
    }
    self = own
  }
  var swarm: Value { rawValue.swarm }
}

/// A compound key whose parts the swarm knows.
protocol SwarmKey: SwarmScalar, StorableKey {
  init(swarmParts: [Value])
  var swarmParts: [Value] { get }
  static var swarmKinds: [Kind] { get }
}

extension SwarmKey {
  static var swarmKind: Kind { .parts(swarmKinds) }
  init(swarm value: Value) {
    guard case .parts(let parts) = value else { preconditionFailure("\(value) is no key.") }
    self.init(swarmParts: parts)
  }
  var swarm: Value { .parts(swarmParts) }
}

// References.

extension Ref: SwarmValue where Target: SwarmModel {
  static var swarmKind: Kind { .reference(Target.name) }
  init(swarm value: Value) { self.init(Target.PrimaryKey(swarm: value)) }
  var swarm: Value { key.swarm }
}

extension Ref: SwarmScalar where Target: SwarmModel {
  static func condition<N>(
    _ test: FieldTest, on column: QueryColumn<N, Self>
  ) -> QueryCondition<N>? {
    func field(_ name: String) -> (any ModelField<Target>)? {
      Target.fields.first { $0.name == name }
    }
    switch test {
    case .target(let name, let test): return field(name)?.condition(test, behind: column)
    case .targets(let left, let comparison, let right):
      return field(right).flatMap { field(left)?.condition(comparison, $0, behind: column) }
    default: return ordered(test, column)
    }
  }

  static func condition<N>(
    _ test: FieldTest, onOptional column: QueryColumn<N, Self?>
  ) -> QueryCondition<N>? {
    switch test {
    case .isNil: column.isNil
    case .target(let field, let test):
      Target.fields.first { $0.name == field }?.condition(test, behindOptional: column)
    default: Self?.ordered(test, column)
    }
  }
}

// Collections.

/// What a collection of values can be asked.
func condition<N, C: StoredCollection>(
  _ test: FieldTest, _ column: QueryColumn<N, C>
) -> QueryCondition<N>? where C.StoredElement: SwarmScalar {
  switch test {
  case .elements(let quantity, let test):
    var isAsked = true
    let result =
      switch quantity {
      case .any:
        column.any { element in
          C.StoredElement.condition(test, on: element) ?? missing(element, &isAsked)
        }
      case .all:
        column.all { element in
          C.StoredElement.condition(test, on: element) ?? missing(element, &isAsked)
        }
      case .none:
        column.none { element in
          C.StoredElement.condition(test, on: element) ?? missing(element, &isAsked)
        }
      }
    return isAsked ? result : nil
  case .measure(.count, let comparison, let count):
    return Int.condition(.compare(comparison, count), on: column.count)
  case .measure(.min, let comparison, let value):
    return C.StoredElement.Unwrapped.condition(
      .compare(comparison, value), onOptional: column.min)
  case .measure(.max, let comparison, let value):
    return C.StoredElement.Unwrapped.condition(
      .compare(comparison, value), onOptional: column.max)
  case .measure(let measure, let comparison, let value):
    return C.StoredElement.Unwrapped.condition(measure, comparison, value, of: column)
  case .compare, .within, .isNil, .text, .search, .target, .targets: return nil
  }
}

private func missing<N, V: OrderedStorable>(
  _ column: QueryColumn<N, V>, _ isAsked: inout Bool
) -> QueryCondition<N> {
  isAsked = false
  return column == column
}

extension Array: SwarmValue where Element: SwarmScalar {
  static var swarmKind: Kind { .array(Element.swarmKind) }
  init(swarm value: Value) {
    guard case .list(let values) = value else { preconditionFailure("\(value) is no list.") }
    self = values.map { Element(swarm: $0) }
  }
  var swarm: Value { .list(map(\.swarm)) }
  static func condition<N>(
    _ test: FieldTest, on column: QueryColumn<N, Self>
  ) -> QueryCondition<N>? {
    switch test {
    case .compare(.equal, let value): column == Self(swarm: value)
    case .compare(.notEqual, let value): column != Self(swarm: value)
    default: Swarm.condition(test, column)
    }
  }
}

extension Set: SwarmValue where Element: SwarmScalar {
  static var swarmKind: Kind { .set(Element.swarmKind) }
  init(swarm value: Value) {
    guard case .list(let values) = value else { preconditionFailure("\(value) is no list.") }
    self = Set(values.map { Element(swarm: $0) })
  }
  var swarm: Value {
    .list(map(\.swarm).sorted { $0.order(to: $1) < 0 })
  }
  static func condition<N>(
    _ test: FieldTest, on column: QueryColumn<N, Self>
  ) -> QueryCondition<N>? {
    Swarm.condition(test, column)
  }
}

extension Dictionary: SwarmValue where Key == String, Value: SwarmScalar {
  static var swarmKind: Kind { .dictionary(Value.swarmKind) }
  init(swarm value: Swarm.Value) {
    guard case .list(let pairs) = value else { preconditionFailure("\(value) is no dictionary.") }
    self = Dictionary(
      pairs.map { pair in
        guard case .parts(let parts) = pair else { preconditionFailure("\(pair) is no pair.") }
        return (String(swarm: parts[0]), Value(swarm: parts[1]))
      }, uniquingKeysWith: { first, _ in first })
  }
  var swarm: Swarm.Value {
    let pairs = map { Swarm.Value.parts([$0.key.swarm, $0.value.swarm]) }
    return .list(pairs.sorted { $0.order(to: $1) < 0 })
  }
  static func condition<N>(
    _ test: FieldTest, on column: QueryColumn<N, Self>
  ) -> QueryCondition<N>? {
    Swarm.condition(test, column)
  }
}
