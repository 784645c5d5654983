/// What becomes of an object when one that it refers to is deleted.
public enum DeleteRule: String, Hashable, Sendable, Codable {
  /// The reference is taken away: nil, or out of the collection.
  case nullify
  /// The object is deleted too.
  case cascade
  /// The object referred to cannot be deleted.
  case deny
}
