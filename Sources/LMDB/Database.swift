/// A named tree of keys and values inside an environment.
///
/// A database is a small value that names a tree of an environment: obtained once, it can be used in
/// every transaction that sees the tree. One that was created inside a transaction is void when that
/// transaction aborts; using it then throws ``LMDBError/Code/badDatabase``, as does using it in
/// another environment.
///
/// Threads: any; it is a value.
public struct Database: Sendable, Hashable {
  /// Its index in the environment's table.
  let index: UInt32
  /// Unique among all databases of this process, because indexes are reused.
  let serial: UInt32

  /// A database of no environment, as a placeholder.
  ///
  /// Its use throws ``LMDBError/Code/badDatabase``.
  package static let nowhere = Database(index: .max, serial: 0)

  /// How a database orders its keys; fixed when it is created, and checked whenever it is opened.
  ///
  /// Other kinds of trees of the C library, such as those with sorted duplicates, are not supported.
  public enum KeyOrder: Sendable, Hashable {
    /// Keys are compared from their first byte to their last.
    case ascending
    /// Keys are compared from their last byte to their first; the C constant is `MDB_REVERSEKEY`.
    case reversed
  }
}
