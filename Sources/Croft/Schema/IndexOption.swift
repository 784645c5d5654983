/// What an index does beside keeping values in order.
public enum IndexOption: Hashable, Sendable {
  /// No two objects may have the same value; nil clashes with nothing.
  case unique
  /// Greater values come first.
  case descending
  /// Texts are entered with their case folded, for conditions that ignore it.
  case caseFolded
}

/// The options of one column of an index.
struct IndexOptions: Hashable, Sendable {
  var isUnique = false
  var isDescending = false
  var isCaseFolded = false

  init() {}

  init(_ options: [IndexOption]) {
    isUnique = options.contains(.unique)
    isDescending = options.contains(.descending)
    isCaseFolded = options.contains(.caseFolded)
  }
}
