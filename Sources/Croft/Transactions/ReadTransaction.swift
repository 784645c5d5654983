import LMDB

/// One consistent view of the store, lent to the closure of a read.
///
/// Later commits do not show in it. It holds on to its version until the closure
/// returns, so keep it short.
public struct ReadTransaction: ~Copyable {
  let base: LMDB.ReadTransaction
  let catalog: Catalog

  init(_ base: consuming LMDB.ReadTransaction, _ catalog: Catalog) {
    self.base = base
    self.catalog = catalog
  }
}

extension ReadTransaction: ReadableTransaction {
  /// Finds one object by its primary key; see ``ReadableTransaction``.
  public mutating func get<M: Model>(_ model: M.Type, _ key: M.PrimaryKey) throws -> M? {
    try StoreError.mapping {
      let storage = try catalog.storage(of: M._schema.shape)
      return try storage.get(M.self, key, in: base)
    }
  }

  /// Counts a query's objects; see ``ReadableTransaction``.
  public mutating func count<M: Model>(_ query: Query<M>) throws -> Int {
    try StoreError.mapping {
      let storage = try catalog.storage(of: M._schema.shape)
      return try Plan(query.core, storage, catalog, for: .count, in: base).count(in: base)
    }
  }

  /// Lends each row of a query's result to a closure, which returns false to stop.
  public mutating func _forEachMatch<M: Model>(
    _ query: Query<M>, _ body: (inout _RowDecoder) throws -> Bool
  ) throws {
    try StoreError.mapping {
      let storage = try catalog.storage(of: M._schema.shape)
      try Plan(query.core, storage, catalog, in: base).forEachDecoded(in: base, body)
    }
  }
}
