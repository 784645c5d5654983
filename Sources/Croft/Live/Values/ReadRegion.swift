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
