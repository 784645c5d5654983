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
  /// - Throws: ``StoreError`` for a file that is not a Croft store, is newer, or does not match.
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
    let unchecked = defersBuilds ? deferBuilds(of: &plans, &stored) : []
    var builder = CatalogBuilder(stored, isWriting: true)
    for plan in plans { try prepare(plan.diff, &transaction) }
    var moved: Set<Int> = []
    for plan in plans {
      let model = try builder.add(plan.diff, transaction)
      if unchecked.contains(model.id) {
        try model.checkRows(for: model.indexes.filter(\.isBuilding), in: transaction)
      }
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
    try stored.write(to: &transaction)
    let catalog = builder.catalog(stored)
    try catalog.checkReferences(after: plans.map(\.diff), moved: moved, transaction)
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
    of plans: inout [MigrationPlan], _ stored: inout StoredCatalog
  ) -> Set<Int> {
    let addIndexesOnly = plans.allSatisfy { !$0.isPending && $0.diff.addsIndexesOnly }
    var unchecked: Set<Int> = []
    for place in plans.indices where !plans[place].isPending {
      guard plans[place].diff.context.rowCount > building.mostAtOnce else { continue }
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
  func declaresOtherModels(
    _ transaction: borrowing some Transaction & ~Copyable, _ migrations: [Migration]
  ) throws -> Bool {
    guard let stored = try StoredCatalog(transaction, path: path) else { return false }
    do {
      let found = try stored.entries(of: schemas)
      let ids = stored.ids(of: schemas, found)
      for (schema, entry) in zip(schemas, found) {
        guard let entry else { continue }
        let plan = try MigrationPlan(
          entry, schema, try context(of: entry, stored, ids, transaction), migrations)
        let rebuilt = entry.indexes.contains { $0.isUnique && plan.diff.builds.contains($0.id) }
        if plan.isPending || rebuilt { return false }
      }
      return true
    } catch StoreError.schemaMismatch {
      return true
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
    return try SchemaDiff(of: entry, to: try Schema(entry), context)
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

extension CatalogReader {
  /// Updates the catalog to the program's schemas, or builds the next part of an index.
  ///
  /// The first call updates the catalog; each later one writes some entries of an index that is
  /// being built, by this program or another.
  ///
  /// - Parameters:
  ///   - transaction: The transaction to write in, which must be aborted if this throws.
  ///   - migrations: The program's migrations.
  ///   - progress: Is called as objects are migrated.
  /// - Returns: The catalog after the step; more steps follow while an index is being built.
  /// - Throws: As ``extend(_:_:defersBuilds:progress:)``; ``IndexClash`` if an index that is being
  ///   built cannot be completed, after which ``abandon(_:_:)`` must be called.
  func advance(
    _ transaction: inout LMDB.WriteTransaction, _ migrations: [Migration] = [],
    progress: (MigrationProgress) -> Void = { _ in }
  ) throws -> Catalog {
    guard let catalog = try read(transaction, migrations), catalog.isComplete else {
      return try extend(&transaction, migrations, defersBuilds: true, progress: progress).0
    }
    guard let (model, index) = try beginRebuild(catalog, &transaction) ?? catalog.firstBuilding
    else { return catalog }
    CoverageMark.hit(.indexBuiltInSteps)
    var last: [UInt8]?
    do {
      last = try model.buildRun(
        of: index, behind: index.lastBuilt ?? [], building, in: &transaction)
    } catch {
      // Objects with the same values, or a row that cannot be read, stop every later step as well:
      // the index is given up, so that they do not keep the store from being opened.
      let error = (error as? LMDBError).map { StoreError($0) } ?? error
      guard let reason = error as? StoreError, reason.stopsIndexBuilds else { throw error }
      throw IndexClash(index, of: model, reason)
    }
    try change(model.id, &transaction) { entry in
      guard let place = entry.indexes.firstIndex(where: { $0.id == index.id }) else { return }
      entry.indexes[place].isBuilding = last != nil
      entry.indexes[place].built = last.map { Data($0) }
      guard last == nil else { return }
      entry.indexes[place].replaces = nil
      entry.indexes.removeAll { $0.id == index.replaces }
    }
    if last == nil, let former = index.replaces { try empty(former, &transaction) }
    return try read(transaction, migrations) ?? catalog
  }

  /// Removes an index that could not be built, unless it was removed or completed meanwhile.
  ///
  /// An index that it was to replace stays as it is.
  func abandon(_ clash: IndexClash, _ transaction: inout LMDB.WriteTransaction) throws {
    CoverageMark.hit(.indexAbandoned)
    var dropped: [CatalogEntry.Index] = []
    try change(clash.model, &transaction) { entry in
      dropped = entry.indexes.filter { $0.id == clash.index && $0.isBuilding }
      entry.indexes.removeAll { index in dropped.contains { $0.id == index.id } }
      for place in entry.indexes.indices where entry.indexes[place].id == clash.replaced {
        entry.indexes[place].awaitsRebuild = nil
      }
    }
    for index in dropped { try empty(index.id, &transaction) }
  }

  /// Marks all indexes of some models to be rebuilt, in later steps.
  ///
  /// - Parameters:
  ///   - schemas: The models; empty for all of the program's models and those that refer to them.
  ///   - transaction: The transaction to write in, which must be aborted if this throws.
  /// - Returns: The catalog with the marked indexes.
  func requestRebuild(
    of schemas: [Schema], _ transaction: inout LMDB.WriteTransaction
  ) throws -> Catalog {
    let catalog = try extend(&transaction).0
    let models = schemas.isEmpty ? catalog.all : try schemas.map { try catalog.table(of: $0) }
    for model in models {
      try change(model.id, &transaction) { entry in
        for place in entry.indexes.indices where !entry.indexes[place].isBuilding {
          entry.indexes[place].awaitsRebuild = true
        }
      }
    }
    return try read(transaction) ?? catalog
  }

  /// Adds an empty index that is to replace one, and starts to build it.
  ///
  /// Delete rules and constraints use the old index until the new one is complete.
  private func beginRebuild(
    _ catalog: Catalog, _ transaction: inout LMDB.WriteTransaction
  ) throws -> (model: Table, index: TableIndex)? {
    guard catalog.firstBuilding == nil, let (model, index) = catalog.firstAwaitingRebuild,
      let id = try StoredCatalog(transaction, path: path)?.indexes.least
    else { return nil }
    _ = try transaction.openDatabase(named: CatalogEntry.treeName(ofIndex: id))
    try empty(id, &transaction)
    try change(model.id, &transaction) { entry in
      guard var copy = entry.indexes.first(where: { $0.id == index.id }) else { return }
      (copy.id, copy.replaces, copy.isBuilding) = (id, index.id, true)
      (copy.awaitsRebuild, copy.built) = (nil, nil)
      entry.indexes.append(copy)
    }
    return try read(transaction)?.firstBuilding
  }

  private func empty(_ index: Int, _ transaction: inout LMDB.WriteTransaction) throws {
    let name = CatalogEntry.treeName(ofIndex: index)
    if let entries = try transaction.database(named: name) { try transaction.empty(entries) }
  }

  private func change(
    _ model: Int, _ transaction: inout LMDB.WriteTransaction, _ body: (inout CatalogEntry) -> Void
  ) throws {
    guard var stored = try StoredCatalog(transaction, path: path),
      var entry = stored.entries.first(where: { $0.id == model })
    else { return }
    body(&entry)
    stored.replace(entry)
    stored.header.generation += 1
    try stored.write(to: &transaction)
  }
}

extension CatalogReader {
  /// An index that cannot be built: two objects violate its uniqueness, or a row cannot be read.
  struct IndexClash: Error {
    /// The model's number in the catalog.
    let model: Int
    /// The index's number in the catalog.
    let index: Int
    /// The number of the index that it was to replace; nil for a new index.
    let replaced: Int?
    /// The violation, or the row that cannot be read.
    let reason: StoreError
    /// The error of a program that opens the store; nil if it can do without the new index.
    let error: StoreError?

    init(_ index: TableIndex, of model: Table, _ error: StoreError) {
      self.model = model.id
      self.index = index.id
      replaced = index.replaces
      reason = error
      let isDeclared = model.schema.indexes.contains { schema in
        schema.isUnique == index.isUnique && schema.columns == index.columns
      }
      self.error =
        isDeclared && index.replaces == nil
        ? error.buildingIndex(over: index.names).buildingUniqueIndex(isMigrating: false)
        : nil
    }
  }
}

extension StoreError {
  /// Whether an index cannot be completed however often its building is tried again.
  fileprivate var stopsIndexBuilds: Bool {
    switch self {
    case .uniqueViolation, .corrupt: true
    default: false
    }
  }

  /// The error for a row that cannot be read and so keeps an index from being built.
  ///
  /// Other errors do not change.
  ///
  /// - Parameter properties: What the index is over.
  fileprivate func buildingIndex(over properties: [String]) -> StoreError {
    guard case .corrupt(let model, let key, let reason) = self else { return self }
    return .corrupt(
      model: model, key: key,
      reason: "\(reason), so the index over \(properties.joined(separator: ", ")) cannot be built "
        + "(without a copy, open the store without that index and delete the object by its key)")
  }

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
