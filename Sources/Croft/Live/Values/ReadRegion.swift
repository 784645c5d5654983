/// The rows that a closure read, or looked for: by their keys, by conditions, or whole models.
///
/// A commit that changes no row of the region cannot change what the closure returns.
struct ReadRegion: Hashable, Sendable {
  /// The rows of a model for which a condition on their own columns holds.
  struct Selection: Hashable, Sendable {
    let condition: ConditionTree
    /// The columns that matter of a row that is selected before and after; nil for all.
    let columns: Set<Int>?
    /// Whether the rows are tested by the condition before the computation gets them.
    var isTested = true
  }

  /// What was read of one model.
  struct ModelPart: Hashable, Sendable {
    let schema: Schema
    /// Whether any change of the model matters; then the other members are empty.
    var isWhole = false
    var keys: Set<[UInt8]> = []
    var selections: Set<Selection> = []
  }

  /// By the model's number.
  private(set) var models: [Int: ModelPart] = [:]

  mutating func add(key: [UInt8], of table: Table) {
    change(table) { $0.keys.insert(key) }
  }

  /// Adds the rows that a query reads.
  ///
  /// - Parameter isTested: Whether rows are tested by the query's condition here; a computation
  ///   that tests the rows itself does without.
  mutating func add(
    _ query: QueryCore, reading: _RowReading, of table: Table, _ catalog: Catalog,
    isTested: Bool = true
  ) throws {
    guard query.readsOwnColumnsOnly, reading.paths.allSatisfy(\.isOwn) else {
      let models = try query.dependencies(table, catalog, reading: reading.paths)
      for table in catalog.all where models.contains(table.id) { add(whole: table) }
      return
    }
    let ordering = query.isWindowed ? query.order.map(\.path) : []
    let paths = (reading.paths + query.distinct + ordering).flatMap(\.columns)
    let read = reading.isWhole ? nil : Set(paths.map(\.place))
    let selection = Selection(condition: query.condition, columns: read, isTested: isTested)
    change(table) { $0.selections.insert(selection) }
  }

  mutating func add(whole table: Table) {
    models[table.id] = ModelPart(schema: table.schema, isWhole: true)
  }

  private mutating func change(_ table: Table, _ body: (inout ModelPart) -> Void) {
    var part = models.removeValue(forKey: table.id) ?? ModelPart(schema: table.schema)
    defer { models[table.id] = part }
    if part.isWhole { return }
    body(&part)
    guard part.keys.count + part.selections.count > Threshold.partsOfRegion.value else { return }
    CoverageMark.hit(.regionWidened)
    part = ModelPart(schema: table.schema, isWhole: true)
  }

  /// What the hub must capture of commits.
  var observed: ObservedRegion {
    var region = ObservedRegion()
    for (model, part) in models {
      if part.isWhole { region.keys.insert(model) } else { region.rows.insert(model) }
    }
    return region
  }
}

extension QueryCore {
  /// Whether offset, limit or distinct values leave out rows that match.
  var isWindowed: Bool { limit != nil || offset > 0 || !distinct.isEmpty }
}

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
