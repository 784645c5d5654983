/// What a put does about a key that exists.
public enum PutMode: Sendable {
  /// Writes the row whether or not the key exists.
  case upsert
  /// Writes only when the key does not exist; the C constant is `MDB_NOOVERWRITE`.
  case insert
  /// Writes only past the last key, and throws otherwise; the C constant is `MDB_APPEND`.
  case append
}
