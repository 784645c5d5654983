import Foundation
import TestSupport
@_spi(_Unicode) import Swift

@testable import Croft

// Values that find mistakes: edges, near misses, and bytes that mean something to a key.

extension SeededGenerator {
  private static let texts = [
    "\0", "\u{1}", "\u{7F}", "\u{80}", "a", "b", "e", "\u{301}", "\u{323}", "\u{327}", "é", "þ",
    "ÿ",
    "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "할", "\u{1112}", "\u{1161}", "\u{11AF}", "Å", "\u{212B}",
  ]
  private static let bytes: [UInt8] = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF, 0x61]

  /// A short text, in which zeroes, combining marks and their compositions abound.
  mutating func text(longest: Int = 4) -> String {
    (0..<below(longest + 1)).map { _ in pick(Self.texts) }.joined()
  }

  /// A text: mostly short; sometimes around a key's limits, or past a page.
  mutating func anyText() -> String {
    guard oneIn(8) else { return text() }
    let count = pick([285, 291, 292, 293, 509, 511, 5_000])
    let start = String(repeating: pick(["x", "é", "\0"]), count: count - 3)
    return start.prefix(count) + text(longest: 3)
  }

  mutating func data(longest: Int = 4) -> [UInt8] {
    (0..<below(longest + 1)).map { _ in pick(Self.bytes) }
  }

  mutating func signed() -> Int64 {
    switch below(4) {
    case 0: pick([.min, .min + 1, -1, 0, 1, .max - 1, .max])
    case 1: Int64(below(7)) - 3
    case 2: Int64(bitPattern: next())
    default: Int64(bitPattern: next()) >> Int64(below(64))
    }
  }

  mutating func unsigned() -> UInt64 {
    switch below(3) {
    case 0: pick([0, 1, 0x7F, 0x80, 0xFF, 1 << 63 - 1, 1 << 63, .max - 1, .max])
    case 1: UInt64(below(7))
    default: next() >> UInt64(below(64))
    }
  }

  mutating func real() -> Double {
    switch below(4) {
    case 0:
      pick([
        0, -0.0, .infinity, -.infinity, .nan, -.nan, Double(bitPattern: 0x7FF0_0000_0000_0001),
        .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude,
      ])
    case 1: Double(below(7)) - 3
    case 2: Double(bitPattern: next())
    default: Double(below(1000)) / 8 - 60
    }
  }

  mutating func decimal() -> Decimal {
    if oneIn(10) { return pick([.nan, 0, .greatestFiniteMagnitude, .leastNonzeroMagnitude]) }
    let digits = Decimal(unsigned()) * (oneIn(4) ? Decimal(unsigned()) : 1)
    return Decimal(
      sign: oneIn(2) ? .plus : .minus, exponent: below(oneIn(4) ? 80 : 6) - 3, significand: digits)
  }

  mutating func uuid() -> UUID {
    func edge(_ random: inout Self) -> UInt64 { random.oneIn(2) ? random.unsigned() : 0 }
    return UUID(words: (edge(&self), edge(&self)))
  }

  /// Nil in one of four cases, else what the closure makes.
  mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
    oneIn(4) ? nil : make(&self)
  }

  /// A value of a kind, as conditions hold it.
  mutating func value(of storage: StorageType) -> StoredValue {
    if storage.isOptional, oneIn(4) { return .none }
    return switch storage.kind {
    case .bool: .bool(oneIn(2))
    case .int8: .int(Int64(Int8(truncatingIfNeeded: signed())))
    case .int16: .int(Int64(Int16(truncatingIfNeeded: signed())))
    case .int32: .int(Int64(Int32(truncatingIfNeeded: signed())))
    case .int64: .int(signed())
    case .uint8: .uint(UInt64(UInt8(truncatingIfNeeded: unsigned())))
    case .uint16: .uint(UInt64(UInt16(truncatingIfNeeded: unsigned())))
    case .uint32: .uint(UInt64(UInt32(truncatingIfNeeded: unsigned())))
    case .uint64: .uint(unsigned())
    case .float: .double(Double(Float(real())))
    case .double: .double(real())
    case .date: .date(real())
    case .uuid: uuid().stored
    case .string: .string(text())
    case .data, .coded: .data(data())
    case .decimal: .decimal(decimal())
    case .compound: compound(of: storage.parts.kinds)
    }
  }
}

extension SeededGenerator {
  /// A compound key's code.
  private mutating func compound(of kinds: [StorageType.Kind]) -> StoredValue {
    var code = _ByteBuffer()
    for kind in kinds {
      value(of: StorageType(kind)).appendKey(kind: kind, to: &code, cut: nil)
    }
    return .data([UInt8](code.bytes))
  }
}

extension StorageType {
  /// A type of a kind; for a compound key one of four parts.
  init(example kind: Kind) {
    if kind == .compound {
      self.init(keyOf: [.int8, .string, .uuid, .data].map { StorageType($0) })
    } else {
      self.init(kind)
    }
  }
}

extension StoredValue {
  /// The order in which Croft sorts, by Swift's comparisons: nil first, NaN last.
  ///
  /// - Returns: Negative, zero or positive.
  func order(to other: StoredValue) -> Int {
    func compare<C: Comparable>(_ left: C, _ right: C) -> Int {
      left == right ? 0 : left < right ? -1 : 1
    }
    switch (self, other) {
    case (.none, .none): return 0
    case (.none, _): return -1
    case (_, .none): return 1
    case (.bool(let left), .bool(let right)): return compare(left ? 1 : 0, right ? 1 : 0)
    case (.int(let left), .int(let right)): return compare(left, right)
    case (.uint(let left), .uint(let right)): return compare(left, right)
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
      if left.isNaN || right.isNaN { return compare(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) }
      return compare(left, right)
    case (.uuid(let leftHigh, let leftLow), .uuid(let rightHigh, let rightLow)):
      return leftHigh == rightHigh ? compare(leftLow, rightLow) : compare(leftHigh, rightHigh)
    case (.string(let left), .string(let right)):
      // Equal as in Swift; but Swift's `<` is no order where a text is not normalised.
      if left == right { return 0 }
      return left._nfc.lexicographicallyPrecedes(right._nfc) ? -1 : 1
    case (.data(let left), .data(let right)):
      if left == right { return 0 }
      return left.lexicographicallyPrecedes(right) ? -1 : 1
    case (.decimal(let left), .decimal(let right)):
      if left.isNaN || right.isNaN { return compare(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) }
      return compare(left, right)
    default: preconditionFailure("Values of one column are of one kind.")
    }
  }
}
