/// What became of a section.
public enum SectionEdit: Hashable, Sendable {
  /// It is gone; where it was.
  case delete(Int)
  /// It is new; where it is.
  case insert(Int)
}
