import CroftFoundation
import LMDB

/// Loads a dump into an empty file: objects by their keys first, and then indexes of all of them.
struct StoreLoading {
  let environment: Environment
  private let update: SchemaUpdate
  let models: [CatalogEntry]
  let tables: [String: Table]
  private var line = 1
  private(set) var objectCount = 0

  /// Makes the tables of the models in a dump's first line, in a file that soon has no name.
  init(in parent: URL, _ first: String?) throws {
    try self.init(in: parent, of: try Self.header(first).models)
  }

  /// Makes the tables of models, in a file that soon has no name.
  init(in parent: URL, of models: [CatalogEntry]) throws {
    self.models = models
    let folder = try TemporaryFolder(in: parent)
    defer { folder.remove() }
    var update = SchemaUpdate(path: folder.storePath, schemas: [], usesStoredModels: true)
    update.isLoading = true
    self.update = update
    var engine = Environment.Options(Store.Options.inMemory)
    engine.maxDatabases = Swift.max(
      engine.maxDatabases, update.treeCount + models.reduce(0) { $0 + 1 + $1.indexes.count })
    environment = try Environment.open(
      at: folder.storePath, options: engine,
      knownBy: StoreHeader.identifyingRow(of: folder.storePath))
    let catalog = try environment.write { try update.create(models, in: &$0) }
    tables = Dictionary(
      catalog.all.map { ($0.schema.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func header(_ first: String?) throws -> DumpHeader {
    guard let first else { throw DumpError(1, "it is empty") }
    let (decoder, data) = (JSONDecoder(), Data(first.utf8))
    do {
      let format = try decoder.decode(DumpMark<DumpHeader.Format>.self, from: data).content.format
      guard format == DumpHeader.format else {
        throw DumpError(
          1,
          "it has format \(format), which needs another version of Croft; this one reads "
            + "format \(DumpHeader.format)")
      }
      let header = try decoder.decode(DumpMark<DumpHeader>.self, from: data).content
      guard try header.checksum == DumpHeader.checksum(of: header.models) else {
        throw DumpError(
          1,
          "it was changed since it was dumped, or a later version of Croft wrote it; only the "
            + "lines with objects can be corrected")
      }
      return header
    } catch let error as DecodingError {
      throw DumpError(1, error)
    }
  }

  /// Adds the objects of the lines after the first one, some in each commit.
  mutating func addObjects(
    _ progress: (Int) throws -> Void, from nextLine: () throws -> String?
  ) throws {
    let decoder = JSONDecoder()
    var pending: [String: PendingObjects] = [:]
    while let text = try nextLine() {
      line += 1
      switch try decoded(text, decoder) {
      case .object(let table, let values):
        let objects = pending[table.schema.name] ?? PendingObjects(table)
        pending[table.schema.name] = objects
        do { try objects.append(values) } catch let error as StoreError {
          throw DumpError(line, "\(error)")
        }
        objectCount += 1
        if objects.isFull { try write(objects, progress) }
      case .end(let end):
        for (_, objects) in pending { try write(objects, progress) }
        guard end.objects == objectCount else {
          throw DumpError(
            line,
            "there were \(end.objects) objects in the dump, and \(objectCount) before this line")
        }
        guard try nextLine() == nil else {
          throw DumpError(line + 1, "it is after the end of the dump")
        }
        return
      }
    }
    throw DumpError(line + 1, "the dump ends before its last line, which counts the objects")
  }

  private func decoded(_ text: String, _ decoder: JSONDecoder) throws -> DumpLine {
    do {
      return try decoder.decode(DumpLine.self, from: Data(text.utf8), configuration: tables)
    } catch let error as DecodingError {
      throw DumpError(line, error)
    }
  }

  private func write(_ pending: PendingObjects, _ progress: (Int) throws -> Void) throws {
    do {
      try environment.write { try pending.write(to: &$0) }
    } catch StoreError.duplicateKey(let model, _, let key) {
      throw DumpError(line, "there are two objects \(model) with the key \(key) up to here")
    }
    try progress(objectCount)
  }

  /// Builds the indexes, each in a commit, checks the references, and gives the file its name.
  func finish(to path: String) throws {
    for model in models {
      for index in model.indexes {
        try environment.write { try update.add(index, to: model, in: &$0) }
      }
    }
    for model in models where model.fields.contains(where: { $0.reference != nil }) {
      try environment.write { try update.addReferences(of: model, in: &$0) }
    }
    try environment.copy(to: path, isCompacting: true)
  }

  /// Objects of one model that are not written yet.
  final class PendingObjects {
    private let table: Table
    private var rows = PendingRows()
    private var encoder = _RecordEncoder()

    init(_ table: Table) { self.table = table }

    /// Whether it is time to write them.
    var isFull: Bool { rows.isFull }

    func append(_ values: [StoredValue]) throws {
      encoder.encode(values, table)
      try table.load(&encoder, into: &rows)
    }

    func write(to transaction: inout LMDB.WriteTransaction) throws {
      try table.load(&rows, in: &transaction)
    }
  }
}
