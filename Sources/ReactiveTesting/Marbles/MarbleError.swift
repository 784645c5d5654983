/// What is wrong with a diagram, or with events that should become one.
public enum MarbleError: Error, Hashable, Sendable {
  /// The sign in this column stands for nothing.
  case unknownSign(Character, column: Int)
  /// The group that begins in this column is not closed, or holds silence or a group.
  case brokenGroup(column: Int)
  /// The sign in this column comes after the end.
  case afterTheEnd(column: Int)
  /// No sign stands for this element.
  case noSign(element: String)
  /// There is no column for this time: it is too early, between two, or taken.
  case noColumn(time: Int)
}

/// The error that a diagram sends unless another one was given.
public struct MarbleFailure: Error, Hashable, Sendable {
  /// Makes one; all are equal.
  public init() {}
}
