/// A query's objects one after the other, a few in memory at a time; for results that are large.
///
/// ```swift
/// let cursor = try store.fetchCursor(TodoItem.all.order(by: \.title))
/// while let item = try cursor.next() { print(item.title) }
/// ```
/// It reads one version of the store, whatever is committed meanwhile, and so keeps a ``StoreSnapshot`` for
/// as long as it lives. In memory are the keys of the result, and the objects that come next.
///
/// Threads: one at a time.
public final class ResultCursor<M: Model> {
  /// How many objects are decoded at a time.
  private static var rowsAtOnce: Int { 64 }

  private let snapshot: StoreSnapshot
  private let keys: ByteList
  private var decoded = 0
  /// Those of them that come next.
  private var waiting: ArraySlice<M> = []

  init(_ query: Query<M>, in snapshot: StoreSnapshot) throws {
    self.snapshot = snapshot
    var keys = ByteList()
    try snapshot.read { try $0.readKeys(of: query, into: &keys) }
    self.keys = keys
  }

  /// How many objects the result has.
  public var count: Int { keys.count }

  /// The next object, in the query's order.
  ///
  /// - Returns: The object; nil after the last one.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` for a stored raw value without a
  ///   case; ``StoreError/corrupt(model:key:reason:)``; ``StoreError/readersFull(reason:)``.
  /// - Complexity: O(log *n*).
  public func next() throws -> M? {
    if waiting.isEmpty, decoded < keys.count {
      let places = decoded..<min(keys.count, decoded + Self.rowsAtOnce)
      waiting = try snapshot.read { try $0.objects(of: keys, places) }[...]
      decoded = places.upperBound
    }
    return waiting.popFirst()
  }
}

extension StoreSnapshot {
  /// Finds a query's objects, to be decoded one after the other.
  ///
  /// - Returns: What gives the objects, and keeps the snapshot.
  /// - Throws: ``StoreError`` as for `fetch`.
  /// - Complexity: The same as for `fetch`, without making objects.
  public func fetchCursor<M: Model>(_ query: Query<M>) throws -> ResultCursor<M> {
    try ResultCursor(query, in: self)
  }
}

extension Store {
  /// Finds a query's objects as they are now, to be decoded one after the other.
  ///
  /// - Throws: ``StoreError`` as for `fetch`; ``StoreError/readersFull(reason:)``.
  /// - Complexity: The same as for `fetch`, without making objects.
  public func fetchCursor<M: Model>(_ query: Query<M>) throws -> ResultCursor<M> {
    try snapshot(named: "cursor").fetchCursor(query)
  }
}
