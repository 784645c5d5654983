import LMDB

extension WriteTransaction: ReadableTransaction {
  /// Lends the row of a key to a closure, if there is one.
  public mutating func _withRow<M: Model>(
    of model: M.Type, _ key: M.PrimaryKey, _ body: (inout _RecordDecoder) throws -> Void
  ) throws {
    do {
      let table = try table(of: M._schema.erased)
      probe.count = 0
      key.appendKey(to: &probe)
      // Safety: the probe does not change while the row is lent.
      try unsafe table.withRow(probe.bytes, in: base, context.arena, body)
    } catch { throw failing(error) }
  }

  /// Counts a query's objects; see ``ReadableTransaction``.
  public mutating func count<M: Model>(_ query: Query<M>) throws -> Int {
    do {
      let table = try table(of: M._schema.erased)
      return try QueryRun(plan(query.core, table, for: .count)).count(in: base)
    } catch { throw failing(error) }
  }

  /// Tells how a query would be run; see ``ReadableTransaction``.
  public mutating func explain<M: Model>(_ query: Query<M>) throws -> QueryExplanation {
    do {
      let table = try table(of: M._schema.erased)
      return try plan(query.core, table).withEstimate(in: base).explanation
    } catch { throw failing(error) }
  }

  /// Lends each row of a query's result to a closure as bytes; it returns false to stop.
  public mutating func _forEachRow<M: Model>(
    _ query: Query<M>, _ body: (_RowReference) throws -> Bool
  ) throws {
    do {
      let table = try table(of: M._schema.erased)
      try QueryRun(plan(query.core, table)).forEach(in: base) { row in
        try body(_RowReference(view: row, layout: table.layout))
      }
    } catch { throw failing(error) }
  }

  /// Lends each row of a query's result to a closure, which returns false to stop.
  public mutating func _forEachMatch<M: Model>(
    _ query: Query<M>, _ body: (inout _RecordDecoder) throws -> Bool
  ) throws {
    do {
      let table = try table(of: M._schema.erased)
      try QueryRun(plan(query.core, table)).forEachDecoded(in: base, body)
    } catch { throw failing(error) }
  }

  /// Chooses a query's plan, and applies the buffered changes of the indexes that it reads.
  ///
  /// The choice is made before that, so buffered changes may influence it, but never the result.
  mutating func plan(
    _ query: QueryCore, _ table: Table, for purpose: Plan.Purpose = .rows
  ) throws -> Plan {
    var plan = try Plan(query, table, catalog, for: purpose, in: base)
    for index in try plan.indexes() { try flush(index) }
    // They were counted before the buffers were applied.
    plan.rows = nil
    return plan
  }

  /// Applies an index's buffered changes, so that its tree can be read.
  mutating func flush(_ index: TableIndex) throws {
    try context.indexes[index.slot].flush(to: &base)
  }
}
