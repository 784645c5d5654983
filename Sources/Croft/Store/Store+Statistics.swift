import LMDB

extension Store {
  /// How large the store is, per model and index, and who reads it.
  ///
  /// Of one commit, without reading rows.
  ///
  /// - Throws: ``StoreError/readersFull(reason:)``, or what keeps the file from being read.
  /// - Complexity: O(trees, readers, and rows of the list of free pages).
  public var statistics: StoreStatistics {
    get throws {
      try StoreError.mapping {
        let transaction = try environment.beginRead()
        let (catalog, _) = try catalog(in: transaction, publishes: true)
        let models = try catalog.all.map { try $0.statistics(in: transaction) }
        let log = try CommitLog(in: transaction).map {
          StoreStatistics.Tree(try transaction.statistics(of: $0.tree))
        }
        let file = try transaction.fileStatistics()
        return StoreStatistics(
          models: models, log: log,
          otherBytes: file.trees.bytes - models.reduce(log?.bytes ?? 0) { $0 + $1.bytes },
          fileBytes: file.fileBytes, freeBytes: file.freePages * file.pageBytes,
          mapBytes: file.mapBytes, pageBytes: file.pageBytes,
          readers: readers(in: file))
      }
    }
  }

  /// The open readers, with what this store knows of its own.
  private func readers(in file: FileStatistics) -> [StoreStatistics.Reader] {
    file.readers.sorted { ($0.version, $0.process) < ($1.version, $1.process) }.map { reader in
      let own = reader.process == file.process ? snapshots.oldest(ofVersion: reader.version) : nil
      return StoreStatistics.Reader(
        process: reader.process, name: own?.name, age: own?.age,
        commitsBehind: file.version - reader.version,
        pinnedBytes: file.pagesFreed(since: reader.version) * file.pageBytes)
    }
  }
}

extension Table {
  /// How large the model is.
  fileprivate func statistics(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> StoreStatistics.Model {
    var indexes: [StoreStatistics.Index] = []
    for index in self.indexes {
      indexes.append(
        StoreStatistics.Index(
          properties: index.columns.map { layout.names[$0.place] },
          tree: StoreStatistics.Tree(try transaction.statistics(of: index.entries)),
          isBuilding: index.isBuilding))
    }
    return StoreStatistics.Model(
      name: schema.name, rows: StoreStatistics.Tree(try transaction.statistics(of: rows)),
      indexes: indexes)
  }
}

extension StoreStatistics.Tree {
  fileprivate init(_ tree: TreeStatistics) {
    self.init(
      entries: tree.entries, branchPages: tree.branchPages, leafPages: tree.leafPages,
      overflowPages: tree.overflowPages, bytes: tree.bytes)
  }
}
