import LMDB

/// How large a store is, by models and indexes, and which readers pin old pages.
public struct StoreStatistics: Sendable, Hashable {
  /// How large a tree is: the rows of a model, the entries of an index, or the log's commits.
  public struct Tree: Sendable, Hashable {
    /// The number of rows or entries.
    public let entries: Int
    /// The number of pages that only refer to other pages.
    public let branchPages: Int
    /// The number of pages that hold rows or entries.
    public let leafPages: Int
    /// The number of pages that hold rows too long for a leaf.
    public let overflowPages: Int
    /// The bytes of all these pages.
    public let bytes: Int
  }

  /// An index, and how large it is.
  public struct Index: Sendable, Hashable {
    /// The properties that the index is over, in its order.
    public let properties: [String]
    /// How large it is.
    public let tree: Tree
    /// Whether its building was interrupted; the next opening of the store for writing continues it.
    public let isBuilding: Bool
  }

  /// A model, and how large it is.
  public struct Model: Sendable, Hashable {
    /// The model's name.
    public let name: String
    /// The objects.
    public let rows: Tree
    /// The indexes.
    public let indexes: [Index]

    /// The bytes of the objects and of the indexes.
    public var bytes: Int { indexes.reduce(rows.bytes) { $0 + $1.tree.bytes } }
  }

  /// A read transaction or a snapshot that is open, of any process.
  public struct Reader: Sendable, Hashable {
    /// The number of the process that reads.
    public let process: Int
    /// The name of the snapshot, if it is one of this store.
    public let name: String?
    /// How long it has been open, if it is a snapshot of this store; nil otherwise.
    public let age: Duration?
    /// How many commits were made since the one that it sees.
    public let commitsBehind: Int
    /// The bytes that it keeps from being used again.
    public let pinnedBytes: Int
  }

  /// The models that the store was opened with, by name.
  public let models: [Model]
  /// The log of commits; nil where the file has none, because no program has written one.
  public let log: Tree?
  /// The bytes of the catalog, and of models that the store was opened without.
  public let otherBytes: Int
  /// The size of the file.
  public let fileBytes: Int
  /// The bytes of the file that later writes use first; those that readers pin are among them.
  public let freeBytes: Int
  /// The address space that is reserved for the file.
  public let mapBytes: Int
  /// The size of a page.
  public let pageBytes: Int
  /// The read transactions and snapshots that are open, of all processes, the oldest version first.
  public let readers: [Reader]

  /// The reader of the oldest version, which decides what can be used again.
  public var oldestReader: Reader? { readers.first }
  /// The bytes that readers keep from being used again.
  public var pinnedBytes: Int { oldestReader?.pinnedBytes ?? 0 }
  /// The number of free pages.
  public var freePages: Int { freeBytes / pageBytes }
}

extension StoreStatistics: CustomStringConvertible {
  /// A line for the file, for each model, for each of its indexes, and for the readers.
  public var description: String {
    let log = log.map { ", log " + Self.text(bytes: $0.bytes) } ?? ""
    var lines = [
      "file \(Self.text(bytes: fileBytes)), free \(Self.text(bytes: freeBytes))\(log)"
    ]
    for model in models {
      lines.append(
        "\(model.name): objects \(model.rows.entries), \(Self.text(bytes: model.rows.bytes))")
      for index in model.indexes {
        lines.append(
          "  index over \(index.properties.joined(separator: ", ")): entries "
            + "\(index.tree.entries), \(Self.text(bytes: index.tree.bytes))"
            + (index.isBuilding ? ", not built yet" : ""))
      }
    }
    lines += readers.map { "reader: \($0)" }
    return lines.joined(separator: "\n")
  }

  /// A number of bytes as a person reads it, in decimal units.
  fileprivate static func text(bytes: Int) -> String {
    for (unit, size) in [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)] where Double(bytes) >= size {
      return "\((Double(bytes) / size * 10).rounded() / 10) \(unit)"
    }
    return "\(bytes) bytes"
  }
}

extension StoreStatistics.Reader: CustomStringConvertible {
  /// The process, the snapshot's name and age, the age of what it reads, and what that costs.
  public var description: String {
    let snapshot = name.map { ", snapshot \"\($0)\"" } ?? ""
    let age = age.map { ", open for \($0.components.seconds) s" } ?? ""
    return "process \(process)\(snapshot)\(age), \(commitsBehind) commits old, pins "
      + StoreStatistics.text(bytes: pinnedBytes)
  }
}

extension Store {
  /// How large the store is, by model and index, and its readers.
  ///
  /// The figures are of one commit; no rows are read.
  ///
  /// - Throws: ``StoreError/readersFull(reason:)``, or what keeps the file from being read.
  /// - Complexity: O(trees, readers, and rows of the list of free pages).
  public var statistics: StoreStatistics {
    get throws {
      try StoreError.mapping {
        let transaction = try LMDB.ReadTransaction(beginningIn: environment)
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

  /// The open readers; snapshots of this store have their names and ages.
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
  /// How large the rows and indexes are.
  func statistics(
    in transaction: borrowing LMDB.ReadTransaction
  ) throws -> StoreStatistics.Model {
    var indexes: [StoreStatistics.Index] = []
    for index in self.indexes {
      indexes.append(
        StoreStatistics.Index(
          properties: index.names,
          tree: StoreStatistics.Tree(try index.statistics(in: transaction)),
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
