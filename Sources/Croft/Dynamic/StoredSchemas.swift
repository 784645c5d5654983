import Synchronization

/// The schemas of all models that a file has, each with references to the others.
final class StoredSchemas: Sendable {
  private let schemas: Mutex<[Int: Schema]>

  /// No schemas.
  init() { schemas = Mutex([:]) }

  /// Makes the schemas of catalog entries.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for an entry without a primary key.
  init(_ entries: [CatalogEntry]) throws {
    schemas = Mutex([:])
    for entry in entries {
      // Weak, because the schemas are part of what they refer to.
      let schema = try Schema(entry) { [weak self] id in self?[id] ?? .missing }
      schemas.withLock { $0[entry.id] = schema }
    }
  }

  /// The schema of the model with a number; nil for none.
  subscript(id: Int) -> Schema? { schemas.withLock { $0[id] } }

  /// The schema of the model with a name; nil for none.
  subscript(name: String) -> Schema? {
    schemas.withLock { schemas in schemas.values.first { $0.name == name } }
  }

  /// All schemas, by name.
  var all: [Schema] { schemas.withLock { $0.values.sorted { $0.name < $1.name } } }
}

extension StoredSchemas {
  /// The schema of a model that a text names.
  ///
  /// - Throws: ``QueryTextError`` where there is none.
  func schema(named name: QuerySyntax.Name) throws(QueryTextError) -> Schema {
    if let schema = self[name.text] { return schema }
    let names = all.map(\.name)
    // The first word of a text is not a model where a statement, or a query of SQL, is meant.
    if name.position == 0, QueryResolver.meant(by: name.text, among: names) == nil,
      let advice = QueryParser.advice(onFirstWord: name.text, models: names)
    {
      throw QueryTextError(
        "the file has no model \(name.text): \(advice)", at: name.position)
    }
    throw QueryTextError(
      "the file has no model \(name.text)" + QueryResolver.near(name.text, among: names),
      at: name.position)
  }
}

extension Schema {
  /// The schema of a model that a damaged catalog refers to and does not have: no store has its table.
  fileprivate static let missing = Schema(
    name: "(no model)",
    columns: [ColumnDefinition(name: "id", storage: StorageType(.int64), isKey: true)])
}

/// All models that a file has, as its catalog describes them.
struct StoredModels: Sendable {
  let entries: [CatalogEntry]
  let schemas: StoredSchemas
  /// Their tables; nil for a file without a catalog.
  let catalog: Catalog?

  /// The table of a model.
  ///
  /// - Throws: ``StoreError/unknownModel(model:)``.
  func table(of schema: Schema) throws -> (Table, Catalog) {
    guard let catalog else { throw StoreError.unknownModel(model: schema.name) }
    return (try catalog.table(of: schema), catalog)
  }
}
