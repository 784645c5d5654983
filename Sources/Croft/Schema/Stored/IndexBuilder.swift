import CroftFoundation
import LMDB

/// Builds indexes over many objects in steps, each of which is a commit.
struct IndexBuilder {
  let reader: CatalogReader
  /// How much a step builds.
  var limits = IndexBuildLimits()

  /// Builds the next part of an index that is being built, by this program or another.
  ///
  /// - Parameters:
  ///   - catalog: The catalog of the transaction, which is complete.
  ///   - transaction: The transaction to write in, which must be aborted if this throws.
  /// - Returns: The catalog after the step; more steps follow while an index is being built.
  /// - Throws: ``IndexClash`` if the index cannot be completed, after which ``abandon(_:_:)`` must be
  ///   called.
  func step(_ catalog: Catalog, _ transaction: inout LMDB.WriteTransaction) throws -> Catalog {
    guard let (model, index) = try beginRebuild(catalog, &transaction) ?? catalog.firstBuilding
    else { return catalog }
    CoverageMark.hit(.indexBuiltInSteps)
    var last: [UInt8]?
    do {
      last = try model.buildRun(
        of: index, behind: index.status.lastBuilt ?? [], limits, in: &transaction)
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
      entry.indexes.removeAll { $0.id == index.status.replaces }
    }
    if last == nil, let former = index.status.replaces { try empty(former, &transaction) }
    return try reader.read(transaction) ?? catalog
  }

  /// Removes an index that could not be built or rebuilt, unless it was removed or completed meanwhile.
  ///
  /// An index that it was to replace stays as it is.
  func abandon(_ clash: IndexClash, _ transaction: inout LMDB.WriteTransaction) throws {
    CoverageMark.hit(.indexAbandoned)
    var dropped: [CatalogEntry.Index] = []
    try change(clash.model, &transaction) { entry in
      dropped = entry.indexes.filter {
        $0.id == clash.index && ($0.isBuilding || clash.isOutdated)
      }
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
    let catalog = try SchemaUpdate(reader: reader).apply(to: &transaction).0
    let models = schemas.isEmpty ? catalog.all : try schemas.map { try catalog.table(of: $0) }
    for model in models {
      try change(model.id, &transaction) { entry in
        for place in entry.indexes.indices where !entry.indexes[place].isBuilding {
          entry.indexes[place].awaitsRebuild = true
        }
      }
    }
    return try reader.read(transaction) ?? catalog
  }

  /// Adds an empty index that is to replace one, and starts to build it.
  ///
  /// Delete rules and constraints use the old index until the new one is complete.
  private func beginRebuild(
    _ catalog: Catalog, _ transaction: inout LMDB.WriteTransaction
  ) throws -> (model: Table, index: any TableIndex)? {
    guard catalog.firstBuilding == nil, let (model, index) = catalog.firstAwaitingRebuild,
      let id = try StoredCatalog(transaction, path: reader.path)?.indexes.least
    else { return nil }
    _ = try transaction.openDatabase(named: CatalogEntry.treeName(ofIndex: id))
    try empty(id, &transaction)
    try change(model.id, &transaction) { entry in
      guard var copy = entry.indexes.first(where: { $0.id == index.id }) else { return }
      (copy.id, copy.replaces, copy.isBuilding) = (id, index.id, true)
      (copy.awaitsRebuild, copy.built) = (nil, nil)
      entry.indexes.append(copy)
    }
    return try reader.read(transaction)?.firstBuilding
  }

  private func change(
    _ model: Int, _ transaction: inout LMDB.WriteTransaction, _ body: (inout CatalogEntry) -> Void
  ) throws {
    try StoredCatalog.change(model, in: &transaction, path: reader.path, body)
  }

  private func empty(_ index: Int, _ transaction: inout LMDB.WriteTransaction) throws {
    let name = CatalogEntry.treeName(ofIndex: index)
    if let entries = try transaction.database(named: name) { try transaction.empty(entries) }
  }
}

extension IndexBuilder {
  /// An index that cannot be built: two objects violate its uniqueness, or a row cannot be read.
  struct IndexClash: Error {
    /// The model's number in the catalog.
    let model: Int
    /// The index's number in the catalog.
    let index: Int
    /// The number of the index that it was to replace; nil for a new index.
    let replaced: Int?
    /// Whether it was complete, with values of other Unicode or time zone data.
    ///
    /// A program that declares it is refused. Others would be refused as well, however well they do without
    /// it, and none of them could change the values: for them it is removed.
    let isOutdated: Bool
    /// The violation, or the row that cannot be read.
    let reason: StoreError
    /// The error of a program that opens the store; nil if it can do without the new index.
    let error: StoreError?

    init(_ index: any TableIndex, of model: Table, _ error: StoreError, isOutdated: Bool = false) {
      self.model = model.id
      self.index = index.id
      replaced = index.status.replaces
      self.isOutdated = isOutdated
      reason = error
      let isDeclared = model.schema.indexes.contains(index.status.definition)
      self.error =
        isDeclared && replaced == nil
        ? error.buildingIndex(over: index.names).buildingUniqueIndex(isMigrating: false)
        : nil
    }
  }
}

extension StoreError {
  /// Whether an index cannot be completed however often its building is tried again.
  var stopsIndexBuilds: Bool {
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
}
