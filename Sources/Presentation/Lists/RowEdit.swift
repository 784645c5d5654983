/// What became of a row.
public enum RowEdit: Hashable, Sendable {
  /// It is gone; where it was.
  case delete(at: ListIndexPath)
  /// It is new; where it is.
  case insert(at: ListIndexPath)
  /// It stands elsewhere; where it was and where it is, and whether its fields changed too.
  case move(from: ListIndexPath, to: ListIndexPath, isModified: Bool)
  /// It has other fields; where it was, and where that is now that others came and went.
  case update(at: ListIndexPath, now: ListIndexPath)
}
