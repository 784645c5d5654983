/// A run of rows of a list that belong together.
public struct ListSection: Hashable, Sendable {
  /// What tells it from the list's other sections, such as a heading.
  public let name: String
  /// The number of its rows; more than 0.
  public let count: Int

  /// Makes a section of so many rows.
  public init(name: String, count: Int) {
    self.name = name
    self.count = count
  }
}
