/// The rows of a list at one time: an immutable collection that may make its rows when asked.
///
/// A store can hand over a result without decoding it: only the rows that are drawn
/// are ever made.
public struct ListRows<Element: Sendable>: RandomAccessCollection, Sendable {
  /// The number of rows.
  public let count: Int
  private let row: @Sendable (Int) -> Element
  /// Equal where the rows are the same ones.
  private let version: any Hashable & Sendable

  /// Makes rows of a collection, which is kept and asked for each row.
  ///
  /// - Parameters:
  ///   - rows: The collection.
  ///   - version: Names what the rows are: rows of equal versions are the same ones, so nobody
  ///     has to compare them. Nil where they have no such name; then copies of this value alone
  ///     are known to be the same.
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

  /// The row at an index; its cost is that of the collection it was made of.
  public subscript(index: Int) -> Element {
    precondition(indices.contains(index), "There are \(count) rows, and none at \(index).")
    return row(index)
  }
}

extension ListRows {
  /// Whether both are known to be the same rows.
  ///
  /// - Complexity: O(1): no row is looked at.
  func isVersion(of other: ListRows) -> Bool {
    AnyHashable(version) == AnyHashable(other.version)
  }
}

/// The version of rows that have no name for it.
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
