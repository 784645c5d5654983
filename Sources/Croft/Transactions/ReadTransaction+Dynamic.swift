import CroftFoundation
import LMDB
import Synchronization

// Reading models that the program need not declare.
extension ReadTransaction {
  /// The models that the file has, by name, as its catalog describes them.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)``.
  /// - Complexity: O(1) for each model and index, and the catalog once for each change of it.
  public func models() throws -> [StoredModel] {
    do {
      let stored = try storedModels()
      guard let catalog = stored.catalog else { return [] }
      let names = Dictionary(
        stored.entries.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
      return try catalog.all.map { table in
        let statistics = try table.statistics(in: base)
        let entry = stored.entries.first { $0.id == table.id }
        return StoredModel(
          name: table.schema.name,
          properties: entry?.fieldsInKeyOrder.map { field in
            StoredModel.Property(
              field, isKey: entry?.keys.contains(field.id) ?? false, names,
              defaultValue: table.schema.place(named: field.name).flatMap {
                table.schema.defaultValue(of: $0)
              })
          } ?? [], indexes: table.indexes.map { StoredModel.Index($0) },
          objectCount: statistics.rows.entries, bytes: statistics.bytes)
      }
    } catch { throw failing(error) }
  }

  /// The models of the file, read once for each state of the catalog.
  func storedModels() throws -> StoredModels {
    if let known = catalog.storedModels.withLock({ $0 }) { return known }
    let new = try SchemaUpdate.readAll(base, catalog.monitor)
    catalog.storedModels.withLock { $0 = new }
    return new
  }

  /// Fetches what a query text selects, in its order.
  ///
  /// - Returns: The objects with all their properties, or with the values that the query selects; of a query
  ///   with aggregates one row for each group.
  /// - Throws: ``QueryTextError`` for names and values that do not fit the file's models; ``StoreError`` as for
  ///   a typed query.
  /// - Complexity: That of the same typed query.
  public mutating func fetch(_ query: DynamicQuery) throws -> [DynamicObject] {
    var objects: [DynamicObject] = []
    try forEach(query) { object, _ in objects.append(object) }
    return objects
  }

  /// The names of the values that a query text selects, in their order; no object is read.
  ///
  /// - Throws: ``QueryTextError`` for names and values that do not fit the file's models.
  public mutating func names(of query: DynamicQuery) throws -> [String] {
    do { return try resolve(query).0.names } catch { throw failing(error) }
  }

  /// Passes what a query text selects to a closure, one after the other, without keeping it.
  ///
  /// The closure sets its second argument to true to stop; an error that it throws ends the loop.
  ///
  /// - Throws: As ``fetch(_:)-(DynamicQuery)``, and what the closure throws.
  public mutating func forEach(
    _ query: DynamicQuery, _ body: (DynamicObject, inout Bool) throws -> Void
  ) throws {
    do {
      let (resolved, table, catalog) = try resolve(query)
      try resolved.forEach(
        Plan(resolved.core, table, catalog, for: resolved.purpose, in: base), in: base, body)
    } catch { throw failing(error) }
  }

  /// Counts the objects or rows of a query text.
  ///
  /// - Throws: As ``fetch(_:)-(DynamicQuery)``.
  public mutating func count(_ query: DynamicQuery) throws -> Int {
    do {
      let (resolved, table, catalog) = try resolve(query)
      guard case .values = resolved.output else { return try fetch(query).count }
      return try QueryRun(Plan(resolved.core, table, catalog, for: .count, in: base)).count(
        in: base)
    } catch { throw failing(error) }
  }

  /// Tells how a query text would be run.
  ///
  /// - Returns: The plan for the objects that are read, with an estimate of their number.
  /// - Throws: ``QueryTextError``; ``StoreError/corrupt(model:key:reason:)``.
  public mutating func explain(_ query: DynamicQuery) throws -> QueryExplanation {
    do {
      let (resolved, table, catalog) = try resolve(query)
      return try Plan(resolved.core, table, catalog, in: base).withEstimate(in: base).explanation
    } catch { throw failing(error) }
  }

  private mutating func resolve(
    _ query: DynamicQuery
  ) throws -> (ResolvedQuery, Table, Catalog) {
    let stored = try storedModels()
    let resolved = try ResolvedQuery(query, stored.schemas, now: Date())
    let (table, catalog) = try stored.table(of: resolved.schema)
    // The columns may be others than those of the program's models: any change of a model matters.
    for table in catalog.all { note(whole: table) }
    return (resolved, table, catalog)
  }
}

extension StoredModel.Property {
  /// A property as the catalog has it.
  ///
  /// - Parameter models: The names of all models, by their numbers.
  fileprivate init(
    _ field: CatalogEntry.Field, isKey: Bool, _ models: [Int: String], defaultValue: StoredValue?
  ) {
    let reference = field.reference.map { reference in
      StoredModel.Reference(
        model: models[reference.model] ?? "", onDelete: reference.onDelete)
    }
    let cases = (field.domain?.cases ?? []).map { item in
      StoredModel.Case(name: item.name, value: item.stored(as: field.storage.kind))
    }
    self.init(
      name: field.name, type: field.storage, isPrimaryKey: isKey, reference: reference,
      cases: cases, defaultValue: defaultValue)
  }
}

extension StoredModel.Index {
  /// An index of a table.
  fileprivate init(_ index: any TableIndex) {
    self.init(
      columns: index.names, isUnique: index.status.definition.isUnique,
      isBuilding: index.isBuilding)
  }
}

extension ReadableStore {
  /// The models that the file has, by name, whether the program declares them or not.
  ///
  /// - Throws: ``StoreError``, as for a read.
  public var models: [StoredModel] {
    get throws { try read { try $0.models() } }
  }

  /// Fetches what a query text selects, in one read transaction.
  ///
  /// - Throws: As ``ReadTransaction/fetch(_:)-(DynamicQuery)``, and for a read.
  public func fetch(_ query: DynamicQuery) throws -> [DynamicObject] {
    try read { try $0.fetch(query) }
  }

  /// Counts the objects or rows of a query text, in one read transaction.
  ///
  /// - Throws: As ``ReadTransaction/fetch(_:)-(DynamicQuery)``, and for a read.
  public func count(_ query: DynamicQuery) throws -> Int { try read { try $0.count(query) } }
}
