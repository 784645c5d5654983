/// What an upsert did.
public enum UpsertResult: Hashable, Sendable {
  /// There was no object with this key.
  case inserted
  /// The object was replaced; the properties that differ, in declaration order.
  case updated(changed: [String])
  /// The object was there already, equal in every property.
  case unchanged
}
