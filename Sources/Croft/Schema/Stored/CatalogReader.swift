import LMDB

/// Reads the catalog for a program's models, and writes nothing.
struct CatalogReader {
  let path: String
  let schemas: [Schema]

  /// The most trees that the store needs open: its own, and each model's rows, indexes and references.
  var treeCount: Int {
    schemas.reduce(16) { sum, schema in
      sum + 1 + schema.indexes.count + schema.columns.count { $0.reference != nil }
    }
  }

  /// Opens the tables of the program's models.
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
      let plan = try plan(entry, schema, in: stored, ids, migrations, transaction)
      guard !plan.isPending else { return nil }
      _ = try builder.add(plan.diff, transaction)
    }
    while let entry = builder.nextReferrer(among: stored.entries) {
      _ = try builder.add(try undeclared(entry, in: stored, ids, transaction), transaction)
    }
    return builder.catalog(stored)
  }

  /// How the entry of a model changes.
  ///
  /// - Parameters:
  ///   - entry: The model's entry.
  ///   - schema: The model as the program declares it.
  ///   - stored: The catalog.
  ///   - ids: The numbers of all models by name.
  ///   - migrations: The program's migrations.
  ///   - transaction: The transaction to read in.
  func plan(
    _ entry: CatalogEntry, _ schema: Schema, in stored: StoredCatalog, _ ids: [String: Int],
    _ migrations: [Migration], _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> MigrationPlan {
    let context = try context(of: entry, stored, ids, transaction)
    return try MigrationPlan(entry, schema, context, migrations)
  }

  /// The unchanged schema of a model that refers to the program's without being declared by it.
  ///
  /// Its delete rules apply all the same.
  func undeclared(
    _ entry: CatalogEntry, in stored: StoredCatalog, _ ids: [String: Int],
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
}
