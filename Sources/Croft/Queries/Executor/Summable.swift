/// A number that a query can sum.
///
/// Integers of every width sum to `Int` or `UInt`, Float and Double to `Double`: the sum of narrow
/// integers need not fit their own width.
public protocol Summable: OrderedStorable {
  /// The type of the sum.
  associatedtype Sum: OrderedStorable
  /// The sum, or nil where it does not fit.
  static func _sum(of total: _SummableTotal) -> Sum?
  /// The average, or nil of nothing.
  static func _average(of total: _SummableTotal) -> Double?
}

extension Summable {
  /// The average of the numbers.
  public static func _average(of total: _SummableTotal) -> Double? { total.average }
}

extension Summable where Self: SignedInteger {
  /// The sum as an Int.
  public static func _sum(of total: _SummableTotal) -> Int? { Int(exactly: total.integers) }
}

extension Summable where Self: UnsignedInteger {
  /// The sum as a UInt.
  public static func _sum(of total: _SummableTotal) -> UInt? { UInt(exactly: total.integers) }
}

extension Summable where Self: BinaryFloatingPoint {
  /// The sum as a Double.
  public static func _sum(of total: _SummableTotal) -> Double? { total.reals }
}

/// The sum and count of the values so far.
public struct _SummableTotal: Sendable {
  private(set) var integers: Int128 = 0
  private var exact = ExactSum()
  /// How many values there were; nil is none.
  private(set) var count = 0

  init() {}

  /// The sum of the floating point numbers, rounded once, whatever their order.
  var reals: Double { exact.value }

  mutating func add(_ value: StoredValue) {
    switch value {
    // The sum of 2⁶³ values of 64 bits fits.
    case .int(let value): integers += Int128(value)
    case .uint(let value): integers += Int128(value)
    case .double(let value): exact.add(value)
    default: return
    }
    count += 1
  }

  mutating func remove(_ value: StoredValue) {
    switch value {
    case .int(let value): integers -= Int128(value)
    case .uint(let value): integers -= Int128(value)
    case .double(let value): exact.remove(value)
    default: return
    }
    count -= 1
  }

  /// The average, or nil of nothing.
  var average: Double? { count == 0 ? nil : (reals + Double(integers)) / Double(count) }
}
