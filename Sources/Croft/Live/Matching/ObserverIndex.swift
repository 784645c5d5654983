/// Finds the live queries of one model that a changed row may concern.
///
/// Of each query's conjuncts on single columns one is entered: a list of values, or a range.
/// A row is looked up with its old and its new values of the columns that queries are entered by.
/// So a commit does not cost more because there are queries that it does not touch. A query without
/// such a conjunct, or with conditions on elements of collections only, hears of every change.
///
/// Confined to the queue that drives it.
struct ObserverIndex {
  /// How many queries rows were handed to, for tests.
  private(set) var found = 0
  /// The queries by the columns that they are entered by.
  private var columns: [Int: ObserverColumn] = [:]
  /// The queries that hear of every change.
  private var general: Set<Int> = []
  /// The columns, by the query.
  private var entered: [Int: Int] = [:]

  /// All queries.
  var all: [Int] { (Array(general) + entered.keys).sorted() }
  var isEmpty: Bool { general.isEmpty && entered.isEmpty }

  /// Enters a query by a number that is in use by no other.
  mutating func insert(_ id: Int, _ query: QueryCore, _ schema: Schema) {
    guard query.readsOwnFieldsOnly, let place = ObserverPlace(query.condition.conjuncts, schema)
    else {
      general.insert(id)
      return
    }
    entered[id] = place.column
    columns[place.column, default: ObserverColumn()].insert(id, place)
  }

  /// Removes a query.
  mutating func remove(_ id: Int) {
    general.remove(id)
    guard let column = entered.removeValue(forKey: id) else { return }
    columns[column]?.remove(id)
    if columns[column]?.isEmpty ?? false { columns[column] = nil }
  }

  /// The queries that changes may concern, each with the places of those changes, ascending.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for a row whose ends lie.
  /// - Complexity: O(log *n*) for each change and column among *n* queries, and what is found.
  mutating func observers(of changes: [RowDelta]) throws -> [Int: [Int]] {
    var places: [Int: [Int]] = [:]
    for (place, change) in changes.enumerated() {
      for id in try observers(of: change) { places[id, default: []].append(place) }
    }
    return places
  }

  /// The queries that a change may concern, each once.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for a row whose ends lie.
  mutating func observers(of change: RowDelta) throws -> Set<Int> {
    var ids = general
    if change.isOldKnown {
      for column in columns.keys {
        try columns[column]?.collect(change, column, into: &ids)
      }
    } else {
      ids.formUnion(entered.keys)
    }
    found += ids.count
    return ids
  }
}

/// Where a query is entered: a column, and the key codes that it can have in the query's rows.
struct ObserverPlace {
  enum Codes {
    case values([[UInt8]])
    /// From the first code on, and before the second; nil leaves a side open.
    case range(lower: [UInt8], upper: [UInt8]?)
  }

  let column: Int
  let codes: Codes

  /// The conjunct that says most; nil where none is about one column of single values.
  init?(_ conjuncts: [Expression], _ schema: Schema) {
    let places = Set(conjuncts.compactMap(\.column)).filter {
      $0 < schema.columns.count && schema.columns[$0].storage.collection == nil
    }
    var best: (rank: Int, place: ObserverPlace)?
    for column in places.sorted() {
      let constraint = ColumnConstraint(
        conjuncts, IndexColumn(place: column), schema.columns[column], cut: nil)
      guard let (rank, codes) = Self.codes(of: constraint) else { continue }
      if best.map({ rank < $0.rank }) ?? true { best = (rank, ObserverPlace(column, codes)) }
    }
    guard let best else { return nil }
    self = best.place
  }

  private init(_ column: Int, _ codes: Codes) {
    self.column = column
    self.codes = codes
  }

  /// What a constraint says, and how much: few values say most, a range open on one side least.
  private static func codes(of constraint: ColumnConstraint) -> (rank: Int, codes: Codes)? {
    if let codes = constraint.codes { return (codes.count, .values(codes)) }
    guard constraint.hasRange else { return nil }
    let isClosed = constraint.lower != nil && constraint.upper != nil
    return (
      isClosed ? 1_000 : 1_000_000,
      .range(lower: constraint.lower ?? [], upper: constraint.upper)
    )
  }
}

extension Expression {
  /// The column of the model itself that a conjunct is about.
  fileprivate var column: Int? {
    switch self {
    case .not(.isNil(let path)): path.isColumn(path.place) ? path.place : nil
    default: path.flatMap { $0.isColumn($0.place) ? $0.place : nil }
    }
  }
}
