/// The rows of a list at one time: an immutable collection that may make its rows when asked.
///
/// A store can hand over a result without decoding it: only the rows that are drawn
/// are ever made.
public struct ListRows<Element: Sendable>: RandomAccessCollection, Sendable {
  /// The number of rows.
  public let count: Int
  private let row: @Sendable (Int) -> Element

  /// Makes rows of a collection, which is kept and asked for each row.
  ///
  /// - Complexity: O(1).
  public init<Rows: RandomAccessCollection & Sendable>(_ rows: Rows)
  where Rows.Element == Element {
    count = rows.count
    row = { rows[rows.index(rows.startIndex, offsetBy: $0)] }
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

extension ListRows: Equatable where Element: Equatable {
  /// Whether both have equal rows in the same order.
  ///
  /// - Complexity: O(n).
  public static func == (first: ListRows, second: ListRows) -> Bool {
    first.elementsEqual(second)
  }
}
