/// An aggregate of a query, kept up to date by the rows that a commit changed.
///
/// A query that reads other rows, or has a limit, an offset or distinct values, is run again after each
/// commit that touches it.
final class LiveAggregate<Value: Sendable>: LiveComputation {
  private let target: any ValueObserver<Value>
  private let core: QueryCore
  private let schema: Schema
  private let maker: AccumulatorMaker<Value>
  private let isIncremental: Bool
  private var accumulator: RowAccumulator<Value>
  /// Read the values of the maker's paths.
  private var readers: [ColumnReader] = []
  private var matcher: LiveQuery.RowMatcher?
  /// The last value that the observer got or skipped.
  private var value: Value?
  private var isChanged = false
  private(set) var sequence: UInt64 = 0
  private(set) var region = ReadRegion()

  /// Makes an aggregate that has not been run.
  ///
  /// - Parameters:
  ///   - target: The observer.
  ///   - core: The query.
  ///   - schema: The model that is queried.
  ///   - maker: Makes what adds up the rows.
  init(
    for target: any ValueObserver<Value>, _ core: QueryCore, _ schema: Schema,
    _ maker: AccumulatorMaker<Value>
  ) {
    self.target = target
    self.core = core.forAggregates
    self.schema = schema
    self.maker = maker
    isIncremental =
      self.core.readsOwnColumnsOnly && !core.isWindowed && maker.paths.allSatisfy(\.isOwn)
    accumulator = maker.make()
  }

  var observer: any LiveObserver { target }

  func run(
    in transaction: inout ReadTransaction, at sequence: UInt64, isSkipped: Bool
  ) throws {
    let catalog = transaction.catalog
    let table = try catalog.table(of: schema)
    var region = ReadRegion()
    let reading = _RowReading(paths: maker.paths)
    try region.add(core, reading: reading, of: table, catalog)
    readers = try reading.readers(table.layout, catalog)
    let fresh = maker.make()
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
    if isSkipped { try skip() }
  }

  func apply(_ rows: [RowDelta], isSkipped: Bool) throws -> LiveQuery.Outcome {
    guard let matcher,
      rows.allSatisfy({ $0.isOldKnown && matcher.reads($0.old) && matcher.reads($0.new) })
    else { return .needsRun }
    let wasSelected = try matcher.selects(rows.map(\.old))
    let isSelected = try matcher.selects(rows.map(\.new))
    for (place, row) in rows.enumerated() {
      if let old = row.old, wasSelected[place] { try accumulator.remove(values(of: old)[...]) }
      if let new = row.new, isSelected[place] {
        try accumulator.add(values(of: new)[...], new.layout)
      }
    }
    if isSkipped { try skip() }
    return .changed
  }

  /// The values of a row that the accumulator adds or takes out.
  private func values(of row: StoredRow) throws -> [StoredValue] {
    try withExtendedLifetime(row) {
      try readers.map { try $0.value(in: row.view, MemoryTransaction()) }
    }
  }

  /// Lets the observer skip the difference to the value that it got last.
  private func skip() throws {
    guard let before = value else { return }
    let after = try accumulator.value()
    target.skip(from: before, to: after)
    (value, isChanged) = (after, true)
  }

  func publish(_ sequence: UInt64) throws {
    let new = try accumulator.value()
    if !isChanged, let value, maker.isSame(value, new) { return }
    (value, isChanged) = (new, false)
    target.update(new, max(sequence, self.sequence))
  }
}

extension AccumulatorMaker {
  /// Makes an accumulator for each value of some columns or expressions.
  ///
  /// - Parameters:
  ///   - key: The columns and expressions.
  ///   - makers: The accumulators of each group.
  static func groups<Key: Sendable, each V: Sendable>(
    by key: ResultKey<Key>, _ makers: repeat AccumulatorMaker<each V>
  ) -> Self where Value == [ResultGroup<Key, (repeat each V)>] {
    var paths = key.paths
    for maker in repeat each makers { paths += maker.paths }
    let makers = (repeat each makers)
    return AccumulatorMaker(paths: paths) { left, right in
      guard left.count == right.count else { return false }
      for (left, right) in zip(left, right) {
        guard key.isSame(left.key, right.key) else { return false }
        for (maker, left, right) in repeat (each makers, each left.values, each right.values) {
          guard maker.isSame(left, right) else { return false }
        }
      }
      return true
    } make: {
      let groups = LiveGroups<Key, repeat each V>(by: key, repeat each makers)
      return RowAccumulator(
        add: { try groups.add($0, $1) }, remove: { try groups.remove($0) },
        value: { try groups.value() })
    }
  }
}

/// The groups of a live aggregate: an accumulator of each kind for each value of a key.
///
/// Confined to its computation.
private final class LiveGroups<Key: Sendable, each V: Sendable> {
  private let key: ResultKey<Key>
  private let makers: (repeat AccumulatorMaker<each V>)
  /// By the key's code.
  private var groups:
    [[UInt8]: (count: Int, key: Key, accumulators: (repeat RowAccumulator<each V>))] = [:]
  /// The finished groups, as far as they did not change since.
  private var finished: [[UInt8]: ResultGroup<Key, (repeat each V)>] = [:]
  /// The codes, ascending; nil after a group came or went.
  private var order: [[UInt8]]?

  init(by key: ResultKey<Key>, _ makers: repeat AccumulatorMaker<each V>) {
    self.key = key
    self.makers = (repeat each makers)
  }

  func add(_ values: ArraySlice<StoredValue>, _ layout: RecordLayout) throws {
    let own = values.prefix(key.paths.count)
    let code = key.code(of: own)
    finished[code] = nil
    let known = groups[code]
    let accumulators = known?.accumulators ?? (repeat (each makers).make())
    var next = own.endIndex
    for (maker, accumulator) in repeat (each makers, each accumulators) {
      let end = next + maker.paths.count
      try accumulator.add(values[next..<end], layout)
      next = end
    }
    if known != nil {
      groups[code]?.count += 1
    } else {
      groups[code] = (1, try key.key(of: own, layout), accumulators)
      order = nil
    }
  }

  func remove(_ values: ArraySlice<StoredValue>) throws {
    let own = values.prefix(key.paths.count)
    let code = key.code(of: own)
    finished[code] = nil
    guard let group = groups[code] else { return }
    guard group.count > 1 else {
      groups[code] = nil
      order = nil
      return
    }
    var next = own.endIndex
    for (maker, accumulator) in repeat (each makers, each group.accumulators) {
      let end = next + maker.paths.count
      try accumulator.remove(values[next..<end])
      next = end
    }
    groups[code]?.count -= 1
  }

  /// The groups by their keys, ascending.
  ///
  /// - Complexity: O(*g*) for *g* groups, and O(*g* log *g*) after a group came or went.
  func value() throws -> [ResultGroup<Key, (repeat each V)>] {
    let codes: [[UInt8]]
    if let order {
      codes = order
    } else {
      codes = groups.keys.sorted { $0.lexicographicallyPrecedes($1) }
      order = codes
    }
    var result: [ResultGroup<Key, (repeat each V)>] = []
    result.reserveCapacity(codes.count)
    for code in codes {
      if let known = finished[code] {
        result.append(known)
      } else if let group = groups[code] {
        let new = ResultGroup(
          key: group.key, values: (repeat try (each group.accumulators).value()))
        finished[code] = new
        result.append(new)
      }
    }
    return result
  }
}
