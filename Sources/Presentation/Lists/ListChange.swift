/// A list before and after a change, and the indices of the rows that changed.
///
/// All index lists ascend without duplicates. Removing `deletions` and the moved rows
/// from `before`, and putting in `insertions` and the moved rows at their new
/// indices, in ascending order, gives `after`.
///
/// With sections, rows are in the order of the sections, and each section has a name of
/// its own.
public struct ListChange<Element: Sendable>: Sendable {
  /// A row that has moved.
  public struct Move: Hashable, Sendable {
    /// Its index before.
    public let from: Int
    /// Its index after.
    public let to: Int
    /// Whether its fields changed too.
    public let isModified: Bool

    /// Makes a move.
    public init(from: Int, to: Int, isModified: Bool = false) {
      self.from = from
      self.to = to
      self.isModified = isModified
    }
  }

  /// The list before.
  public let before: SectionedRows<Element>
  /// The list after.
  public let after: SectionedRows<Element>
  /// The rows that were deleted, by their indices before.
  public let deletions: [Int]
  /// The rows that were inserted, by their indices after.
  public let insertions: [Int]
  /// The rows that kept their position and have other fields, by their indices before.
  public let modifications: [Int]
  /// The same rows in the same order, by their indices after.
  public let modificationsAfter: [Int]
  /// The rows that have moved, ascending by their index after; in neither of the first two lists.
  public let moves: [Move]
  /// Whether this is the first state of the list, which has no list before it.
  public private(set) var isInitial = false

  /// Makes a change from one list to the next.
  public init(
    before: SectionedRows<Element>, after: SectionedRows<Element>, deletions: [Int] = [],
    insertions: [Int] = [], modifications: [Int] = [], modificationsAfter: [Int] = [],
    moves: [Move] = []
  ) {
    self.before = before
    self.after = after
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
    self.modificationsAfter = modificationsAfter
    self.moves = moves
  }

  /// Makes the first change of a list, which contains its current state.
  public init(initial after: SectionedRows<Element>) {
    self.init(before: SectionedRows([]), after: after)
    isInitial = true
  }
}
