import CroftFoundation
import LMDB

// Objects of models that the program need not declare, in a store that uses those of the file.

// MARK: - Writing

extension WriteTransaction {
  /// Inserts an object of a model by the names of its properties.
  ///
  /// It is checked and written as the program that declares the model would, and nothing that this program could not
  /// read is written. A property that is left out is nil where it is optional, else it has the default that it had
  /// when it entered the file; a primary key that is a UUID, a new one. Other dates and UUIDs with a default are
  /// given, because the file has one value of `Date()` and not the expression.
  ///
  /// ```swift
  /// var options = Store.Options()
  /// options.usesStoredModels = true
  /// let store = try Store.open(at: url, models: [], options: options)
  /// try store.write { tx in try tx.insert("TodoItem", ["title": .string("milk")]) }
  /// ```
  ///
  /// - Parameters:
  ///   - model: The name of the model.
  ///   - values: The values by name; of a property in a struct the name has a dot, as `address.city`. An enum has
  ///     its raw value.
  ///   - allowingUnknownCases: Whether values are written that only the declaring program could refuse: those of an
  ///     enum that does not conform to `CaseIterable`, or that no program of this version declared yet.
  /// - Returns: The object with all its properties.
  /// - Throws: ``StoreError/unknownModel(model:)``; ``StoreError/schemaMismatch(model:field:reason:)`` for an unknown
  ///   property, a value that does not fit it, a required one that is left out, and a store that was opened without
  ///   ``Store/Options/usesStoredModels``; else as a typed insert. The transaction stays usable where that leaves it so.
  /// - Complexity: As for a typed insert, and O(*p*) for *p* properties of the model.
  @discardableResult
  public mutating func insert(
    _ model: String, _ values: [String: StoredValue], allowingUnknownCases: Bool = false
  ) throws -> DynamicObject {
    let schema = try dynamicSchema(named: model)
    let checked = try dynamicValues(values, of: schema, allowingUnknownCases)
    do {
      return try insert(try checked.row(at: 0), of: schema)
    } catch let error as QueryTextError {
      throw StoreError.schemaMismatch(model: model, field: nil, reason: error.reason)
    }
  }

  /// Sets properties of all objects that a query text selects, or of none of them.
  ///
  /// It is a ``savepoint(_:)`` of its own: if it throws, its changes are rolled back.
  ///
  /// - Parameters:
  ///   - query: The query, which selects objects, and no values of them; it is run before the first change.
  ///   - values: The new values by name, as for an insert. The primary key is not among them.
  ///   - allowingUnknownCases: As for an insert.
  /// - Returns: How many objects the query had. Those that had the values are not written.
  /// - Throws: ``QueryTextError`` for the query; ``StoreError`` as for an insert and a typed update. The transaction
  ///   stays usable.
  /// - Complexity: As for a typed update.
  @discardableResult
  public mutating func update(
    _ query: DynamicQuery, set values: [String: StoredValue], allowingUnknownCases: Bool = false
  ) throws -> Int {
    let resolved = try resolveObjects(query)
    let checked = try dynamicValues(values, of: resolved.schema, allowingUnknownCases)
    do {
      return try update(resolved.core, of: resolved.schema, try checked.change(at: 0))
    } catch let error as QueryTextError {
      throw StoreError.schemaMismatch(
        model: resolved.schema.name, field: nil, reason: error.reason)
    }
  }

  /// Deletes all objects that a query text selects, or none of them, and applies the delete rules.
  ///
  /// - Parameter query: The query, which selects objects, and no values of them.
  /// - Returns: How many objects of the model were deleted, as for a typed delete.
  /// - Throws: ``QueryTextError`` for the query; ``StoreError`` as for a typed delete.
  /// - Complexity: As for a typed delete.
  @discardableResult
  public mutating func delete(_ query: DynamicQuery) throws -> Int {
    let resolved = try resolveObjects(query)
    return try delete(resolved.core, of: resolved.schema)
  }

  /// Performs a statement.
  ///
  /// - Parameters:
  ///   - statement: The statement, which does all that it says, or nothing where it throws.
  ///   - allowingUnknownCases: As for an insert by names.
  /// - Returns: How many objects were inserted, updated or deleted.
  /// - Throws: ``QueryTextError`` for names and values that do not fit the file's models; ``StoreError`` as for the
  ///   methods that insert, update and delete by names.
  /// - Complexity: As for the typed statement.
  @discardableResult
  public mutating func perform(
    _ statement: DynamicStatement, allowingUnknownCases: Bool = false
  ) throws -> Int {
    do {
      return try perform(statement.statement, of: statement, allowingUnknownCases)
    } catch let error as QueryTextError {
      throw error.inText(statement.text)
    }
  }

  private mutating func perform(
    _ syntax: WriteStatement, of statement: DynamicStatement, _ allowsUnknownCases: Bool
  ) throws -> Int {
    let (schema, core, known) = try resolveCondition(of: statement)
    var resolver = known
    resolver.demand = Self.demand
    var values = DynamicValues(of: schema, resolver, allowingUnknownCases: allowsUnknownCases)
    for assignment in syntax.assignments { try values.set(assignment.name, to: assignment.value) }
    switch syntax.kind {
    case .insert:
      try insert(try values.row(at: syntax.model.position), of: schema)
      return 1
    case .update:
      let position = syntax.assignments.first?.name.position ?? syntax.model.position
      return try update(core, of: schema, try values.change(at: position))
    case .delete: return try delete(core, of: schema)
    }
  }

  /// Looks up the names of a statement's model and condition.
  func resolveCondition(
    of statement: DynamicStatement
  ) throws -> (Schema, QueryCore, QueryResolver) {
    let syntax = statement.statement
    let schemas = try dynamicSchemas(syntax.model.text)
    let schema = try schemas.schema(named: syntax.model)
    let resolver = QueryResolver(
      schema: { schemas[$0] }, parameters: statement.parameters,
      moment: QueryMoment(calendar: statement.calendar, now: Date()))
    var core = QueryCore()
    if let condition = syntax.condition {
      core.condition = try resolver.condition(condition, QueryScope(schema))
    }
    return (schema, core, resolver)
  }

  /// What an error about an assigned value tells to do.
  static var demand: String { "give it" }
}

// MARK: - Names and values

extension WriteTransaction {
  private func dynamicSchemas(_ model: String) throws -> StoredSchemas {
    try checkUsable()
    guard let schemas = catalog.storedSchemas else {
      throw StoreError.schemaMismatch(
        model: model, field: nil,
        reason:
          "objects are written by the names of their properties in a store that uses the models "
          + "of the file; open it once more, with models: [] and Store.Options.usesStoredModels")
    }
    return schemas
  }

  func dynamicSchema(named model: String) throws -> Schema {
    guard let schema = try dynamicSchemas(model)[model] else {
      throw StoreError.unknownModel(model: model)
    }
    return schema
  }

  private func dynamicValues(
    _ values: [String: StoredValue], of schema: Schema, _ allowsUnknownCases: Bool
  ) throws -> DynamicValues {
    let resolver = QueryResolver(
      schema: { _ in nil }, parameters: QueryParameters(values: values),
      moment: QueryMoment(calendar: .current, now: Date()), demand: Self.demand)
    var checked = DynamicValues(of: schema, resolver, allowingUnknownCases: allowsUnknownCases)
    for name in values.keys.sorted() {
      let value = QuerySyntax(kind: .literal(.parameter(name)), position: 0)
      do {
        try checked.set(QuerySyntax.Name(text: name, position: 0), to: .single(value))
      } catch {
        throw StoreError.schemaMismatch(model: schema.name, field: name, reason: error.reason)
      }
    }
    return checked
  }

  /// Looks up the names of a query that selects objects.
  private func resolveObjects(_ query: DynamicQuery) throws -> ResolvedQuery {
    let resolved = try resolve(query)
    let values = query.statement.selections.map(\.value) + query.statement.groups
    if let value = values.first {
      throw QueryTextError(
        "objects are changed, and no values of them: leave out select and group by",
        at: value.position, in: query.text)
    }
    return resolved
  }

  private func resolve(_ query: DynamicQuery) throws -> ResolvedQuery {
    try ResolvedQuery(query, try dynamicSchemas(query.model), now: Date())
  }
}

// MARK: - Rows

extension WriteTransaction {
  @discardableResult
  private mutating func insert(_ row: [StoredValue], of schema: Schema) throws -> DynamicObject {
    let table = try table(of: schema)
    for (column, value) in zip(table.layout.columns, row) { try table.check(value, column) }
    encoder.encode(row, table)
    try insertEncoded(table)
    return DynamicObject(model: schema.name, names: schema.columns.map(\.name), values: row)
  }

  private mutating func update(
    _ query: QueryCore, of schema: Schema, _ change: DynamicValues.Change
  ) throws -> Int {
    try writeMany { tx in
      let table = try tx.table(of: schema)
      let columns = change.columns.map { table.layout.columns[$0.place] }
      for (column, changed) in zip(columns, change.columns) {
        try table.check(changed.value, column)
      }
      let patch = RecordPatch(change.columns.map(\.place), table) { row in
        for (column, changed) in zip(columns, change.columns) {
          row.store(changed.value, as: column.storage)
        }
      }
      let keys = try tx.keys(of: query.forAggregates, table)
      for place in 0..<keys.count {
        try tx.base.checkProgress()
        // Safety: the keys do not change meanwhile.
        try unsafe tx.apply(patch, to: keys[place], table, whereThere: change.present)
      }
      return keys.count
    }
  }

  /// Changes a row, in which the structs of some columns must be there.
  private mutating func apply(
    _ patch: borrowing RecordPatch, to key: UnsafeRawBufferPointer, _ table: Table,
    whereThere structs: [Int]
  ) throws {
    // Safety: the needed bytes of the view are copied before anything is written.
    guard let old = try unsafe table.findRow(key, in: base, context) else { return }
    for place in structs
    where try table.layout.columns[place].value(in: old, table.layout) != .bool(true) {
      throw unsafe StoreError.schemaMismatch(
        model: table.schema.name, field: table.schema.columns[place].name,
        reason: "the object with key \(table.schema.describe(key: key)) has none: set all of its "
          + "properties, or leave such objects out")
    }
    if try patch.write(old, table.layout, to: &encoder) {
      try replaceRow(copying(old), table)
    }
  }
}

extension Table {
  /// Checks that a column which needs a value gets one.
  fileprivate func check(_ value: StoredValue, _ column: ColumnLayout) throws {
    guard value == StoredValue.none, !column.storage.isOptional else { return }
    throw StoreError.schemaMismatch(
      model: schema.name, field: layout.names[column.index],
      reason: "it needs a value, and would get none; set it")
  }
}

// MARK: - Reading

extension WriteTransaction {
  /// Fetches what a query text selects, in its order, with the changes of the transaction.
  ///
  /// - Returns: As ``ReadTransaction/fetch(_:)-(DynamicQuery)``.
  /// - Throws: As ``ReadTransaction/fetch(_:)-(DynamicQuery)``, and
  ///   ``StoreError/schemaMismatch(model:field:reason:)`` for a store without ``Store/Options/usesStoredModels``.
  /// - Complexity: That of the same typed query.
  public mutating func fetch(_ query: DynamicQuery) throws -> [DynamicObject] {
    var objects: [DynamicObject] = []
    try forEach(query) { object, _ in objects.append(object) }
    return objects
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
      let resolved = try resolve(query)
      for index in try resolved.paths.flatMap(catalog.indexes(of:)) { try flush(index) }
      let plan = try plan(resolved.core, try table(of: resolved.schema), for: resolved.purpose)
      try resolved.forEach(plan, in: base, body)
    } catch { throw failing(error) }
  }

  /// The names of the values that a query text selects, in their order; no object is read.
  ///
  /// - Throws: ``QueryTextError`` for names and values that do not fit the file's models.
  public mutating func names(of query: DynamicQuery) throws -> [String] {
    try resolve(query).names
  }
}
