import Foundation

/// A value of a property, as the twin keeps it: plain, and with an order of its own.
package indirect enum Value: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case real(Double)
  /// Seconds since the reference date.
  case date(Double)
  case text(String)
  case bytes([UInt8])
  case uuid([UInt8])
  case decimal(String)
  /// The elements of an array, of a set in order, or of a dictionary, each a pair of key and value.
  case list([Value])
  /// The parts of a compound key, or the properties of a struct.
  case parts([Value])
}

extension Value {
  var isNaN: Bool {
    switch self {
    case .real(let number), .date(let number): number.isNaN
    default: false
    }
  }

  /// Whether it is NaN, or a collection that holds NaN.
  var hasNaN: Bool {
    if case .list(let elements) = self { elements.contains(where: \.hasNaN) } else { isNaN }
  }

  /// The text as its order sees it: in normal form C.
  private static func order(of text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    if bytes.allSatisfy({ $0 < 0x80 }) { return bytes }
    return Array(text.precomposedStringWithCanonicalMapping.utf8)
  }

  /// Negative, zero or positive: nil is first, NaN last, -0 and 0 are one.
  func order(to other: Value) -> Int {
    switch (self, other) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
    case (.int(let left), .int(let right)): return Self.sign(left, right)
    case (.uint(let left), .uint(let right)): return Self.sign(left, right)
    case (.real(let left), .real(let right)), (.date(let left), .date(let right)):
      if left.isNaN || right.isNaN { return (left.isNaN ? 1 : 0) - (right.isNaN ? 1 : 0) }
      return Self.sign(left, right)
    case (.text(let left), .text(let right)):
      if left == right { return 0 }
      return Self.order(Self.order(of: left), Self.order(of: right))
    case (.bytes(let left), .bytes(let right)), (.uuid(let left), .uuid(let right)):
      return Self.order(left, right)
    case (.decimal(let left), .decimal(let right)):
      let (left, right) = (Self.number(left), Self.number(right))
      if left.isNaN || right.isNaN { return (left.isNaN ? 1 : 0) - (right.isNaN ? 1 : 0) }
      return Self.sign(left, right)
    case (.list(let left), .list(let right)), (.parts(let left), .parts(let right)):
      for (one, two) in zip(left, right) {
        let order = one.order(to: two)
        if order != 0 { return order }
      }
      return left.count - right.count
    default: preconditionFailure("Values of one field are of one kind: \(self), \(other).")
    }
  }

  private static func sign<C: Comparable>(_ left: C, _ right: C) -> Int {
    left == right ? 0 : left < right ? -1 : 1
  }

  private static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
    if left == right { return 0 }
    return left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  static func number(_ text: String) -> Decimal {
    text == "NaN" ? .nan : Decimal(string: text) ?? 0
  }

  /// Whether a query's `==` finds the value: NaN equals nothing, as in Swift.
  func equals(_ other: Value) -> Bool {
    if self == .null || other == .null { return self == .null && other == .null }
    if isNaN || other.isNaN { return false }
    switch (self, other) {
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.equals($1) }
    default: return order(to: other) == 0
    }
  }

  /// Whether two values read the same: as equal, with NaN equal to itself.
  func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.null, _), (_, .null): false
    case (.list(let left), .list(let right)), (.parts(let left), .parts(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    default: order(to: other) == 0
    }
  }

  /// What two values that are one to an index or a set have in common.
  var identity: Value {
    switch self {
    case .real(let number): .real(number.isNaN ? .nan : number == 0 ? 0 : number)
    case .date(let number): .date(number.isNaN ? .nan : number == 0 ? 0 : number)
    case .text(let text): .text(text.precomposedStringWithCanonicalMapping)
    case .decimal(let text): .decimal("\(Self.number(text))")
    case .list(let list): .list(list.map(\.identity))
    case .parts(let parts): .parts(parts.map(\.identity))
    default: self
    }
  }
}

// NaN is itself here, so that values can be keys of the twin's dictionaries.
extension Value {
  /// Whether two values are one, NaN and NaN among them.
  package static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.real(let a), .real(let b)), (.date(let a), .date(let b)):
      a == b || a.isNaN && b.isNaN
    case (.text(let a), .text(let b)): a == b
    case (.bytes(let a), .bytes(let b)), (.uuid(let a), .uuid(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    case (.list(let a), .list(let b)), (.parts(let a), .parts(let b)): a == b
    default: false
    }
  }

  /// Hashes what makes two values one.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .uint(let value): hasher.combine(value)
    case .real(let value), .date(let value): hasher.combine(value.isNaN ? 1 : value)
    case .text(let value), .decimal(let value): hasher.combine(value)
    case .bytes(let value), .uuid(let value): hasher.combine(value)
    case .list(let value), .parts(let value): hasher.combine(value)
    }
  }
}
