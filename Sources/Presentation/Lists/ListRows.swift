/// The rows of a list at one time: an immutable collection that may decode rows on access.
///
/// A store can pass on a result without decoding it: only the rows that are drawn are decoded.
public struct ListRows<Element: Sendable>: RandomAccessCollection, Sendable {
  /// The number of rows.
  public let count: Int
  private let row: @Sendable (Int) -> Element
  /// Equal versions mean equal rows.
  private let version: any Hashable & Sendable

  /// Makes rows that read each row from a collection on access.
  ///
  /// - Parameters:
  ///   - rows: The collection.
  ///   - version: A value that differs for different rows, so that rows of equal versions need not
  ///     be compared. With nil, only copies of this value are known to be equal.
  /// - Complexity: O(1).
  public init<Rows: RandomAccessCollection & Sendable>(
    _ rows: Rows, version: (any Hashable & Sendable)? = nil
  ) where Rows.Element == Element {
    count = rows.count
    row = { rows[rows.index(rows.startIndex, offsetBy: $0)] }
    self.version = version ?? UniqueVersion()
  }

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of rows.
  public var endIndex: Int { count }

  /// The row at an index, at the cost of the collection that was passed in.
  public subscript(index: Int) -> Element {
    precondition(indices.contains(index), "There are \(count) rows, and none at \(index).")
    return row(index)
  }

  /// Whether both are known to have equal rows.
  ///
  /// - Complexity: O(1): no row is read.
  func isVersion(of other: ListRows) -> Bool {
    AnyHashable(version) == AnyHashable(other.version)
  }
}

/// The version of rows that were made without one.
private final class UniqueVersion: Hashable, Sendable {
  static func == (first: UniqueVersion, second: UniqueVersion) -> Bool { first === second }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ListRows: Equatable where Element: Equatable {
  /// Whether both have equal rows in the same order.
  ///
  /// - Complexity: O(n).
  public static func == (first: ListRows, second: ListRows) -> Bool {
    first.elementsEqual(second)
  }
}
