/// An observer of values or of commits, as the hub calls it.
///
/// Threads: any.
protocol LiveObserver: AnyObject, Sendable {
  var number: Int { get }
  /// Why the observation ended, where it failed.
  var error: (any Error)? { get }
  /// Ends the observation, because the observed rows cannot be read.
  func fail(_ error: any Error)
  /// Ends the observation; ending it again does nothing.
  func end()
}

/// An observer of the values of one computation, or of several.
protocol ValueObserver: LiveObserver {
  /// Takes the values after a commit, one for each computation.
  func update(_ values: [any Sendable], _ sequence: UInt64)
}

/// An observer with what it observes.
enum ObserverEntry: Sendable {
  case values(any ValueObserver, [LiveSource])
  case commits(CommitObservation)

  var observer: any LiveObserver {
    switch self {
    case .values(let observer, _): observer
    case .commits(let observer): observer
    }
  }

  /// What the observer needs to know of commits.
  func region(in catalog: Catalog) throws -> ObservedRegion {
    switch self {
    case .values(_, let sources):
      return try sources.reduce(into: ObservedRegion()) { region, source in
        let own = try source.region(catalog)
        region.rows.formUnion(own.rows)
        region.keys.formUnion(own.keys)
      }
    case .commits: return ObservedRegion(isOfAll: true)
    }
  }
}

/// The part of the store that one observer depends on.
struct ObservedRegion: Sendable {
  /// The models whose changed rows it needs, by their numbers.
  var rows: Set<Int> = []
  /// The models of which it needs to know only that they changed.
  var keys: Set<Int> = []
  /// Whether it needs the changed rows of all models.
  var isOfAll = false
}

/// The regions of all observers, counted.
struct ObservedRegions: Sendable {
  private var rows: [Int: Int] = [:]
  private var keys: [Int: Int] = [:]
  private var ofAll = 0

  /// How much must be captured of a model's changes.
  func detail(of model: Int) -> ChangeDetail {
    if ofAll > 0 || rows[model] != nil { return .rows }
    return keys[model] == nil ? .nothing : .keys
  }

  mutating func add(_ region: ObservedRegion) {
    for model in region.rows { rows[model, default: 0] += 1 }
    for model in region.keys { keys[model, default: 0] += 1 }
    if region.isOfAll { ofAll += 1 }
  }

  mutating func remove(_ region: ObservedRegion) {
    for model in region.rows { rows[model] = rows[model].flatMap { $0 > 1 ? $0 - 1 : nil } }
    for model in region.keys { keys[model] = keys[model].flatMap { $0 > 1 ? $0 - 1 : nil } }
    if region.isOfAll { ofAll -= 1 }
  }
}

// What a query depends on.

extension QueryCore {
  /// Whether the result depends on the own columns of the model's rows alone.
  var readsOwnColumnsOnly: Bool {
    condition.readsOwnColumnsOnly && order.allSatisfy { $0.path.isOwn }
      && distinct.allSatisfy(\.isOwn)
  }

  /// What an observer of the query needs to know of commits.
  func region(of schema: Schema, _ catalog: Catalog) throws -> ObservedRegion {
    let table = try catalog.table(of: schema)
    if readsOwnColumnsOnly { return ObservedRegion(rows: [table.id]) }
    return ObservedRegion(keys: try dependencies(table, catalog))
  }

  /// The numbers of the models whose rows the result depends on.
  ///
  /// - Throws: ``StoreError/unknownModel(model:)`` where the store was opened without one of them.
  func dependencies(
    _ table: Table, _ catalog: Catalog, reading paths: [ColumnPath] = []
  ) throws -> Set<Int> {
    var models: Set<Int> = [table.id]
    try condition.collectModels(from: table.schema, catalog, into: &models)
    for path in order.map(\.path) + distinct + paths {
      try path.collectModels(from: table.schema, catalog, into: &models)
    }
    return models
  }
}

extension ColumnPath {
  /// Whether the value is a column of the row, or computed from such.
  var isOwn: Bool {
    relevance == nil && columns.allSatisfy { $0.links.isEmpty && $0.measure?.source == nil }
  }

  /// Adds the models that the path leads through; the one whose column it ends in.
  @discardableResult
  fileprivate func collectModels(
    from schema: Schema, _ catalog: Catalog, into models: inout Set<Int>
  ) throws -> Schema {
    if computed != nil {
      for path in columns { try path.collectModels(from: schema, catalog, into: &models) }
      return schema
    }
    var schema = schema
    for link in links {
      guard let reference = schema.columns[link].reference else { break }
      schema = reference.target()
      models.insert(try catalog.table(of: schema).id)
    }
    if let source = measure?.source { models.insert(try catalog.table(of: source.schema).id) }
    return schema
  }
}

extension ConditionTree {
  fileprivate var readsOwnColumnsOnly: Bool {
    switch self {
    case .constant, .search, .tooDeep: true
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _):
      path.isOwn
    case .columns(let left, _, let right): left.isOwn && right.isOwn
    case .any(let path, let condition): path.isOwn && condition.readsOwnColumnsOnly
    case .referred: false
    case .and(let terms), .or(let terms): terms.allSatisfy(\.readsOwnColumnsOnly)
    case .not(let term): term.readsOwnColumnsOnly
    }
  }

  /// Adds the models that a condition on rows of a model reads.
  fileprivate func collectModels(
    from schema: Schema, _ catalog: Catalog, into models: inout Set<Int>
  ) throws {
    switch self {
    case .constant, .search, .tooDeep: break
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _):
      try path.collectModels(from: schema, catalog, into: &models)
    case .columns(let left, _, let right):
      try left.collectModels(from: schema, catalog, into: &models)
      try right.collectModels(from: schema, catalog, into: &models)
    case .any(let path, let condition):
      let end = try path.collectModels(from: schema, catalog, into: &models)
      try condition.collectElementModels(of: end.columns[path.place], catalog, into: &models)
    case .referred(let link, let condition):
      models.insert(try catalog.table(of: link.schema).id)
      try condition.collectModels(from: link.schema, catalog, into: &models)
    case .and(let terms), .or(let terms):
      for term in terms { try term.collectModels(from: schema, catalog, into: &models) }
    case .not(let term): try term.collectModels(from: schema, catalog, into: &models)
    }
  }

  /// Adds the models that a condition on elements reads; only references lead to any.
  private func collectElementModels(
    of column: ColumnDefinition, _ catalog: Catalog, into models: inout Set<Int>
  ) throws {
    if readsOwnColumnsOnly { return }
    guard let reference = column.reference else { return }
    let target = reference.target()
    models.insert(try catalog.table(of: target).id)
    try behindElement.collectModels(from: target, catalog, into: &models)
  }

  /// A condition on an element that is a reference, as a condition on the referenced object.
  private var behindElement: ConditionTree {
    switch self {
    case .and(let terms): .and(ConditionTree.Terms(terms.map(\.behindElement)))
    case .or(let terms): .or(ConditionTree.Terms(terms.map(\.behindElement)))
    case .not(let term): .not(term.behindElement)
    case .columns(let left, let comparison, let right):
      .columns(left.behindElementLink, comparison, right.behindElementLink)
    case .constant, .search, .referred, .tooDeep: self
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _),
      .any(let path, _):
      path.links.isEmpty ? .constant(true) : behindLink
    }
  }
}

extension ColumnPath {
  fileprivate var behindElementLink: ColumnPath { links.isEmpty ? self : behindLink }
}
