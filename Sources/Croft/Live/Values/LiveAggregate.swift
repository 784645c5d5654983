/// An aggregate of a query, kept up to date by the rows that a commit changed.
///
/// A query that reads other rows, or has a limit, an offset or distinct values, is run again after each
/// commit that touches it.
final class LiveAggregate<Value: Sendable>: LiveComputation {
  private let core: QueryCore
  private let schema: Schema
  private let maker: AccumulatorMaker<Value>
  private let isIncremental: Bool
  private var accumulator: RowAccumulator<Value>
  /// Read the values of the maker's paths.
  private var readers: [ColumnReader] = []
  private var matcher: LiveQuery.RowMatcher?
  /// The last value that was handed out.
  private var value: Value?
  private(set) var sequence: UInt64 = 0
  private(set) var region = ReadRegion()

  init(_ core: QueryCore, _ schema: Schema, _ maker: AccumulatorMaker<Value>) {
    self.core = core.forAggregates
    self.schema = schema
    self.maker = maker
    isIncremental =
      self.core.readsOwnColumnsOnly && !core.isWindowed && maker.paths.allSatisfy(\.isOwn)
    accumulator = maker.make(.removable)
  }

  func run(in transaction: inout ReadTransaction, at sequence: UInt64) throws {
    let catalog = transaction.catalog
    let table = try catalog.table(of: schema)
    var region = ReadRegion()
    let reading = _RowReading(paths: maker.paths)
    try region.add(core, reading: reading, of: table, catalog, isTested: !isIncremental)
    readers = try reading.readers(table.layout, catalog)
    let fresh = maker.make(.removable)
    if let setCount = fresh.setCount {
      let plan = try Plan(core, table, catalog, for: .count, in: transaction.base)
      setCount(try QueryRun(plan).count(in: transaction.base))
    } else {
      let plan = try Plan(core, table, catalog, in: transaction.base)
      try QueryRun(plan).forEach(in: transaction.base) { row in
        let values = try readers.map { try $0.value(in: row, transaction.base) }
        try fresh.add(values[...], table.layout)
        return true
      }
    }
    matcher = isIncremental ? try LiveQuery.RowMatcher(core.condition, table, catalog) : nil
    accumulator = fresh
    self.region = region
    self.sequence = sequence
  }

  func apply(_ rows: [RowDelta]) throws -> LiveOutcome {
    guard let (wasSelected, isSelected) = try matcher?.selects(rows) else { return .needsRun }
    for (place, row) in rows.enumerated() {
      if let old = row.old, wasSelected[place] { try accumulator.remove(values(of: old)[...]) }
      if let new = row.new, isSelected[place] {
        try accumulator.add(values(of: new)[...], new.layout)
      }
    }
    return .changed
  }

  /// The values of a row that the accumulator adds or takes out.
  private func values(of row: StoredRow) throws -> [StoredValue] {
    try withExtendedLifetime(row) {
      try readers.map { try $0.value(in: row.view, MemoryTransaction()) }
    }
  }

  func newValue() throws -> (any Sendable)? {
    let new = try accumulator.value()
    if let value, maker.isSame(value, new) { return nil }
    value = new
    return Computed(value: new)
  }
}
