/// The position of a row in a list with sections.
public struct ListIndexPath: Hashable, Sendable {
  /// The section, counted from 0.
  public let section: Int
  /// The row within the section, counted from 0.
  public let row: Int

  /// Makes the position of a row in a section.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }
}

extension ListIndexPath: Comparable {
  /// Whether the first position comes before the second.
  public static func < (first: ListIndexPath, second: ListIndexPath) -> Bool {
    (first.section, first.row) < (second.section, second.row)
  }
}

extension ListIndexPath: CustomStringConvertible {
  /// The position as text, such as `1.0`.
  public var description: String { "\(section).\(row)" }
}
