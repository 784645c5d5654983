/// The rows that a closure read, or looked for: by their keys, by conditions, or whole models.
///
/// A commit that changes no row of the region cannot change what the closure returns.
struct ReadRegion: Hashable, Sendable {
  /// The rows of a model for which a condition on their own columns holds.
  struct Selection: Hashable, Sendable {
    let condition: ConditionTree
    /// The columns that matter of a row that is selected before and after; nil for all.
    let columns: Set<Int>?
  }

  /// What was read of one model.
  struct ModelPart: Hashable, Sendable {
    let schema: Schema
    /// Whether any change of the model matters; then the other members are empty.
    var isWhole = false
    var keys: Set<[UInt8]> = []
    var selections: Set<Selection> = []

    static func == (left: Self, right: Self) -> Bool {
      left.schema === right.schema && left.isWhole == right.isWhole && left.keys == right.keys
        && left.selections == right.selections
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(schema))
      hasher.combine(isWhole)
      hasher.combine(keys)
      hasher.combine(selections)
    }
  }

  /// By the model's number.
  private(set) var models: [Int: ModelPart] = [:]

  /// Adds the row of a key.
  mutating func add(key: [UInt8], of table: Table) {
    change(table) { $0.keys.insert(key) }
  }

  /// Adds the rows that a query reads.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - columns: The columns that are read of its rows; nil for all.
  /// - Throws: ``StoreError/unknownModel(model:)`` where the query leads to a model that was not
  ///   opened.
  mutating func add(
    _ query: QueryCore, reading columns: Set<Int>?, of table: Table, _ catalog: Catalog
  ) throws {
    guard query.readsOwnColumnsOnly else {
      let models = try query.dependencies(table, catalog)
      for table in catalog.all where models.contains(table.id) { add(whole: table) }
      return
    }
    let ordering = query.isWindowed ? query.order.map(\.path.place) : []
    let read = columns.map { $0.union(query.distinct.map(\.place)).union(ordering) }
    change(table) { $0.selections.insert(Selection(condition: query.condition, columns: read)) }
  }

  /// Adds all rows of a model.
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
