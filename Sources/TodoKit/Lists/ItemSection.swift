/// A part of a list as screens show it; its raw value is the section's name in a list's changes.
public enum ItemSection: String, CaseIterable, Sendable {
  /// What is to be done.
  case open
  /// What has been done.
  case completed

  /// The section of items that are done, or of those that are open.
  public init(isDone: Bool) {
    self = isDone ? .completed : .open
  }
}
