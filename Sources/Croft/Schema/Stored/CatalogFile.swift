import LMDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The catalog as it is stored: the header and a record for each model.
struct StoredCatalog {
  let meta: Database
  let log: CommitLog?
  var header: StoreHeader
  private(set) var records: [CatalogEntry] = []
  /// The numbers of all indexes.
  private(set) var indexes = TakenNumbers()
  /// The numbers of all models and their trees of rows.
  private var trees = TakenNumbers()
  /// Where the record of each model is.
  private var places: [Int: Int] = [:]

  init(meta: Database, log: CommitLog?, header: StoreHeader, records: [CatalogEntry]) {
    self.meta = meta
    self.log = log
    self.header = header
    for record in records { replace(record) }
  }

  /// The number that the next model or tree of rows gets: the least that none has.
  ///
  /// A file has room for so many names of trees, and a tree that was given up keeps its name. It is
  /// empty, so the next one may have both; who reads an older version of the store still finds there
  /// what that version held.
  var nextTree: Int { trees.least }

  /// The records of a program's models.
  ///
  /// A rename that the store has not seen yet comes first, so that names can change places. Then a
  /// form that the store met has the model that it had then, whatever that is called by now, unless
  /// the program declares that one under its present name as well; others go by their present names,
  /// and then by former ones that no other model has.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` for a rename to the name of a
  ///   model that the program does not declare.
  func records(of schemas: [Schema]) throws -> [CatalogEntry?] {
    let forms = schemas.map(\.form)
    let known = Set(records.flatMap { $0.forms.map(\.hash) })
    var found: [CatalogEntry?] = schemas.map { _ in nil }
    var taken: Set<Int> = []
    func claim(_ place: Int, _ record: CatalogEntry?) {
      guard let record, taken.insert(record.id).inserted else { return }
      found[place] = record
    }
    for place in schemas.indices where !known.contains(forms[place]) {
      claim(place, renamedRecord(of: schemas[place]))
    }
    let renamed = found.indices.filter { found[$0] != nil }
    for place in schemas.indices where found[place] == nil && known.contains(forms[place]) {
      let free = records.filter { record in
        !taken.contains(record.id) && record.forms.contains { $0.hash == forms[place] }
          && !isDeclared(record, beside: schemas[place], schemas)
      }
      claim(place, free.first { $0.name == schemas[place].name } ?? free.first)
    }
    for place in schemas.indices where found[place] == nil {
      claim(place, records.first { $0.name == schemas[place].name })
    }
    for place in schemas.indices where found[place] == nil {
      let schema = schemas[place]
      claim(
        place,
        records.first { record in
          !taken.contains(record.id)
            && (record.aliases.contains(schema.name)
              || schema.aliases.contains { $0 == record.name || record.aliases.contains($0) })
        })
    }
    for place in renamed {
      let name = schemas[place].name
      guard records.contains(where: { $0.name == name && !taken.contains($0.id) }) else { continue }
      throw StoreError.schemaMismatch(
        model: name, field: nil,
        reason: "@Renamed says that it was \(found[place]?.name ?? ""), and the store has a model "
          + "\(name) beside that; declare that one as well, under another name with "
          + "@Renamed(from: \"\(name)\")")
    }
    return found
  }

  /// Whether a program declares a record's model under its present name, beside another model.
  ///
  /// So that one is not what the model was called in an older program: it is new. An older program
  /// whose names have moved on since then has a model of that name, too, but the store then knows
  /// another record that was called so.
  private func isDeclared(
    _ record: CatalogEntry, beside schema: Schema, _ schemas: [Schema]
  ) -> Bool {
    guard record.name != schema.name,
      let holder = schemas.first(where: { $0.name == record.name })
    else { return false }
    return holder.aliases.contains(schema.name)
      || !records.contains { $0.id != record.id && $0.aliases.contains(record.name) }
  }

  /// The record that a model renames; nil where it was renamed so already.
  private func renamedRecord(of schema: Schema) -> CatalogEntry? {
    guard !schema.aliases.isEmpty else { return nil }
    let own = records.first { $0.name == schema.name }
    if own?.aliases.contains(where: schema.aliases.contains) ?? false { return nil }
    for name in schema.aliases {
      if let record = records.first(where: { $0.name == name }) { return record }
    }
    return nil
  }

  /// The numbers of models by their names in the program, and of others by theirs in the store.
  func ids(of schemas: [Schema], _ found: [CatalogEntry?]) -> [String: Int] {
    var ids = Dictionary(records.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
    for (schema, record) in zip(schemas, found) { ids[schema.name] = record?.id }
    return ids
  }

  /// Puts a record in the place of the one with its number.
  mutating func replace(_ record: CatalogEntry) {
    if let place = places[record.id] {
      trees.remove(records[place].tree)
      for index in records[place].indexes { indexes.remove(index.id) }
      records[place] = record
    } else {
      places[record.id] = records.count
      records.append(record)
    }
    trees.insert(record.id)
    trees.insert(record.tree)
    for index in record.indexes { indexes.insert(index.id) }
  }
}

extension StoredCatalog {
  static let treeName = "meta"

  /// Reads the catalog.
  ///
  /// - Returns: The catalog, or nil where the file is empty.
  /// - Throws: ``StoreError`` for what is no Croft store, is newer, or cannot be read.
  init?(_ transaction: borrowing some Transaction & ~Copyable, path: String) throws {
    guard let meta = try transaction.database(named: Self.treeName) else {
      // An LMDB file with trees of somebody else's is not ours to write into.
      guard try transaction.isEmpty() else {
        throw StoreError.notACroftFile(
          path: path, reason: "it is an LMDB file that another program made")
      }
      return nil
    }
    let header = try StoreHeader(in: meta, transaction, path: path)
    self.init(
      meta: meta, log: try CommitLog(in: transaction), header: header,
      records: try Self.records(meta, header.version, transaction))
  }

  private static func records(
    _ meta: Database, _ version: UInt32, _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> [CatalogEntry] {
    var json: [Data] = []
    try transaction.forEachBlock(of: meta, in: .prefix(CatalogEntry.keyPrefix)) { block in
      for place in 0..<block.count {
        var record = block.value(at: place).copied()
        if version >= StoreHeader.firstWithChecksums {
          let checksum = Array(record.suffix(Checksum.size))
          record.removeLast(checksum.count)
          guard checksum == Checksum.bytes(block.key(at: place).copied(), record) else {
            throw StoreError.corrupt(
              model: nil, key: nil, reason: "the checksum of a row of the catalog does not fit")
          }
        }
        json.append(Data(record))
      }
      return true
    }
    let decoder = JSONDecoder()
    do {
      return try json.map { bytes in
        if version > 1 { return try decoder.decode(CatalogEntry.self, from: bytes) }
        return try CatalogEntry(decoder.decode(FirstCatalogEntry.self, from: bytes))
      }.sorted { $0.id < $1.id }
    } catch let error as DecodingError {
      throw StoreError.corrupt(
        model: nil, key: nil, reason: "a row of the catalog cannot be read (\(error))")
    }
  }

  /// Writes the header and, where the file is of an earlier format, all records in the present one.
  static func write(
    _ header: StoreHeader, to meta: Database, _ transaction: inout LMDB.WriteTransaction,
    path: String
  ) throws {
    if header.version < StoreHeader.formatVersion,
      var stored = try StoredCatalog(transaction, path: path)
    {
      stored.header = header
      stored.header.version = StoreHeader.formatVersion
      return try stored.write(to: &transaction)
    }
    try header.write(to: meta, &transaction)
  }

  /// Writes the header and all records.
  func write(to transaction: inout LMDB.WriteTransaction) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for record in records {
      let json = [UInt8](try encoder.encode(record))
      let key = record.catalogKey
      let value = json + Checksum.bytes(key, json)
      _ = try unsafe transaction.put(value.span.bytes, at: key.span.bytes, in: meta)
    }
    try header.write(to: meta, &transaction)
  }
}

/// Numbers that are taken, from 1 on: of the others the least is given next.
struct TakenNumbers {
  private var numbers: Set<Int> = []
  /// The least number that is not taken.
  private(set) var least = 1

  mutating func insert(_ number: Int) {
    numbers.insert(number)
    while numbers.contains(least) { least += 1 }
  }

  mutating func remove(_ number: Int) {
    numbers.remove(number)
    least = min(least, number)
  }
}
