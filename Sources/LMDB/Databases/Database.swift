/// A named tree of keys and values inside an environment.
///
/// A database is a small value that stands for a tree of an environment: obtained once, it serves
/// every transaction that sees the tree. One that was created inside a
/// transaction is void when that transaction aborts; using it then throws
/// ``LMDBError/Code/badDatabase``, as does using it in another environment.
///
/// Threads: a value; it may be passed anywhere.
public struct Database: Sendable, Hashable {
  /// Where it stands in the environment's table.
  let place: UInt32
  /// Unique among all databases of this process, because places are used again.
  let serial: UInt32

  /// A database of no environment, for what only names one.
  ///
  /// Its use throws ``LMDBError/Code/badDatabase``.
  package static let nowhere = Database(place: .max, serial: 0)

  /// How a database orders its keys; fixed when it is created, and verified whenever it is opened.
  ///
  /// What else the C library can do with a tree, sorted duplicates above all, has no case here and
  /// so cannot be asked for.
  public enum KeyOrder: Sendable, Hashable {
    /// Keys are compared from their first byte to their last.
    case ascending
    /// Keys are compared from their last byte to their first; the C constant is `MDB_REVERSEKEY`.
    case reversed
  }
}
