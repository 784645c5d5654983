import LMDB

/// One consistent view of the store, lent to the closure of a read.
///
/// Later commits do not show in it. It holds on to its version until the closure
/// returns, so keep it short.
public struct ReadTransaction: ~Copyable {
  let base: LMDB.ReadTransaction
  let catalog: Catalog
  /// The model of the last query, which is most often the next one's.
  private var lastTable: Table?
  /// The key that is asked for.
  private var probe = _ByteBuffer()
  /// Rows of other layouts.
  private let arena = RowArena()

  init(_ base: consuming LMDB.ReadTransaction, _ catalog: Catalog) {
    self.base = base
    self.catalog = catalog
  }

  private mutating func table(of schema: Schema) throws(StoreError) -> Table {
    if let lastTable, lastTable.schema === schema { return lastTable }
    let table = try catalog.table(of: schema)
    lastTable = table
    return table
  }
}

extension ReadTransaction: ReadableTransaction {
  /// Lends the row of a key to a closure, if there is one.
  public mutating func _withRow<M: Model>(
    of model: M.Type, _ key: M.PrimaryKey, _ body: (inout _RowDecoder) throws -> Void
  ) throws {
    try StoreError.mapping {
      let table = try table(of: M._schema.erased)
      probe.count = 0
      key.appendKey(to: &probe)
      // Safety: the probe does not change while the row is lent.
      try unsafe table.withRow(probe.bytes, in: base, arena, body)
    }
  }

  /// Counts a query's objects; see ``ReadableTransaction``.
  public mutating func count<M: Model>(_ query: Query<M>) throws -> Int {
    try StoreError.mapping {
      let table = try table(of: M._schema.erased)
      return try QueryRun(Plan(query.core, table, catalog, for: .count, in: base)).count(in: base)
    }
  }

  /// Tells how a query would be run; see ``ReadableTransaction``.
  public mutating func explain<M: Model>(_ query: Query<M>) throws -> QueryExplanation {
    try StoreError.mapping {
      let table = try catalog.table(of: M._schema.erased)
      return try Plan(query.core, table, catalog, in: base).withEstimate(in: base).explanation
    }
  }

  /// Lends each row of a query's result to a closure as bytes; it returns false to stop.
  public mutating func _forEachRow<M: Model>(
    _ query: Query<M>, _ body: (_RowReference) throws -> Bool
  ) throws {
    try StoreError.mapping {
      let table = try catalog.table(of: M._schema.erased)
      try QueryRun(Plan(query.core, table, catalog, in: base)).forEach(in: base) { row in
        try body(_RowReference(view: row, layout: table.layout))
      }
    }
  }

  /// Lends each row of a query's result to a closure, which returns false to stop.
  public mutating func _forEachMatch<M: Model>(
    _ query: Query<M>, _ body: (inout _RowDecoder) throws -> Bool
  ) throws {
    try StoreError.mapping {
      let table = try table(of: M._schema.erased)
      try QueryRun(Plan(query.core, table, catalog, in: base)).forEachDecoded(in: base, body)
    }
  }
}
