import CroftFoundation
import LMDB

/// Builds indexes over many objects in steps, each of which is a commit.
struct IndexBuilder {
  let update: SchemaUpdate

  /// Builds the next part of an index that is being built, by this program or another.
  ///
  /// - Parameter transaction: The transaction to write in, which must be aborted if this throws.
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
        of: index, behind: index.status.lastBuilt ?? [], update.limits, in: &transaction)
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
    return try update.read(transaction) ?? catalog
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
  func requestRebuild(
    of schemas: [Schema], _ transaction: inout LMDB.WriteTransaction
  ) throws -> Catalog {
    let catalog = try update.apply(to: &transaction).0
    let models = schemas.isEmpty ? catalog.all : try schemas.map { try catalog.table(of: $0) }
    for model in models {
      try change(model.id, &transaction) { entry in
        for place in entry.indexes.indices where !entry.indexes[place].isBuilding {
          entry.indexes[place].awaitsRebuild = true
        }
      }
    }
    return try update.read(transaction) ?? catalog
  }

  /// Adds an empty index that is to replace one, and starts to build it.
  ///
  /// Delete rules and constraints use the old index until the new one is complete.
  private func beginRebuild(
    _ catalog: Catalog, _ transaction: inout LMDB.WriteTransaction
  ) throws -> (model: Table, index: any TableIndex)? {
    guard catalog.firstBuilding == nil, let (model, index) = catalog.firstAwaitingRebuild,
      let id = try StoredCatalog(transaction, path: update.path)?.indexes.least
    else { return nil }
    _ = try transaction.openDatabase(named: CatalogEntry.treeName(ofIndex: id))
    try empty(id, &transaction)
    try change(model.id, &transaction) { entry in
      guard var copy = entry.indexes.first(where: { $0.id == index.id }) else { return }
      (copy.id, copy.replaces, copy.isBuilding) = (id, index.id, true)
      (copy.awaitsRebuild, copy.built) = (nil, nil)
      entry.indexes.append(copy)
    }
    return try update.read(transaction)?.firstBuilding
  }

  private func change(
    _ model: Int, _ transaction: inout LMDB.WriteTransaction, _ body: (inout CatalogEntry) -> Void
  ) throws {
    try StoredCatalog.change(model, in: &transaction, path: update.path, body)
  }

  private func empty(_ index: Int, _ transaction: inout LMDB.WriteTransaction) throws {
    let name = CatalogEntry.treeName(ofIndex: index)
    if let entries = try transaction.database(named: name) { try transaction.empty(entries) }
  }
}

extension IndexBuilder {
  /// An index that cannot be built: two objects violate its uniqueness, or a row cannot be read.
  struct IndexClash: Error {
    let model: Int
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
      let isDeclared = model.schema.indexes.contains { $0.isSame(as: index.status.definition) }
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

// MARK: - From the rows

/// How much of an index is built at a time, where a program adds it to objects that exist.
struct IndexBuildLimits: Sendable {
  /// The most objects whose entries are made in the transaction that adds the index.
  ///
  /// Indexes over more are built step by step: each step is a transaction of its own, so that an
  /// interruption costs one step, and others write in between.
  var mostAtOnce = Threshold.rowsIndexedAtOnce.value
  /// The rows that a step reads, and some more.
  var rowsPerStep = Threshold.rowsPerIndexStep.value
  /// The bytes of entries that a step sorts, and some more.
  var bytesPerStep = Threshold.bytesPerIndexStep.value
}

extension Table {
  /// Builds an empty index from the rows, in sorted parts of bounded memory.
  ///
  /// - Parameters:
  ///   - index: The index, whose tree is empty.
  ///   - transaction: Where it is built; where this throws, it must be aborted.
  ///   - runBytes: The bytes of entries that are sorted at a time.
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)`` where a unique index
  ///   finds the same values twice.
  /// - Complexity: O(*n* log *n*) for *n* rows.
  func build(
    _ index: any TableIndex, in transaction: inout LMDB.WriteTransaction,
    runBytes: Int = Threshold.pendingEntryBytes.value
  ) throws {
    let limits = IndexBuildLimits(rowsPerStep: .max, bytesPerStep: runBytes)
    var last: [UInt8]? = []
    while let start = last {
      last = try buildRun(of: index, behind: start, limits, in: &transaction)
    }
  }

  /// Makes the entries of the rows after a key, as many as are sorted at a time.
  ///
  /// - Parameters:
  ///   - index: The index, whose tree has the entries of the rows up to the key.
  ///   - start: The key of the last row that has its entries; empty for none.
  ///   - limits: How many rows and bytes of entries at a time, and some more.
  ///   - transaction: Where it is built; where this throws, it must be aborted.
  /// - Returns: The key of the last row that now has its entries; nil where there are no more.
  func buildRun(
    of index: any TableIndex, behind start: [UInt8], _ limits: IndexBuildLimits,
    in transaction: inout LMDB.WriteTransaction
  ) throws -> [UInt8]? {
    let writer = index.makeWriter(of: self)
    var rowCount = 0
    let last = try forEachRow(
      behind: start, in: transaction, skipsDamaged: index.status.skipsDamagedRows
    ) { row in
      rowCount += 1
      return try writer.build(row) < limits.bytesPerStep && rowCount < limits.rowsPerStep
    }
    try writer.finish(in: &transaction)
    return last
  }

  /// Reads all rows once, and makes what some indexes will have of them, without keeping it.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for the first row that cannot be read.
  /// - Complexity: O(*n*) for *n* rows.
  func checkRows(
    for indexes: [any TableIndex], in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    var writers = indexes.map { $0.makeWriter(of: self) }
    _ = try forEachRow(behind: [], in: transaction) { row in
      for (ordinal, writer) in writers.enumerated()
      where try writer.build(row) > Threshold.bytesPerIndexStep.value {
        writers[ordinal] = indexes[ordinal].makeWriter(of: self)
      }
      return true
    }
  }

  /// Passes rows by primary key, until the body returns false.
  ///
  /// - Parameter skipsDamaged: Whether rows that cannot be read are passed over.
  /// - Returns: The key of the last row borrowed, where the body returned false.
  func forEachRow(
    behind start: [UInt8], in transaction: borrowing some LMDB.Transaction & ~Copyable,
    skipsDamaged: Bool = false, _ body: (RecordView) throws -> Bool
  ) throws -> [UInt8]? {
    let arena = RecordArena()
    var last: [UInt8]?
    let range = start.isEmpty ? KeyRange.all : KeyRange(lower: .exclusive(start))
    try transaction.forEachBlock(of: rows, in: range) { block in
      arena.clear()
      var continues = true
      for place in 0..<block.count {
        // Safety: the bytes are used while the block is borrowed.
        let bytes = unsafe block.entries[place]
        // A block is taken as a whole: some more entries than the limit.
        let row: RecordView
        do {
          row = try unsafe view(key: bytes.key, row: bytes.value, arena)
          try row.checkSum(layout)
        } catch StoreError.corrupt where skipsDamaged {
          // `verify()` reports the row, and an object of it is an error as before.
          continue
        }
        continues = try body(row) && continues
      }
      if !continues { last = block.key(at: block.count - 1).copied() }
      return continues
    }
    return last
  }
}

/// The progress of rebuilding indexes.
public struct IndexRebuildProgress: Sendable, Hashable {
  /// The model whose index is being built.
  public let model: String
  /// The properties that the index is over, in its order.
  public let properties: [String]
  /// How many entries it has so far.
  public let entries: Int
  /// The number of indexes that are complete.
  public let done: Int
  /// The number of indexes to build.
  public let total: Int

  /// The part of the indexes that is done, from 0 to 1.
  public var fraction: Double { total == 0 ? 1 : Double(done) / Double(total) }
}
