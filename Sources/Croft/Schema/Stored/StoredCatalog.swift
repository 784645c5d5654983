import CroftFoundation
import LMDB

/// The catalog as it is stored: the header and an entry for each model.
struct StoredCatalog {
  let meta: Database
  let log: CommitLog?
  /// The changes that were not sent; nil where nothing is replicated.
  let outbox: Outbox?
  var header: StoreHeader
  private(set) var entries: [CatalogEntry] = []
  /// The entries as read, by the model's number.
  private var originals: [Int: (json: Data, entry: CatalogEntry)] = [:]
  /// The numbers of all indexes.
  private(set) var indexes = StoredCatalog.TakenNumbers()
  /// The numbers of all models and their trees of rows.
  private var trees = StoredCatalog.TakenNumbers()
  /// The place in ``entries`` of each model's entry, by the model's number.
  private var places: [Int: Int] = [:]

  init(
    meta: Database, log: CommitLog?, outbox: Outbox? = nil, header: StoreHeader,
    entries: [CatalogEntry]
  ) {
    self.meta = meta
    self.log = log
    self.outbox = outbox
    self.header = header
    for entry in entries { replace(entry) }
  }

  /// The number of the next model or tree of rows: the least that none has.
  ///
  /// Numbers are used again because a file has room for a limited number of tree names, and a tree
  /// that is no longer used keeps its name. Such a tree is empty; readers of an older version of the
  /// store still find that version's rows in it.
  var nextTree: Int { trees.least }

  /// Whether the file has the catalog; a new one is written with its first change.
  var isWritten: Bool { header.generation > 0 }

  /// The entries of a program's models; nil for a new model.
  ///
  /// Renames that the store has not seen yet are applied first, so that names can be swapped. A known
  /// schema then has the entry that it had before, whatever the entry's present name, unless the
  /// program declares another model under that name. The others are found by their present names,
  /// and then by former names that no other model has.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` for a rename to the name of a
  ///   model that the program does not declare.
  func entries(of schemas: [Schema]) throws -> [CatalogEntry?] {
    let fingerprints = schemas.map(\.fingerprint)
    let known = Set(entries.flatMap { $0.knownSchemas.map(\.fingerprint) })
    var found: [CatalogEntry?] = schemas.map { _ in nil }
    var taken: Set<Int> = []
    /// Matches the models that have no entry yet by a rule, each with an entry that is still free.
    func match(by rule: (Int) -> CatalogEntry?) {
      for ordinal in schemas.indices where found[ordinal] == nil {
        guard let entry = rule(ordinal), taken.insert(entry.id).inserted else { continue }
        found[ordinal] = entry
      }
    }
    match { known.contains(fingerprints[$0]) ? nil : renamedEntry(of: schemas[$0]) }
    let renamed = found.indices.filter { found[$0] != nil }
    match { ordinal in
      let free = entries.filter { entry in
        !taken.contains(entry.id)
          && entry.knownSchemas.contains { $0.fingerprint == fingerprints[ordinal] }
          && !isDeclared(entry, beside: schemas[ordinal], schemas)
      }
      return free.first { $0.name == schemas[ordinal].name } ?? free.first
    }
    match { ordinal in entries.first { $0.name == schemas[ordinal].name } }
    match { ordinal in
      let schema = schemas[ordinal]
      return entries.first { entry in
        !taken.contains(entry.id)
          && (entry.aliases.contains(schema.name)
            || schema.aliases.contains { $0 == entry.name || entry.aliases.contains($0) })
      }
    }
    for place in renamed {
      let name = schemas[place].name
      guard entries.contains(where: { $0.name == name && !taken.contains($0.id) }) else { continue }
      throw StoreError.schemaMismatch(
        model: name, field: nil,
        reason: "@Renamed says that it was \(found[place]?.name ?? ""), and the store has a model "
          + "\(name) beside that; declare that one as well, under another name with "
          + "@Renamed(from: \"\(name)\")")
    }
    return found
  }

  /// Whether a program declares an entry's model under its present name, beside another model.
  ///
  /// The other model is then new, and not the entry's model under a former name. An older program may
  /// also declare a model of that name; the store then has another entry with that former name.
  private func isDeclared(
    _ entry: CatalogEntry, beside schema: Schema, _ schemas: [Schema]
  ) -> Bool {
    guard entry.name != schema.name,
      let holder = schemas.first(where: { $0.name == entry.name })
    else { return false }
    return holder.aliases.contains(schema.name)
      || !entries.contains { $0.id != entry.id && $0.aliases.contains(entry.name) }
  }

  /// The entry that a model renames; nil if the store has that rename already.
  private func renamedEntry(of schema: Schema) -> CatalogEntry? {
    guard !schema.aliases.isEmpty else { return nil }
    let own = entries.first { $0.name == schema.name }
    if own?.aliases.contains(where: schema.aliases.contains) ?? false { return nil }
    for name in schema.aliases {
      if let entry = entries.first(where: { $0.name == name }) { return entry }
    }
    return nil
  }

  /// The numbers of all models by name: the program's name, or the store's for other models.
  func ids(of schemas: [Schema], _ found: [CatalogEntry?]) -> [String: Int] {
    var ids = Dictionary(entries.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
    for (schema, entry) in zip(schemas, found) { ids[schema.name] = entry?.id }
    return ids
  }

  /// The first of the other models that refers to one of some models.
  func firstReferrer(besides models: [Int]) -> CatalogEntry? {
    entries.first { !models.contains($0.id) && $0.refers(to: models) }
  }

  /// Replaces the entry with the same number, or adds a new one.
  mutating func replace(_ entry: CatalogEntry) {
    if let place = places[entry.id] {
      trees.remove(entries[place].tree)
      for index in entries[place].indexes { indexes.remove(index.id) }
      entries[place] = entry
    } else {
      places[entry.id] = entries.count
      entries.append(entry)
    }
    trees.insert(entry.id)
    trees.insert(entry.tree)
    for index in entry.indexes { indexes.insert(index.id) }
  }
}

extension StoredCatalog {
  static let treeName = "meta"

  /// Reads the catalog.
  ///
  /// - Returns: The catalog, or nil where the file is empty.
  /// - Throws: ``StoreError`` for a file that is not a Croft store, is newer, or cannot be read.
  init?(_ transaction: borrowing some Transaction & ~Copyable, path: String) throws {
    guard let meta = try transaction.database(named: Self.treeName) else {
      // Croft does not write into an LMDB file that another program made.
      guard try transaction.isEmpty() else {
        throw StoreError.notACroftFile(
          path: path, reason: "it is an LMDB file that another program made")
      }
      return nil
    }
    let header = try StoreHeader(in: meta, transaction, path: path)
    let originals = try Self.entries(meta, header.version, transaction)
    self.init(
      meta: meta, log: try CommitLog(in: transaction),
      outbox: header.features.contains(.replication) ? try Outbox(in: transaction) : nil,
      header: header, entries: originals.map(\.entry))
    self.originals = Dictionary(
      originals.map { ($0.entry.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func entries(
    _ meta: Database, _ version: UInt32, _ transaction: borrowing some Transaction & ~Copyable
  ) throws -> [(json: Data, entry: CatalogEntry)] {
    var json: [Data] = []
    try transaction.forEachBlock(of: meta, in: .prefix(CatalogEntry.keyPrefix)) { block in
      for place in 0..<block.count {
        var value = block.value(at: place).copied()
        if version >= StoreHeader.firstWithChecksums {
          guard let checked = Checksum.value(of: value, under: block.key(at: place).copied())
          else {
            throw StoreError.corrupt(
              model: nil, key: nil, reason: "the checksum of a row of the catalog does not fit")
          }
          value = checked
        }
        json.append(Data(value))
      }
      return true
    }
    let decoder = JSONDecoder()
    do {
      return try json.map { (json: $0, entry: try decoder.decode(CatalogEntry.self, from: $0)) }
        .sorted { $0.entry.id < $1.entry.id }
    } catch let error as DecodingError {
      throw StoreError.corrupt(
        model: nil, key: nil, reason: "a row of the catalog cannot be read (\(error))")
    }
  }

  /// Writes the header into a file of an earlier format, and all entries in the present format.
  static func write(
    _ header: StoreHeader, to meta: Database, _ transaction: inout LMDB.WriteTransaction,
    path: String
  ) throws {
    if header.version < StoreHeader.formatVersion,
      var stored = try StoredCatalog(transaction, path: path)
    {
      stored.header = header
      return try stored.write(to: &transaction)
    }
    try header.write(to: meta, &transaction)
  }

  /// The features that the entries need.
  var neededFeatures: StoreFeatures {
    var features: StoreFeatures = []
    if entries.contains(where: \.hasVersionedExpressions) {
      features.insert(.versionedExpressions)
    }
    if entries.contains(where: { $0.indexes.contains(where: \.isText) }) {
      features.formUnion([.textSearch, .sharedPostingBlocks])
    }
    if entries.contains(where: { $0.isReplicated ?? false }) {
      features.formUnion([.replication, .earlierInsertions])
    }
    return features
  }

  /// Writes the header and all entries, in the present format and with the features that they need.
  mutating func write(to transaction: inout LMDB.WriteTransaction) throws {
    header.version = StoreHeader.formatVersion
    header.features.formUnion(neededFeatures)
    for entry in entries {
      let json = [UInt8](try json(of: entry))
      let key = CatalogEntry.keyPrefix + Array("\(entry.id)".utf8)
      let value = Checksum.appended(to: json, under: key)
      // Safety: neither array changes during the call.
      _ = try unsafe transaction.put(value.span.bytes, at: key.span.bytes, in: meta)
    }
    try header.write(to: meta, &transaction)
  }

  /// The JSON of an entry, with the keys that a later version of Croft wrote into it.
  private func json(of entry: CatalogEntry) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(entry)
    guard let original = originals[entry.id] else { return json }
    let read = try encoder.encode(original.entry)
    if read == original.json { return json }
    let decoder = JSONDecoder()
    let kept = try decoder.decode(CatalogJSON.self, from: json).keepingUnknown(
      of: try decoder.decode(CatalogJSON.self, from: original.json),
      readAs: try decoder.decode(CatalogJSON.self, from: read))
    return try encoder.encode(kept)
  }

  /// Reads the catalog, and makes an empty one where the file has none; it is not written yet.
  init(creatingIn transaction: inout LMDB.WriteTransaction, path: String) throws {
    if let stored = try StoredCatalog(transaction, path: path) {
      self = stored
      return
    }
    self.init(
      meta: try transaction.openDatabase(named: Self.treeName),
      log: try CommitLog(creatingIn: &transaction),
      header: StoreHeader(store: UUID().words), entries: [])
  }

  /// Changes a model's entry, and writes the catalog; a model that it lacks changes nothing.
  static func change(
    _ model: Int, in transaction: inout LMDB.WriteTransaction, path: String,
    _ body: (inout CatalogEntry) -> Void
  ) throws {
    guard var stored = try StoredCatalog(transaction, path: path),
      var entry = stored.entries.first(where: { $0.id == model })
    else { return }
    body(&entry)
    stored.replace(entry)
    stored.header.generation += 1
    try stored.write(to: &transaction)
  }

  /// Deletes all objects and forgets all models of the store.
  ///
  /// - Throws: ``StoreError/cannotOpen(path:reason:)`` where changes were not sent: nobody else has them.
  static func eraseAll(in transaction: inout LMDB.WriteTransaction, path: String) throws {
    guard let stored = try StoredCatalog(transaction, path: path) else { return }
    if let unsent = try stored.outbox?.count(in: transaction), unsent > 0 {
      throw StoreError.cannotOpen(
        path: path,
        reason: "its models do not fit the program's, and it is not emptied, because changes of "
          + "\(unsent) objects were not sent to the server; open it with the program that made them"
      )
    }
    for entry in stored.entries {
      let indexes = entry.indexes.map { CatalogEntry.treeName(ofIndex: $0.id) }
      for name in [entry.treeName] + indexes {
        if let tree = try transaction.database(named: name) { try transaction.empty(tree) }
      }
    }
    for tree in ReplicaTree.allCases {
      if let tree = try transaction.database(named: tree.rawValue) { try transaction.empty(tree) }
    }
    try transaction.empty(stored.meta)
    var empty = StoredCatalog(
      meta: stored.meta, log: stored.log, header: stored.header, entries: [])
    // A commit without a record in the log: observers elsewhere read all again.
    empty.header.sequence += 1
    empty.header.generation += 1
    try empty.write(to: &transaction)
  }

  /// The numbers in use, counted from 1, and the least that is free.
  struct TakenNumbers {
    private var numbers: Set<Int> = []
    /// The least number that is free.
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
}

/// A JSON value of the catalog, as it is stored.
///
/// A later version of Croft may have written keys that this one does not know. They are kept when an
/// entry is written again: ``keepingUnknown(of:readAs:)`` puts them back.
enum CatalogJSON: Codable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case text(String)
  case list([CatalogJSON])
  case object([String: CatalogJSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Decoders tell a value's type by trying: an error means that it has another one.
    func value<V: Decodable>(as make: (V) -> CatalogJSON) -> CatalogJSON? {
      (try? container.decode(V.self)).map(make)
    }
    self =
      try container.decodeNil()
      ? .null
      : value(as: Self.bool) ?? value(as: Self.integer) ?? value(as: Self.unsigned)
        ?? value(as: Self.number) ?? value(as: Self.text) ?? value(as: Self.list)
        ?? .object(try container.decode([String: CatalogJSON].self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// This value with the keys of its former self that the program did not read.
  ///
  /// Elements of lists are the same where they have the same `id` or `hash`; columns, which have
  /// neither and never change, where they have the same position.
  ///
  /// - Parameter read: The stored value as the program read it, without the keys that it does not
  ///   know.
  func keepingUnknown(of stored: CatalogJSON, readAs read: CatalogJSON) -> CatalogJSON {
    switch (self, stored, read) {
    case (.object(var object), .object(let stored), .object(let read)):
      for (key, value) in stored {
        if let readValue = read[key] {
          object[key] = object[key]?.keepingUnknown(of: value, readAs: readValue)
        } else if object[key] == nil {
          object[key] = value
        }
      }
      return .object(object)
    case (.list(let list), .list(let stored), .list(let read)) where stored.count == read.count:
      let pairs = zip(stored, read)
      return .list(
        list.enumerated().map { position, element in
          let former =
            if let identity = element.identity {
              pairs.first { $0.1.identity == identity }
                ?? element.replaced.flatMap { id in pairs.first { $0.1.identity == id } }
            } else {
              list.count == stored.count ? (stored[position], read[position]) : nil
            }
          return former.map { element.keepingUnknown(of: $0.0, readAs: $0.1) } ?? element
        })
    default: return self
    }
  }

  /// The number of the index that an index replaces, whose keys it takes over.
  private var replaced: CatalogJSON? {
    if case .object(let object) = self { object["replaces"] } else { nil }
  }

  /// What tells an element of a list from the others, if it has a number or a fingerprint.
  private var identity: CatalogJSON? {
    guard case .object(let object) = self else { return nil }
    return object["id"] ?? object["hash"]
  }
}
