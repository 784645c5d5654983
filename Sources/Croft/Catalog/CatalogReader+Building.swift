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
    guard let (model, index) = catalog.firstBuilding else { return catalog }
    CoverageMark.hit(.indexBuiltInSteps)
    var last: [UInt8]?
    do {
      last = try model.buildRun(
        of: index, behind: index.lastBuilt ?? [], building, in: &transaction)
    } catch let error as StoreError {
      if case .uniqueViolation = error { throw IndexClash(index, of: model, error) }
      throw error
    }
    try change(model.id, &transaction) { record in
      guard let place = record.indexes.firstIndex(where: { $0.id == index.id }) else { return }
      record.indexes[place].isBuilding = last != nil
      record.indexes[place].built = last.map { Data($0) }
    }
    return try read(transaction, migrations) ?? catalog
  }

  /// Drops an index that could not be built, unless somebody has dropped or built it meanwhile.
  func abandon(_ clash: IndexClash, _ transaction: inout LMDB.WriteTransaction) throws {
    CoverageMark.hit(.indexAbandoned)
    var isDropped = false
    try change(clash.model, &transaction) { record in
      let count = record.indexes.count
      record.indexes.removeAll { $0.id == clash.index && $0.isBuilding }
      isDropped = record.indexes.count < count
    }
    guard isDropped else { return }
    let name = ModelRecord.treeName(ofIndex: clash.index)
    if let entries = try transaction.database(named: name) { try transaction.empty(entries) }
  }

  private func change(
    _ model: Int, _ transaction: inout LMDB.WriteTransaction, _ body: (inout ModelRecord) -> Void
  ) throws {
    guard var stored = try StoredCatalog(transaction, path: path),
      var record = stored.records.first(where: { $0.id == model })
    else { return }
    body(&record)
    stored.replace(record)
    stored.header.generation += 1
    try stored.write(to: &transaction)
  }
}

/// Two objects have the same values in a unique index that is being built.
struct IndexClash: Error {
  /// The model's number in the catalog.
  let model: Int
  /// The index's number in the catalog.
  let index: Int
  /// What the program is told; nil where it does not declare the index.
  let error: StoreError?

  init(_ index: IndexStorage, of model: ModelStorage, _ error: StoreError) {
    self.model = model.id
    self.index = index.id
    let isDeclared = model.shape.indexes.contains { shape in
      shape.isUnique && shape.columns == index.columns
    }
    self.error = isDeclared ? error : nil
  }
}
