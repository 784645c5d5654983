import LMDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the catalog for a program's models, and updates it to their schemas.
struct CatalogReader {
  let path: String
  let schemas: [Schema]
  /// How new indexes are built.
  var building = IndexBuilding()

  /// The most trees that the store needs open: its own, and each model's rows, indexes and references.
  var treeCount: Int {
    schemas.reduce(16) { sum, schema in
      sum + 1 + schema.indexes.count + schema.columns.count { $0.reference != nil }
    }
  }

  /// Reads the catalog for the program's models, and writes nothing.
  ///
  /// - Parameters:
  ///   - transaction: The transaction to read in.
  ///   - migrations: The program's migrations.
  /// - Returns: The catalog; nil if the store is new, lacks one of the models, or must be migrated
  ///   first.
  /// - Throws: ``StoreError`` for a file that is no Croft store, is newer, or does not match.
  func read(
    _ transaction: borrowing some Transaction & ~Copyable, _ migrations: [Migration] = []
  ) throws -> Catalog? {
    guard let stored = try StoredCatalog(transaction, path: path) else { return nil }
    // All models are looked up first: one that the store has may refer to one that it lacks.
    let found = try stored.entries(of: schemas).compactMap { $0 }
    guard found.count == schemas.count else { return nil }
    let ids = stored.ids(of: schemas, found)
    var builder = CatalogBuilder(stored, isWriting: false)
    for (schema, entry) in zip(schemas, found) {
      let plan = try MigrationPlan(
        entry, schema, try context(of: entry, stored, ids, transaction), migrations)
      guard !plan.isPending else { return nil }
      _ = try builder.add(plan.diff, transaction)
    }
    while let entry = builder.nextReferrer(among: stored.entries) {
      _ = try builder.add(try foreign(entry, stored, ids, transaction), transaction)
    }
    return builder.catalog(stored)
  }

  /// Updates the catalog to the program's schemas: migrates rows, builds and removes indexes.
  ///
  /// - Parameters:
  ///   - transaction: The transaction to write in, which must be aborted if this throws.
  ///   - migrations: The program's migrations.
  ///   - defersBuilds: Whether new indexes over many objects are left to ``advance(_:_:progress:)``.
  ///   - progress: Is called as objects are migrated.
  /// - Returns: The catalog and the header that belongs to it.
  /// - Throws: As ``read(_:_:)``; what a migration throws.
  func extend(
    _ transaction: inout LMDB.WriteTransaction, _ migrations: [Migration] = [],
    defersBuilds: Bool = false, progress: (MigrationProgress) -> Void = { _ in }
  ) throws -> (Catalog, StoreHeader) {
    if let catalog = try read(transaction, migrations), catalog.isComplete {
      return (catalog, try StoreHeader(in: catalog.meta, transaction, path: path))
    }
    var stored = try create(&transaction)
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
      var plan = try MigrationPlan(
        entry, schema, try context(of: entry, stored, ids, transaction), migrations)
      if plan.isPending { plan.writeRows(to: stored.nextTree) }
      plan.forgetLayoutsWithoutRows()
      stored.replace(plan.diff.entry)
      plans.append(plan)
    }
    if defersBuilds { deferBuilds(of: &plans, &stored) }
    var builder = CatalogBuilder(stored, isWriting: true)
    for plan in plans { try prepare(plan.diff, &transaction) }
    var moved: Set<Int> = []
    for plan in plans {
      let model = try builder.add(plan.diff, transaction)
      if try fill(model, plan, &transaction, progress) { moved.insert(model.id) }
    }
    while let entry = builder.nextReferrer(among: stored.entries) {
      let diff = try foreign(entry, stored, ids, transaction)
      stored.replace(diff.entry)
      _ = try builder.add(diff, transaction)
    }
    stored.header.generation += 1
    // Migrated objects count as a commit without a record in the log.
    if plans.contains(where: \.isPending) { stored.header.sequence += 1 }
    stored.header.version = StoreHeader.formatVersion
    try stored.write(to: &transaction)
    let catalog = builder.catalog(stored)
    try catalog.checkReferences(after: plans.map(\.diff), moved: moved, transaction)
    return (catalog, stored.header)
  }

  /// Leaves new indexes over many objects to later transactions.
  ///
  /// A unique index is left only where nothing but indexes changes: when two objects turn out to have one
  /// value, the opening fails, and an earlier program must find the store as it was.
  private func deferBuilds(of plans: inout [MigrationPlan], _ stored: inout StoredCatalog) {
    let addIndexesOnly = plans.allSatisfy { !$0.isPending && $0.diff.addsIndexesOnly }
    for place in plans.indices where !plans[place].isPending {
      guard plans[place].diff.context.rowCount > building.mostAtOnce else { continue }
      plans[place].deferBuilds(includingUnique: addIndexesOnly)
      stored.replace(plans[place].diff.entry)
    }
  }

  /// Deletes all objects and forgets all models of the store.
  func eraseAll(in transaction: inout LMDB.WriteTransaction) throws {
    guard let stored = try StoredCatalog(transaction, path: path) else { return }
    for entry in stored.entries {
      let indexes = entry.indexes.map { CatalogEntry.treeName(ofIndex: $0.id) }
      for name in [entry.treeName] + indexes {
        if let tree = try transaction.database(named: name) { try transaction.empty(tree) }
      }
    }
    try transaction.empty(stored.meta)
    var empty = StoredCatalog(
      meta: stored.meta, log: stored.log, header: stored.header, entries: [])
    // A commit without a record in the log: observers elsewhere read all again.
    empty.header.sequence += 1
    empty.header.generation += 1
    empty.header.version = StoreHeader.formatVersion
    try empty.write(to: &transaction)
  }

  private func create(_ transaction: inout LMDB.WriteTransaction) throws -> StoredCatalog {
    if let stored = try StoredCatalog(transaction, path: path) { return stored }
    return StoredCatalog(
      meta: try transaction.openDatabase(named: StoredCatalog.treeName),
      log: try CommitLog(creatingIn: &transaction),
      header: StoreHeader(store: UUID().words), entries: [])
  }

  /// The unchanged schema of a model that refers to the program's without being declared by it.
  ///
  /// Its delete rules apply all the same.
  private func foreign(
    _ entry: CatalogEntry, _ stored: StoredCatalog, _ ids: [String: Int],
    _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> SchemaDiff {
    var context = try context(of: entry, stored, ids, transaction)
    context.isForeign = true
    return try SchemaDiff(of: entry, to: Schema(entry), context)
  }

  private func context(
    of entry: CatalogEntry, _ stored: StoredCatalog, _ ids: [String: Int],
    _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> SchemaDiff.Context {
    guard let rows = try transaction.database(named: entry.treeName) else {
      throw StoreError.corrupt(
        model: entry.name, key: nil, reason: "its tree \(entry.treeName) is missing")
    }
    return SchemaDiff.Context(
      rowCount: try transaction.count(of: rows), indexes: stored.indexes, models: ids)
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
    _ progress: (MigrationProgress) -> Void
  ) throws -> Bool {
    var hasMoved = false
    if plan.isPending, let old = try transaction.database(named: plan.diff.original.treeName) {
      hasMoved = try plan.run(from: old, to: model, &transaction, progress)
    }
    for index in model.indexes
    where plan.diff.builds.contains(index.id) && !index.isBuilding {
      do {
        try model.build(index, in: &transaction)
      } catch let error as StoreError {
        throw error.buildingUniqueIndex(isMigrating: plan.isPending)
      }
    }
    return hasMoved
  }
}
