import LMDB

/// Updates the catalog to a program's schemas in one commit, with the rows and indexes that it changes.
struct SchemaUpdate {
  let reader: CatalogReader
  /// The program's migrations.
  var migrations: [Migration] = []
  /// How many objects a new index may have to be built in the same commit, where others may follow.
  var limits = IndexBuildLimits()
  /// Makes the sinks of a transaction beside those of observers and the log.
  var makeSinks: @Sendable () -> [any ChangeSink] = { [] }

  private var schemas: [Schema] { reader.schemas }

  /// The update that an open store makes, which was migrated already.
  var withoutMigrations: SchemaUpdate {
    SchemaUpdate(reader: reader, limits: limits, makeSinks: makeSinks)
  }

  /// Updates the catalog: migrates rows, builds and removes indexes.
  ///
  /// - Parameters:
  ///   - transaction: The transaction to write in, which must be aborted if this throws.
  ///   - defersBuilds: Whether new indexes over many objects are left to ``IndexBuilder``.
  ///   - progress: Is called as objects are migrated.
  /// - Returns: The catalog and the header that belongs to it.
  /// - Throws: As ``CatalogReader/read(_:_:)``; what a migration throws; ``IndexBuilder/IndexClash`` if an
  ///   index that the program does not declare cannot be rebuilt, after which
  ///   ``IndexBuilder/abandon(_:_:)`` must be called.
  func apply(
    to transaction: inout LMDB.WriteTransaction, defersBuilds: Bool = false,
    progress: (MigrationProgress) -> Void = { _ in }
  ) throws -> (Catalog, StoreHeader) {
    if let catalog = try reader.read(transaction, migrations), catalog.isComplete {
      return (catalog, try StoreHeader(in: catalog.meta, transaction, path: reader.path))
    }
    var stored = try StoredCatalog(creatingIn: &transaction, path: reader.path)
    var (plans, ids) = try plan(&stored, &transaction)
    let unchecked = defersBuilds ? deferBuilds(of: &plans, &stored) : []
    var builder = CatalogBuilder(stored, isWriting: true)
    for plan in plans { try prepare(plan.diff, &transaction) }
    var moved: Set<Int> = []
    let sinks = plans.contains(where: \.isPending) ? makeSinks() : []
    for plan in plans {
      let model = try builder.add(plan.diff, transaction)
      if unchecked.contains(model.id) {
        try model.checkRows(for: model.indexes.filter(\.isBuilding), in: transaction)
      }
      if try fill(model, plan, &transaction, sinks, progress) { moved.insert(model.id) }
    }
    while let entry = builder.nextReferrer(among: stored.entries) {
      let diff = try reader.undeclared(entry, in: stored, ids, transaction)
      stored.replace(diff.entry)
      _ = try builder.add(diff, transaction)
    }
    stored.header.generation += 1
    // Migrated objects count as a commit without a record in the log.
    if plans.contains(where: \.isPending) { stored.header.sequence += 1 }
    for sink in sinks { try sink.finish(stored.header.sequence, in: &transaction) }
    try stored.write(to: &transaction)
    let catalog = builder.catalog(stored)
    try catalog.checkReferences(after: plans.map(\.diff), moved: moved, transaction)
    return (catalog, stored.header)
  }

  /// Takes one step towards a catalog that fits the program and has all its indexes.
  ///
  /// The first step updates the catalog; each later one writes some entries of an index that is being
  /// built, by this program or another.
  ///
  /// - Parameters:
  ///   - transaction: The transaction to write in, which must be aborted if this throws.
  ///   - progress: Is called as objects are migrated.
  /// - Returns: The catalog after the step; more steps follow while an index is being built.
  /// - Throws: As ``apply(to:defersBuilds:progress:)`` and ``IndexBuilder/step(_:_:)``.
  func advance(
    _ transaction: inout LMDB.WriteTransaction, progress: (MigrationProgress) -> Void = { _ in }
  ) throws -> Catalog {
    guard let catalog = try reader.read(transaction, migrations), catalog.isComplete else {
      return try apply(to: &transaction, defersBuilds: true, progress: progress).0
    }
    return try IndexBuilder(reader: reader, limits: limits).step(catalog, &transaction)
  }

  /// Plans each model's change, with a new entry for a model that the store lacks.
  ///
  /// - Returns: The plans in the order of the models, and the numbers of all models by name.
  private func plan(
    _ stored: inout StoredCatalog, _ transaction: inout LMDB.WriteTransaction
  ) throws -> (plans: [MigrationPlan], ids: [String: Int]) {
    var found: [CatalogEntry] = []
    for (schema, entry) in zip(schemas, try stored.entries(of: schemas)) {
      let entry = entry ?? CatalogEntry(name: schema.name, id: stored.nextTree)
      if entry.fields.isEmpty { _ = try transaction.openDatabase(named: entry.treeName) }
      stored.replace(entry)
      found.append(entry)
    }
    let ids = stored.ids(of: schemas, found)
    var plans: [MigrationPlan] = []
    for (schema, entry) in zip(schemas, found) {
      var plan = try reader.plan(entry, schema, in: stored, ids, migrations, transaction)
      if plan.isPending { plan.writeRows(to: stored.nextTree) }
      plan.forgetLayoutsWithoutRows()
      stored.replace(plan.diff.entry)
      plans.append(plan)
    }
    return (plans, ids)
  }

  /// Leaves new indexes over many objects to later transactions.
  ///
  /// A unique index is left only where nothing but indexes changes: when two objects turn out to have one
  /// value, the opening fails, and an earlier program must find the catalog unchanged. Where more
  /// changes, the rows are read once beforehand, for the same reason: one that cannot be read would
  /// stop a later step, when the other changes are committed.
  ///
  /// - Returns: The numbers of the models whose rows must be checked before anything is committed.
  private func deferBuilds(
    of plans: inout [MigrationPlan], _ stored: inout StoredCatalog
  ) -> Set<Int> {
    let addIndexesOnly = plans.allSatisfy { !$0.isPending && $0.diff.addsIndexesOnly }
    var unchecked: Set<Int> = []
    for place in plans.indices where !plans[place].isPending {
      guard plans[place].diff.context.rowCount > limits.mostAtOnce else { continue }
      plans[place].deferBuilds(includingUnique: addIndexesOnly)
      let entry = plans[place].diff.entry
      stored.replace(entry)
      if !addIndexesOnly, entry.indexes.contains(where: \.isBuilding) { unchecked.insert(entry.id) }
    }
    return unchecked
  }

  /// Whether a mismatch is one of declarations, and not of objects alone.
  ///
  /// Objects alone fail a migration, which made their values, and a unique index that was complete and
  /// whose functions compute other values than before.
  func isMismatchOfDeclarations(
    _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> Bool {
    guard let stored = try StoredCatalog(transaction, path: reader.path) else { return false }
    do {
      let found = try stored.entries(of: schemas)
      let ids = stored.ids(of: schemas, found)
      for (schema, entry) in zip(schemas, found) {
        guard let entry else { continue }
        let plan = try reader.plan(entry, schema, in: stored, ids, migrations, transaction)
        let rebuilt = entry.indexes.contains { $0.isUnique && plan.diff.builds.contains($0.id) }
        if plan.isPending || rebuilt { return false }
      }
      return true
    } catch StoreError.schemaMismatch {
      return true
    }
  }

  /// Creates the trees that a change needs, and empties those of removed and rebuilt indexes.
  private func prepare(
    _ diff: SchemaDiff, _ transaction: inout LMDB.WriteTransaction
  ) throws {
    _ = try transaction.openDatabase(named: diff.entry.treeName)
    for id in diff.builds + diff.drops {
      let tree = try transaction.openDatabase(named: CatalogEntry.treeName(ofIndex: id))
      try transaction.empty(tree)
    }
  }

  /// Migrates a model's rows if a migration is pending, and builds its new indexes.
  ///
  /// - Returns: Whether an object was deleted or has another key.
  private func fill(
    _ model: Table, _ plan: MigrationPlan, _ transaction: inout LMDB.WriteTransaction,
    _ sinks: [any ChangeSink], _ progress: (MigrationProgress) -> Void
  ) throws -> Bool {
    var hasMoved = false
    if plan.isPending, let old = try transaction.database(named: plan.diff.original.treeName) {
      let changes = ChangeStream(of: [model], observers: nil, others: sinks)
      hasMoved = try plan.run(from: old, to: model, &transaction, changes, progress)
    }
    for index in model.indexes
    where plan.diff.builds.contains(index.id) && !index.isBuilding {
      do {
        try model.build(index, in: &transaction)
      } catch let error as StoreError {
        let clash = IndexBuilder.IndexClash(
          index, of: model, error, isOutdated: plan.diff.outdated.contains(index.id))
        if clash.isOutdated, clash.error == nil, error.stopsIndexBuilds { throw clash }
        throw error.buildingUniqueIndex(isMigrating: plan.isPending)
      }
    }
    return hasMoved
  }
}

extension StoreError {
  /// The error for a violation that keeps a unique index from being built while a store is opened.
  ///
  /// It names the index and what to do before the store can be opened. Other errors do not change.
  ///
  /// - Parameter isMigrating: Whether the program's migrations made the objects' values.
  func buildingUniqueIndex(isMigrating: Bool) -> StoreError {
    guard case .uniqueViolation(let model, let fields, let key, let existing) = self else {
      return self
    }
    let names = fields.joined(separator: ", ")
    let clash =
      "its unique index over \(names) cannot be made: \(model) \(key) and \(model) \(existing) "
      + "have the same values; "
    let remedy =
      isMigrating
      ? "have the migration give one of them another value"
      : "open the store without that index and change one of them, or change it where the store is "
        + "opened: Store.open(at:models:migrations: [Migration(\"…\", \(model).self) { old, new in "
        + "new?.\(fields.first ?? "") = … }])"
    return .schemaMismatch(
      model: model, field: fields.count == 1 ? names : nil, reason: clash + remedy)
  }
}
