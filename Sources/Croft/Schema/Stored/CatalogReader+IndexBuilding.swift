import LMDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
  /// - Throws: As ``extend(_:_:defersBuilds:progress:)``; ``IndexClash`` if a unique index that is
  ///   being built finds the same values twice, after which ``abandon(_:_:)`` must be called.
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
    } catch let error as StoreError {
      switch error {
      case .uniqueViolation: throw IndexClash(index, of: model, error)
      // A row that cannot be read must not keep the store from being opened: rebuilding stops.
      case .corrupt where index.replaces != nil: throw IndexClash(index, of: model, error)
      default: throw error
      }
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

/// An index that cannot be built, because two objects violate its uniqueness.
///
/// An index that is rebuilt fails also if a row cannot be read.
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
      schema.isUnique && schema.columns == index.columns
    }
    self.error =
      isDeclared && index.replaces == nil ? error.buildingUniqueIndex(isMigrating: false) : nil
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
