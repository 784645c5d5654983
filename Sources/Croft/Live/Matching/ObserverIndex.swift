/// Finds the live queries of one model that a changed row may match.
///
/// Each query is indexed by one of its conjuncts on a single column: a list of values, or a range.
/// A row is looked up by its old and its new values of the indexed columns. So the cost of a commit
/// does not depend on queries that it does not concern. A query without such a conjunct, or with
/// conditions on elements of collections only, is found for every row.
///
/// Confined to the hub's queue.
struct ObserverIndex {
  /// How many queries were found for rows, for tests.
  private(set) var found = 0
  /// The indexed queries, by column.
  private var columns: [Int: ObserverColumn] = [:]
  /// The queries that are found for every row.
  private var general: Set<Int> = []
  /// The column that each query is indexed by.
  private var indexed: [Int: Int] = [:]

  var isEmpty: Bool { general.isEmpty && indexed.isEmpty }

  /// Adds a query under a number that no other query has.
  mutating func insert(_ id: Int, _ query: QueryCore, _ schema: Schema) {
    guard query.readsOwnColumnsOnly, let place = ObserverPlace(query.condition.conjuncts, schema)
    else {
      general.insert(id)
      return
    }
    indexed[id] = place.column
    columns[place.column, default: ObserverColumn()].insert(id, place)
  }

  mutating func remove(_ id: Int) {
    general.remove(id)
    guard let column = indexed.removeValue(forKey: id) else { return }
    columns[column]?.remove(id)
    if columns[column]?.isEmpty ?? false { columns[column] = nil }
  }

  /// The queries that some rows may match, each with the places of these rows, ascending.
  ///
  /// - Complexity: O(log *n*) for each row and column among *n* queries, and what is found.
  mutating func observers(of rows: [RowDelta]) throws -> [Int: [Int]] {
    var places: [Int: [Int]] = [:]
    for (place, row) in rows.enumerated() {
      for id in try observers(of: row) { places[id, default: []].append(place) }
    }
    return places
  }

  /// The queries that a row may match, each once.
  mutating func observers(of row: RowDelta) throws -> Set<Int> {
    var ids = general
    if row.isOldKnown {
      for column in columns.keys {
        try columns[column]?.collect(row, column, into: &ids)
      }
    } else {
      ids.formUnion(indexed.keys)
    }
    found += ids.count
    return ids
  }
}

/// The place of a query in the index: a column, and the key codes that it has in matching rows.
struct ObserverPlace {
  enum Codes {
    case values([[UInt8]])
    /// From the first code, up to but not including the second; nil for no upper end.
    case range(lower: [UInt8], upper: [UInt8]?)
  }

  let column: Int
  let codes: Codes

  /// The most selective conjunct; nil where none is on one column of single values.
  init?(_ conjuncts: [ConditionTree], _ schema: Schema) {
    let places = Set(conjuncts.compactMap(\.column)).filter {
      $0 < schema.columns.count && schema.columns[$0].storage.collection == nil
    }
    var best: (rank: Int, place: ObserverPlace)?
    for column in places.sorted() {
      let constraint = CandidateBounds.ColumnConstraint(
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

  /// A constraint's codes, and its rank: few values are most selective, a half-open range least.
  private static func codes(of constraint: CandidateBounds.ColumnConstraint) -> (
    rank: Int, codes: Codes
  )? {
    if let codes = constraint.codes { return (codes.count, .values(codes)) }
    guard constraint.hasRange else { return nil }
    let isClosed = constraint.lower != nil && constraint.upper != nil
    return (
      isClosed ? 1_000 : 1_000_000,
      .range(lower: constraint.lower ?? [], upper: constraint.upper)
    )
  }
}

extension ConditionTree {
  /// The column of the model itself that a conjunct is on.
  fileprivate var column: Int? {
    switch self {
    case .not(.isNil(let path)): path.ownPlace
    default: path?.ownPlace
    }
  }
}

/// The live queries that are indexed by one column.
private struct ObserverColumn {
  private var byValue: [[UInt8]: Set<Int>] = [:]
  private var ranges = ObserverRanges()
  /// The place of each query.
  private var places: [Int: ObserverPlace] = [:]

  var isEmpty: Bool { places.isEmpty }

  mutating func insert(_ id: Int, _ place: ObserverPlace) {
    places[id] = place
    switch place.codes {
    case .values(let codes): for code in codes { byValue[code, default: []].insert(id) }
    case .range(let lower, let upper): ranges.insert(id, lower, upper)
    }
  }

  mutating func remove(_ id: Int) {
    guard let place = places.removeValue(forKey: id) else { return }
    switch place.codes {
    case .values(let codes):
      for code in codes {
        byValue[code]?.remove(id)
        if byValue[code]?.isEmpty ?? false { byValue[code] = nil }
      }
    case .range: ranges.remove(id)
    }
  }

  /// Adds the queries that match the old or the new value of a row.
  mutating func collect(_ row: RowDelta, _ column: Int, into ids: inout Set<Int>) throws {
    let old = try row.old?.code(of: column)
    let new = try row.new?.code(of: column)
    if let old { collect(old, into: &ids) }
    if let new, new != old { collect(new, into: &ids) }
  }

  private mutating func collect(_ code: [UInt8], into ids: inout Set<Int>) {
    if let found = byValue[code] { ids.formUnion(found) }
    ranges.collect(code, into: &ids)
  }
}

extension StoredRow {
  /// The key code of a column.
  fileprivate func code(of column: Int) throws -> [UInt8] {
    var code = _ByteBuffer()
    try withExtendedLifetime(self) {
      try code.appendCode(of: layout.columns[column], in: view, layout: layout, cut: nil)
    }
    return code.copied
  }
}

/// An interval tree: finds the ranges of key codes that contain a code.
///
/// The ranges are sorted by their lower ends, as an implicit balanced tree in which each node has
/// the greatest upper end of its subtree. The tree is built by the first search after a change.
private struct ObserverRanges {
  private struct Entry {
    let id: Int
    let lower: [UInt8]
    /// The first code after the range; nil for no upper end.
    let upper: [UInt8]?
    /// The greatest upper end of the subtree; nil where a range has none.
    var greatest: [UInt8]?
  }

  private var entries: [Entry] = []
  private var isSorted = true
  /// The queries whose ranges were removed but are still among the entries.
  private var removed: Set<Int> = []

  mutating func insert(_ id: Int, _ lower: [UInt8], _ upper: [UInt8]?) {
    if removed.contains(id) { deleteRemoved() }
    entries.append(Entry(id: id, lower: lower, upper: upper, greatest: upper))
    isSorted = false
  }

  mutating func remove(_ id: Int) {
    removed.insert(id)
    if removed.count * 2 > entries.count { deleteRemoved() }
  }

  private mutating func deleteRemoved() {
    entries.removeAll { removed.contains($0.id) }
    removed = []
    isSorted = false
  }

  /// Adds the queries whose ranges contain a code.
  ///
  /// - Complexity: O(log *n*) and O(log *n*) for each range found, once the ranges are sorted.
  mutating func collect(_ code: [UInt8], into ids: inout Set<Int>) {
    if !isSorted {
      entries.sort { $0.lower.lexicographicallyPrecedes($1.lower) }
      _ = setGreatest(0..<entries.count)
      isSorted = true
    }
    collect(code, 0..<entries.count, &ids)
  }

  private func collect(_ code: [UInt8], _ part: Range<Int>, _ ids: inout Set<Int>) {
    guard !part.isEmpty else { return }
    let middle = (part.lowerBound + part.upperBound) / 2
    let entry = entries[middle]
    // All ranges of the subtree end before the code.
    if let greatest = entry.greatest, !code.lexicographicallyPrecedes(greatest) { return }
    collect(code, part.lowerBound..<middle, &ids)
    if code.lexicographicallyPrecedes(entry.lower) { return }
    let isInside = entry.upper.map { code.lexicographicallyPrecedes($0) } ?? true
    if isInside, !removed.contains(entry.id) { ids.insert(entry.id) }
    collect(code, middle + 1..<part.upperBound, &ids)
  }

  /// Sets the greatest upper ends of a subtree.
  ///
  /// - Returns: The greatest upper end: an inner nil for none, and nil for an empty subtree.
  private mutating func setGreatest(_ part: Range<Int>) -> [UInt8]?? {
    guard !part.isEmpty else { return nil }
    let middle = (part.lowerBound + part.upperBound) / 2
    var greatest = entries[middle].upper
    for inner in [part.lowerBound..<middle, middle + 1..<part.upperBound] {
      guard let other = setGreatest(inner) else { continue }
      guard let known = greatest, let other else {
        greatest = nil
        continue
      }
      if known.lexicographicallyPrecedes(other) { greatest = other }
    }
    entries[middle].greatest = greatest
    return .some(greatest)
  }
}

// MARK: - Regions

/// Finds the computations whose regions a commit touches.
///
/// A commit costs one look by model, one by key for each row, and one in an ``ObserverIndex``, whatever
/// the number of computations. Only the rows that it finds are tested by the regions' conditions.
///
/// Confined to the hub's queue.
struct RegionIndex {
  /// What was read of one model, by all computations.
  private struct ModelIndex {
    var whole: Set<Int> = []
    var byKey: [[UInt8]: Set<Int>] = [:]
    /// Finds selections by their numbers.
    var selections = ObserverIndex()
    /// The computations with a part of the model.
    var all: Set<Int> = []
  }

  /// A selection of one computation.
  private final class SelectionTest {
    let computation: Int
    private let selection: ReadRegion.Selection
    private let schema: Schema
    private var matcher: LiveQuery.RowMatcher?

    init(_ computation: Int, _ selection: ReadRegion.Selection, _ schema: Schema) {
      self.computation = computation
      self.selection = selection
      self.schema = schema
    }

    /// The places of the rows whose change can matter.
    func touched(
      _ rows: [RowDelta], _ places: [Int], _ catalog: Catalog
    ) throws -> [Int] {
      if !selection.isTested { return places }
      let matcher = try matcher(catalog)
      let deltas = places.map { rows[$0] }
      guard let (wasSelected, isSelected) = try matcher.selects(deltas) else { return places }
      return deltas.indices.filter { place in
        guard wasSelected[place], isSelected[place], let columns = selection.columns,
          let old = deltas[place].old, let new = deltas[place].new
        else { return wasSelected[place] || isSelected[place] }
        return old.differs(from: new, in: columns)
      }.map { places[$0] }
    }

    private func matcher(_ catalog: Catalog) throws -> LiveQuery.RowMatcher {
      let table = try catalog.table(of: schema)
      if let matcher, matcher.isOf(table) { return matcher }
      let new = try LiveQuery.RowMatcher(selection.condition, table, catalog)
      matcher = new
      return new
    }
  }

  private var models: [Int: ModelIndex] = [:]
  private var tests: [Int: SelectionTest] = [:]
  /// The region of each computation, and the numbers of its selections by model.
  private var regions: [Int: (region: ReadRegion, selections: [Int: [Int]])] = [:]
  private var lastNumber = 0

  func region(of computation: Int) -> ReadRegion? { regions[computation]?.region }

  mutating func set(_ region: ReadRegion, of computation: Int) {
    remove(computation)
    var selections: [Int: [Int]] = [:]
    for (number, part) in region.models {
      var model = models.removeValue(forKey: number) ?? ModelIndex()
      defer { models[number] = model }
      model.all.insert(computation)
      if part.isWhole { model.whole.insert(computation) }
      for key in part.keys { model.byKey[key, default: []].insert(computation) }
      for selection in part.selections {
        lastNumber += 1
        selections[number, default: []].append(lastNumber)
        tests[lastNumber] = SelectionTest(computation, selection, part.schema)
        var query = QueryCore()
        query.condition = selection.condition
        model.selections.insert(lastNumber, query, part.schema)
      }
    }
    regions[computation] = (region, selections)
  }

  mutating func remove(_ computation: Int) {
    guard let (region, selections) = regions.removeValue(forKey: computation) else { return }
    for (number, part) in region.models {
      guard var model = models.removeValue(forKey: number) else { continue }
      model.all.remove(computation)
      model.whole.remove(computation)
      for key in part.keys {
        model.byKey[key]?.remove(computation)
        if model.byKey[key]?.isEmpty == true { model.byKey[key] = nil }
      }
      for selection in selections[number] ?? [] {
        model.selections.remove(selection)
        tests[selection] = nil
      }
      if !model.all.isEmpty { models[number] = model }
    }
  }

  /// The computations that changes of a model touch.
  ///
  /// - Returns: For each computation, the places of the rows that matter, ascending; nil where it must
  ///   run again whatever the rows are.
  mutating func touched(
    by table: TableDelta, of number: Int, _ catalog: Catalog
  ) -> [Int: [Int]?] {
    guard let model = models[number] else { return [:] }
    guard case .rows(let rows) = table else {
      return Dictionary(uniqueKeysWithValues: model.all.map { ($0, nil) })
    }
    var touched: [Int: [Int]?] = Dictionary(uniqueKeysWithValues: model.whole.map { ($0, nil) })
    func add(_ places: [Int], to computation: Int) {
      guard let known = touched[computation] else {
        touched[computation] = places
        return
      }
      guard let known else { return }
      touched[computation] = Set(known).union(places).sorted()
    }
    if !model.byKey.isEmpty {
      for (place, row) in rows.enumerated() {
        for computation in model.byKey[row.key] ?? [] { add([place], to: computation) }
      }
    }
    do {
      for (selection, places) in try models[number]?.selections.observers(of: rows) ?? [:] {
        guard let test = tests[selection] else { continue }
        let found = try test.touched(rows, places, catalog)
        if !found.isEmpty { add(found, to: test.computation) }
      }
      return touched
    } catch {
      // A row that cannot be tested may be in every region; who reads it fails with the error.
      return Dictionary(uniqueKeysWithValues: model.all.map { ($0, nil) })
    }
  }
}
