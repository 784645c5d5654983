import LMDB

/// The program's models beside the stored ones: opens their tables, and brings the catalog up to date.
struct SchemaUpdate {
  let path: String
  let schemas: [Schema]
  var migrations: [Migration] = []
  /// Whether the program declares no model, and uses those of the file as the catalog describes them.
  var usesStoredModels = false
  /// Whether a dump is loaded, in which somebody can correct what violates a unique index or a reference.
  var isLoading = false
  /// How many objects a new index may have to be built in the same commit, where others may follow.
  var limits = IndexBuildLimits()
  /// What a program must know to use the file, beside what its models need.
  var features: StoreFeatures = []
  /// Makes further sinks of a transaction.
  var makeSinks: @Sendable () -> [any ChangeSink] = { [] }
  /// The local clock, by which changes of replicated models are stamped.
  var milliseconds: @Sendable () -> UInt64 = ReplicaClock.systemMilliseconds
  /// Passes what the store does to those who measure it.
  var monitor = StoreMonitor()

  /// The update that an open store makes, which was migrated already.
  var withoutMigrations: SchemaUpdate {
    SchemaUpdate(
      path: path, schemas: schemas, usesStoredModels: usesStoredModels, limits: limits,
      features: features, makeSinks: makeSinks, milliseconds: milliseconds, monitor: monitor)
  }

  /// The sinks of a transaction beside those of observers and the log.
  func sinks(
    of outbox: Outbox?, _ meta: Database, _ origin: Store.Origin
  ) -> [any ChangeSink] {
    let sinks = makeSinks()
    guard let outbox, origin == .local else { return sinks }
    return sinks + [ReplicationCapture(outbox, meta, milliseconds: milliseconds)]
  }

  /// The most trees that the store needs open: its own, and each model's rows, indexes and references.
  var treeCount: Int {
    schemas.reduce(16) { sum, schema in
      sum + 1 + schema.indexes.count + schema.columns.count { $0.reference != nil }
    }
  }
}

// MARK: - Planning

extension SchemaUpdate {
  /// The stored catalog with the changes that the program's models make of it.
  private struct Plan {
    var stored: StoredCatalog
    let monitor: StoreMonitor
    /// The changes of the program's models, in their order, and of those that refer to them undeclared.
    var diffs: [SchemaDiff] = []
    /// The schemas of all models of the file, where the program declares none.
    var storedSchemas: StoredSchemas?
    /// Whether the store lacks one of the program's models.
    var lacksModel = false
    /// Whether nothing has to be changed.
    var fits = false

    var isMigrating: Bool { diffs.contains(where: \.isPending) }

    mutating func add(_ diff: SchemaDiff) {
      stored.replace(diff.entry)
      diffs.append(diff)
    }

    /// Opens the tables as they are stored.
    func catalog(_ transaction: borrowing some Transaction & ~Copyable) throws -> Catalog {
      var builder = CatalogBuilder(stored, storedSchemas, monitor, isWriting: false)
      for diff in diffs { _ = try builder.add(diff, transaction) }
      return builder.catalog(isComplete: fits)
    }
  }

  /// Opens the tables of the program's models, and writes nothing.
  ///
  /// - Returns: The catalog; nil if the store is new, lacks one of the models, or must be migrated
  ///   first.
  /// - Throws: ``StoreError`` for a file that is not a Croft store, is newer, or does not match.
  func read(_ transaction: borrowing some Transaction & ~Copyable) throws -> Catalog? {
    guard let stored = try StoredCatalog(transaction, path: path) else { return nil }
    let plan = try plan(stored, transaction)
    return try plan.lacksModel || plan.isMigrating ? nil : plan.catalog(transaction)
  }

  /// Opens the tables of all models that the file has, as the catalog describes them; writes nothing.
  ///
  /// - Throws: ``StoreError`` for a file that is not a Croft store, is newer, or is damaged.
  static func readAll(
    _ transaction: borrowing some Transaction & ~Copyable, _ monitor: StoreMonitor = StoreMonitor()
  ) throws -> StoredModels {
    let update = SchemaUpdate(path: "", schemas: [], usesStoredModels: true, monitor: monitor)
    guard let stored = try StoredCatalog(transaction, path: update.path) else {
      return StoredModels(entries: [], schemas: StoredSchemas(), catalog: nil)
    }
    let plan = try update.plan(stored, transaction)
    return StoredModels(
      entries: stored.entries, schemas: plan.storedSchemas ?? StoredSchemas(),
      catalog: try plan.catalog(transaction))
  }

  /// Plans each model's change, with a new entry for a model that the store lacks; writes nothing.
  private func plan(
    _ stored: StoredCatalog, _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> Plan {
    var plan = Plan(stored: stored, monitor: monitor)
    if usesStoredModels { try addStoredModels(to: &plan, transaction) }
    // All models are looked up first: one that the store has may refer to one that it lacks.
    let found = try zip(schemas, stored.entries(of: schemas)).map { schema, entry in
      if entry == nil { plan.lacksModel = true }
      let entry = entry ?? CatalogEntry(name: schema.name, id: plan.stored.nextTree)
      plan.stored.replace(entry)
      return entry
    }
    let ids = plan.stored.ids(of: schemas, found)
    for (schema, entry) in zip(schemas, found) {
      var diff = try diff(entry, schema, in: plan.stored, ids, transaction)
      if diff.isPending { diff.rewriteRows(to: plan.stored.nextTree) }
      plan.add(diff)
    }
    // The delete rules of models that refer to these apply all the same.
    while let entry = plan.stored.firstReferrer(besides: plan.diffs.map(\.entry.id)) {
      plan.add(
        try diff(entry, try Schema(entry), in: plan.stored, ids, transaction, isForeign: true))
    }
    plan.fits =
      !plan.lacksModel && !plan.diffs.contains(where: \.isChange) && stored.isWritten
      && stored.header.features.isSuperset(of: features.union(plan.stored.neededFeatures))
    return plan
  }

  /// Adds all models of the file, as models that the program does not declare.
  private func addStoredModels(
    to plan: inout Plan, _ transaction: borrowing some Transaction & ~Copyable
  ) throws {
    let all = try StoredSchemas(plan.stored.entries)
    plan.storedSchemas = all
    let ids = plan.stored.ids(of: [], [])
    for entry in plan.stored.entries {
      guard let schema = all[entry.id] else { continue }
      plan.add(try diff(entry, schema, in: plan.stored, ids, transaction, isForeign: true))
    }
  }

  /// How the entry of a model changes.
  ///
  /// - Parameter isForeign: Whether the program does not declare the model.
  private func diff(
    _ entry: CatalogEntry, _ schema: Schema, in stored: StoredCatalog, _ ids: [String: Int],
    _ transaction: borrowing some Transaction & ~Copyable, isForeign: Bool = false
  ) throws -> SchemaDiff {
    // A new model has no tree yet.
    let rowCount =
      try entry.fields.isEmpty
      ? 0
      : transaction.count(of: CatalogBuilder.tree(entry.treeName, of: entry.name, transaction))
    let context = SchemaDiff.Context(
      rowCount: rowCount, indexes: stored.indexes, models: ids, isForeign: isForeign,
      isUsed: usesStoredModels || !isForeign)
    return try SchemaDiff(of: entry, to: schema, context, choosingFrom: migrations)
  }

  /// The error for a model of the program that the store no longer has.
  func lostModel(
    _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> StoreError {
    let found = try StoredCatalog(transaction, path: path)?.entries(of: schemas) ?? []
    let lost = zip(schemas, found).first { $1 == nil }?.0 ?? schemas.first
    return .schemaMismatch(
      model: lost?.name ?? "", field: nil,
      reason: "another program has erased the store since it was opened; open it again")
  }

  /// Whether a mismatch is one of declarations, and not of objects alone.
  ///
  /// Objects alone fail a migration, which made their values, and a unique index that was complete and
  /// whose functions compute other values than before.
  func isMismatchOfDeclarations(
    _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> Bool {
    guard let stored = try StoredCatalog(transaction, path: path) else { return false }
    do {
      let found = try stored.entries(of: schemas)
      let ids = stored.ids(of: schemas, found)
      for (schema, entry) in zip(schemas, found) {
        guard let entry else { continue }
        let diff = try diff(entry, schema, in: stored, ids, transaction)
        let rebuilt = entry.indexes.contains { $0.isUnique && diff.builds.contains($0.id) }
        if diff.isPending || rebuilt { return false }
      }
      return true
    } catch StoreError.schemaMismatch {
      return true
    }
  }
}

// MARK: - Writing

extension SchemaUpdate {
  /// Takes one step towards a catalog that fits the program and has all its indexes.
  ///
  /// The first step updates the catalog; each later one writes some entries of an index that is being
  /// built, by this program or another.
  ///
  /// - Parameter transaction: The transaction to write in, which must be aborted if this throws.
  /// - Returns: The catalog after the step; more steps follow while an index is being built.
  /// - Throws: As ``apply(to:)`` and ``IndexBuilder/step(_:_:)``.
  func advance(
    _ transaction: inout LMDB.WriteTransaction, progress: (MigrationProgress) -> Void = { _ in }
  ) throws -> Catalog {
    let plan = try plan(StoredCatalog(creatingIn: &transaction, path: path), transaction)
    guard plan.fits else {
      return try carryOut(plan, &transaction, defersBuilds: true, progress: progress).0
    }
    return try IndexBuilder(update: self).step(try plan.catalog(transaction), &transaction)
  }

  /// Updates the catalog, unless it fits already: migrates rows, builds and removes indexes.
  ///
  /// - Parameter transaction: The transaction to write in, which must be aborted if this throws.
  /// - Throws: As ``read(_:)``; what a migration throws; ``IndexBuilder/IndexClash`` if an index that
  ///   the program does not declare cannot be rebuilt, after which ``IndexBuilder/abandon(_:_:)`` must
  ///   be called.
  func apply(to transaction: inout LMDB.WriteTransaction) throws -> (Catalog, StoreHeader) {
    let plan = try plan(StoredCatalog(creatingIn: &transaction, path: path), transaction)
    guard plan.fits else { return try carryOut(plan, &transaction) }
    return (try plan.catalog(transaction), plan.stored.header)
  }

  /// Updates the catalog, with the rows and indexes that it changes.
  ///
  /// - Parameter defersBuilds: Whether new indexes over many objects are left to ``IndexBuilder``.
  private func carryOut(
    _ plan: Plan, _ transaction: inout LMDB.WriteTransaction, defersBuilds: Bool = false,
    progress: (MigrationProgress) -> Void = { _ in }
  ) throws -> (Catalog, StoreHeader) {
    var (stored, diffs) = (plan.stored, plan.diffs)
    let unchecked = defersBuilds ? deferBuilds(of: &diffs, &stored) : []
    let sinks = plan.isMigrating ? sinks(of: stored.outbox, stored.meta, .local) : []
    stored.header.generation += 1
    stored.header.features.formUnion(features)
    // Migrated objects count as a commit without a record in the log.
    if plan.isMigrating { stored.header.sequence += 1 }
    for ordinal in diffs.indices {
      diffs[ordinal].forgetUnusedLayouts()
      stored.replace(diffs[ordinal].entry)
      try prepare(diffs[ordinal], &transaction)
    }
    var builder = CatalogBuilder(stored, plan.storedSchemas, monitor, isWriting: true)
    var moved: Set<Int> = []
    for diff in diffs {
      let model = try builder.add(diff, transaction)
      if unchecked.contains(model.id) {
        try model.checkRows(for: model.indexes.filter(\.isBuilding), in: transaction)
      }
      if try fill(model, diff, &transaction, sinks, progress) { moved.insert(model.id) }
    }
    for sink in sinks { try sink.finish(stored.header.sequence, in: &transaction) }
    try stored.write(to: &transaction)
    let catalog = builder.catalog(isComplete: true)
    try catalog.checkReferences(after: diffs, moved: moved, transaction, isLoading: isLoading)
    return (catalog, stored.header)
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
    of diffs: inout [SchemaDiff], _ stored: inout StoredCatalog
  ) -> Set<Int> {
    let addIndexesOnly = diffs.allSatisfy { !$0.isPending && $0.addsIndexesOnly }
    var unchecked: Set<Int> = []
    for ordinal in diffs.indices where !diffs[ordinal].isPending {
      guard diffs[ordinal].context.rowCount > limits.mostAtOnce else { continue }
      diffs[ordinal].deferBuilds(includingUnique: addIndexesOnly)
      let entry = diffs[ordinal].entry
      stored.replace(entry)
      if !addIndexesOnly, entry.indexes.contains(where: \.isBuilding) { unchecked.insert(entry.id) }
    }
    return unchecked
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
    _ model: Table, _ diff: SchemaDiff, _ transaction: inout LMDB.WriteTransaction,
    _ sinks: [any ChangeSink], _ progress: (MigrationProgress) -> Void
  ) throws -> Bool {
    var hasMoved = false
    if diff.isPending, let old = try transaction.database(named: diff.original.treeName) {
      var run = MigrationRun(
        diff, model, ChangeStream(of: [model], observers: nil, others: sinks))
      try run.migrateAll(from: old, &transaction, progress)
      hasMoved = run.hasMoved
    }
    for index in model.indexes where diff.builds.contains(index.id) && !index.isBuilding {
      do {
        try model.build(index, in: &transaction)
      } catch let error as StoreError {
        let clash = IndexBuilder.IndexClash(
          index, of: model, error, isOutdated: diff.outdated.contains(index.id))
        if isLoading { throw error }
        if clash.isOutdated, clash.error == nil, error.stopsIndexBuilds { throw clash }
        throw error.buildingUniqueIndex(isMigrating: diff.isPending)
      }
    }
    return hasMoved
  }
}

// MARK: - Loading

extension SchemaUpdate {
  /// Makes tables of a dump's models in a new file, without their indexes and references.
  func create(
    _ models: [CatalogEntry], in transaction: inout LMDB.WriteTransaction
  ) throws -> Catalog {
    var stored = try StoredCatalog(creatingIn: &transaction, path: path)
    for var model in models {
      _ = try transaction.openDatabase(named: model.treeName)
      model.indexes = []
      for place in model.fields.indices { model.fields[place].reference = nil }
      stored.replace(model)
    }
    return try carryOut(try plan(stored, transaction), &transaction).0
  }

  /// Builds an index of a model whose objects are there.
  func add(
    _ index: CatalogEntry.Index, to model: CatalogEntry,
    in transaction: inout LMDB.WriteTransaction
  ) throws {
    try change(model.id, in: &transaction, building: index.id) { $0.indexes.append(index) }
  }

  /// Puts a model's references into force, of which all indexes are there.
  func addReferences(
    of model: CatalogEntry, in transaction: inout LMDB.WriteTransaction
  ) throws {
    try change(model.id, in: &transaction, building: nil) { entry in
      for (place, field) in entry.fields.enumerated() {
        entry.fields[place].reference = model.fields.first { $0.id == field.id }?.reference
      }
    }
  }

  /// Changes a model of a dump that is loaded.
  private func change(
    _ model: Int, in transaction: inout LMDB.WriteTransaction, building index: Int?,
    _ body: (inout CatalogEntry) -> Void
  ) throws {
    var stored = try StoredCatalog(creatingIn: &transaction, path: path)
    guard var entry = stored.entries.first(where: { $0.id == model }) else { return }
    body(&entry)
    stored.replace(entry)
    var plan = try plan(stored, transaction)
    for place in plan.diffs.indices {
      let isModel = plan.diffs[place].entry.id == model
      plan.diffs[place].builds = isModel ? index.map { [$0] } ?? [] : []
      // It is built with this process's data from the start.
      for number in plan.diffs[place].entry.indexes.indices {
        plan.diffs[place].entry.indexes[number].skipsDamagedRows = nil
      }
    }
    let catalog = try carryOut(plan, &transaction).0
    guard index == nil else { return }
    try catalog.checkReferences(
      after: [], moved: Set(stored.entries.map(\.id)), transaction, isLoading: true)
  }
}

// MARK: - References

extension Catalog {
  /// Checks that a change of the schema left no dangling reference.
  ///
  /// It looks up references to a model in which objects were deleted or changed their key, and those
  /// in columns that are new references, were rebuilt, or refer to another model than before.
  ///
  /// - Parameters:
  ///   - moved: The numbers of the models in which an object was deleted or changed its key.
  ///   - transaction: The transaction of the change, which must be aborted if this throws.
  ///   - isLoading: Whether the objects are those of a dump, and no program can migrate them.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` naming the first dangling
  ///   reference; of a dump ``StoreError/danglingReference(model:field:key:target:)``.
  /// - Complexity: O(*n* log *m*) for *n* references in those columns to a model of *m* objects.
  func checkReferences(
    after diffs: [SchemaDiff], moved: Set<Int>,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable, isLoading: Bool
  ) throws {
    for model in all {
      let diff = diffs.first { $0.entry.id == model.id }
      for reference in model.references
      where moved.contains(reference.target)
        || diff?.mayDangle(reference, of: model) ?? false
      {
        try unsafe model.checkTargets(of: reference, in: transaction) { key, target in
          let schema = model.schema
          let field = model.layout.names[reference.column]
          let type = model.layout.columns[reference.column].storage
          if isLoading {
            throw unsafe StoreError.danglingReference(
              model: schema.name, field: field, key: schema.describe(key: key),
              target: describe(target, reference, type))
          }
          throw unsafe StoreError.schemaMismatch(
            model: schema.name, field: field,
            reason: "the object with key \(schema.describe(key: key)) would refer to "
              + "\(describe(target, reference, type)), which does not exist; set the reference "
              + "where the store is opened: Store.open(at:models:migrations: [Migration(\"…\", "
              + "\(schema.name).self) { old, new in new?.\(field) = … }])")
        }
      }
    }
  }
}

extension SchemaDiff {
  /// Whether a column of references is new, was rebuilt, or refers to another model than before.
  fileprivate func mayDangle(_ reference: ForeignKey, of model: Table) -> Bool {
    let field = layout.columns[reference.column].field
    let before = original.fields.first { $0.id == field }?.reference
    return before?.model != reference.target || builds.contains(reference.index.id)
  }
}

extension Table {
  /// Passes the dangling references of a column: the key of the object that has it, and its target.
  fileprivate func checkTargets(
    of reference: ForeignKey, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let index = reference.index
    var last: [UInt8] = []
    try transaction.forEachBlock(
      of: index.entries, in: entriesOfReferences(by: reference)
    ) { block in
      for place in 0..<block.count {
        // Safety: the entry's bytes are borrowed with the block; the target's key is the part between
        // the nil byte of an optional and the key of the object that refers.
        let entry = unsafe block.entries[place]
        let key = try unsafe primaryKey(of: entry, in: index)
        let end = unsafe entry.value.isEmpty ? entry.key.count - key.count : entry.key.count
        let code = unsafe entry.key[(isMarked(reference) ? 1 : 0)..<end]
        let target = unsafe UnsafeRawBufferPointer(rebasing: code)
        // Entries are sorted, so each target is looked up once.
        if unsafe last.elementsEqual(target) { continue }
        last = unsafe [UInt8](target)
        let found = try unsafe transaction.get(
          RawSpan(_unsafeBytes: target), in: reference.targetRows)
        if found == nil { try unsafe body(key, target) }
      }
      return true
    }
  }
}
