import LMDB

// The plan of a query by what a model declares, without a store to look into.

extension Plan {
  /// How many rows an outline takes the model to have: enough for an index to pay.
  private static let assumedRows = 100_000

  /// The plan that suits a large store best whose values are spread evenly; it cannot be run.
  init(outlining query: QueryCore, _ schema: Schema) {
    let table = Table(outlining: schema)
    let catalog = Catalog(
      meta: .nowhere, log: nil, generation: 0, models: [table], isComplete: true)
    let plans = Plan.all(query, table, catalog).map { plan in
      plan.guessed(of: Self.assumedRows)
    }
    // There is always the scan; the first of equals is the choice, as it is in a store.
    self = plans.min { $0.cost < $1.cost } ?? plans[0]
    // What was assumed is nobody's rows.
    rows = nil
  }
}

extension Plan.Access {
  /// How many rows the access may bring of so many.
  func guess(of total: Int) -> Int {
    switch self {
    case .nothing: 0
    case .keys(let codes): min(codes.count, total)
    case .rows(.all): total
    case .rows: total / 10
    case .index(_, [.all]): total
    case .index(let index, let ranges):
      min(ranges.reduce(0) { $0 + guess(of: total, in: $1, of: index) }, total)
    case .union(let members): min(members.reduce(0) { $0 + $1.guess(of: total) }, total)
    }
  }

  private func guess(of total: Int, in range: KeyRange, of index: TableIndex) -> Int {
    guard range.isPrefix else { return total / 10 }
    return index.isUnique ? 1 : total / 100
  }
}

extension Table {
  /// A model's place in no store: its columns and declared indexes, and no trees.
  fileprivate convenience init(outlining schema: Schema) {
    let layout = RowLayout(schema: schema, id: RowLayout.unregistered)
    self.init(
      id: 0, schema: schema, layout: layout, rows: .nowhere,
      indexes: schema.indexes.enumerated().map { slot, index in
        TableIndex(
          id: slot, slot: slot, columns: index.columns, isUnique: index.isUnique,
          entries: .nowhere, layout: layout)
      })
  }
}
