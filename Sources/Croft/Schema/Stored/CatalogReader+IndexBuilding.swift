import LMDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CatalogReader {
  /// Brings the store a step nearer to what the program's models need.
  ///
  /// The first step adds what is missing; each of the others makes some entries of an index that is
  /// being built, whichever program has begun that.
  ///
  /// - Parameters:
  ///   - transaction: The transaction to write in; where this throws, it must be aborted.
  ///   - migrations: What the program does about changes that need its word.
  ///   - progress: Hears of objects that are migrated.
  /// - Returns: The catalog after the step; further steps are due while an index is being built.
  /// - Throws: As ``extend(_:_:defersBuilds:progress:)``; ``IndexClash`` where a unique index that
  ///   is being built finds the same values twice, which ``abandon(_:_:)`` must follow.
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
      // What cannot be read does not keep a store from being opened because of its indexes.
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

  /// Drops an index that could not be built, unless somebody has dropped or built it meanwhile.
  ///
  /// One that was to take the place of another leaves it that, as it was.
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

  /// Asks for the entries of all indexes of some models to be made anew, step by step.
  ///
  /// - Parameters:
  ///   - schemas: The models; none for all of the program's, and those that refer to them.
  ///   - transaction: The transaction to write in; where this throws, it must be aborted.
  /// - Returns: The catalog, in which the steps are due.
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

  /// Adds the index that is to take the place of one whose entries are made anew.
  ///
  /// The old one goes on to serve rules and constraints until the new one has all entries.
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

/// An index that cannot be built: a unique one over objects with the same values.
///
/// One that is made anew also where a row cannot be read.
struct IndexClash: Error {
  /// The model's number in the catalog.
  let model: Int
  /// The index's number in the catalog.
  let index: Int
  /// The number of the index that was to be made anew; nil for a new one.
  let replaced: Int?
  /// What is wrong.
  let reason: StoreError
  /// What a program that opens the store is told; nil where it does not declare the index, or has
  /// it as it was.
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
  /// What a program is told whose unique index cannot be built, because two objects clash in it.
  ///
  /// Another error is what it was: this one names the index and what to do before the store can be
  /// opened, where no statement was refused.
  ///
  /// - Parameter isMigrating: Whether the objects have their values from the program's migrations.
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
