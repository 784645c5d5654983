/// A named tree of keys and values inside an environment.
///
/// A database is a small value that names a tree of an environment: obtained once, it can be used in
/// every transaction that sees the tree. One that was created inside a transaction is void when that
/// transaction aborts; using it then throws ``LMDBError/Code/badDatabase``, as does using it in
/// another environment.
///
/// Keys are ordered by their bytes, from the first to the last. Other kinds of trees of the C library,
/// such as those of reversed keys or with sorted duplicates, are not supported.
///
/// Threads: any; it is a value.
public struct Database: Sendable, Hashable {
  /// Its index in the environment's table.
  let index: UInt32
  /// Unique among all databases of this process, because indexes are reused.
  let serial: UInt32
}
