import CroftFoundation

/// The difference between a model's catalog entry and a program's schema, and the entry afterwards.
///
/// It is computed from the two alone and writes nothing. Stored rows do not change: a row's layout
/// decides how it is read.
struct SchemaDiff {
  let schema: Schema
  /// The entry as it is stored; one without fields for a new model.
  let original: CatalogEntry
  /// The entry afterwards.
  var entry: CatalogEntry
  /// The fields of the program's columns, in declaration order.
  var fields: [Int] = []
  /// The layout in which the program reads and writes rows.
  var layout = CatalogEntry.Layout(id: RecordLayout.unregistered, columns: [])
  /// The indexes that must be built from the rows.
  var builds: [Int] = []
  /// Those of them whose entries were computed with other Unicode or time zone data.
  private(set) var outdated: [Int] = []
  var drops: [Int] = []
  /// The columns whose stored values cannot be converted, so that a migration replaces them.
  private(set) var replaced: Set<String> = []
  /// The fields whose nils are read as another value than before.
  var changedDefaults: Set<Int> = []
  /// The migrations that rewrite all rows, in the program's order.
  private(set) var migrations: [Migration]
  /// Whether the store knows the program's schema, so that another one may be newer.
  let isKnown: Bool
  let context: Context

  /// The parts of the store beside the model that its change depends on.
  struct Context {
    var rowCount: Int
    /// The numbers that the indexes of all models have.
    var indexes: StoredCatalog.TakenNumbers
    /// The number of each model, by its name in the program or in the store.
    var models: [String: Int]
    /// Whether the program does not declare the model, so that its entry does not change.
    var isForeign: Bool
    /// Whether the program uses the model all the same, so that its indexes must be those of the program's data.
    var isUsed = false
  }

  /// Computes the difference.
  ///
  /// - Parameters:
  ///   - dropping: The names of fields that a migration drops.
  ///   - migrations: The migrations that rewrite all rows, each for the columns that it names.
  ///   - isNewest: Whether the program's schema counts as the newest even if the store knows it.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` naming the field that does not
  ///   fit.
  private init(
    of original: CatalogEntry, to schema: Schema, _ context: Context,
    dropping: [String], migratedBy migrations: [Migration], isNewest: Bool
  ) throws {
    self.schema = schema
    self.original = original
    self.context = context
    self.migrations = migrations
    entry = original
    let fingerprint = schema.fingerprint
    let known = entry.knownSchemas.first { $0.fingerprint == fingerprint }
    isKnown = context.isForeign || known != nil && !isNewest
    if !isKnown { entry.rename(to: schema.name, from: schema.aliases) }
    let matches = try matches(of: known)
    try drop(dropping + (isKnown ? [] : schema.removed), matches.fields)
    try removeDisplaced(matches)
    if !context.isForeign { try removeTurned(matches) }
    for (place, column) in schema.columns.enumerated() {
      let field = try field(of: column, matches.fields[place])
      fields.append(field)
      if !context.isForeign { try resolveReference(of: column, field) }
    }
    try resolveKey()
    diffIndexes()
    try resolveLayout()
    if !context.isForeign {
      entry.note(CatalogEntry.KnownSchema(fingerprint: fingerprint, fields: fields))
    }
  }

  /// Computes the difference, and chooses the migrations that must run for it.
  init(
    of original: CatalogEntry, to schema: Schema, _ context: Context,
    choosingFrom all: [Migration]
  ) throws {
    let own = all.filter { $0.model.schema === schema }
    let new = own.filter { $0.name.map { !original.migrations.contains($0) } ?? false }
    func diff(migratedBy due: [Migration]) throws -> SchemaDiff {
      try SchemaDiff(
        of: original, to: schema, context, dropping: new.flatMap(\.drops), migratedBy: due,
        isNewest: !new.isEmpty)
    }
    let able = own.filter { migration in
      migration.change != nil && context.rowCount > 0
        && migration.name.map { name in new.contains { $0.name == name } } ?? true
    }
    let named = able.filter { $0.name != nil }
    do {
      self = try diff(migratedBy: named)
    } catch let error as StoreError {
      guard named.count < able.count else { throw error }
      // Of the migrations without a name, those run that name a property which cannot be converted.
      self = try diff(migratedBy: able)
      migrations.removeAll { $0.name == nil && !replaced.contains(where: $0.replaces) }
    }
    entry.migrations += new.compactMap(\.name)
  }

  var isPending: Bool { !migrations.isEmpty }

  /// Whether all rows are rewritten, or there are none.
  var isRewritten: Bool { !migrations.isEmpty || context.rowCount == 0 }

  /// Whether a column's stored values may be discarded: a migration replaces them, or there are none.
  mutating func mayReplace(_ column: String) -> Bool {
    if context.rowCount == 0 { return true }
    guard migrations.contains(where: { $0.replaces(column) }) else { return false }
    replaced.insert(column)
    return true
  }

  var isChange: Bool { entry != original }

  /// The fields that the program does not declare, in the catalog's order.
  var undeclared: [CatalogEntry.Field] { entry.fields.filter { !fields.contains($0.id) } }

  /// The stored type that a field has in the program's layout.
  func storage(of field: Int) -> StorageType? {
    if let place = fields.firstIndex(of: field) { return schema.columns[place].storage }
    return entry.fields.first { $0.id == field }?.storage
  }

  func mismatch(_ field: String?, _ reason: String) -> StoreError {
    .schemaMismatch(model: schema.name, field: field, reason: reason)
  }

  /// The part of an error that shows how to write a migration for a field.
  func migrationRemedy(_ field: String) -> String {
    (isKnown
      ? "open the store with the newer version of the program that changed it, or, to change it back, "
      : "") + "convert it where the store is opened: Store.open(at:models:migrations: "
      + "[.convert(\\\(schema.name).\(keyPath(to: field))) "
      + "{ old, new in new?.\(field) = … }])"
  }

  /// The path of a column, or of the optional struct that it belongs to.
  private func keyPath(to field: String) -> String {
    var path = ""
    for part in field.split(separator: ".") {
      path += (path.isEmpty ? "" : ".") + part
      if schema.place(named: path) != nil { break }
    }
    return path
  }

  /// Has the migrated rows written to a new tree, and all indexes built at once.
  mutating func rewriteRows(to tree: Int) {
    entry.tree = tree
    builds = entry.indexes.map(\.id)
    dropSuperseded()
    for place in entry.indexes.indices {
      (entry.indexes[place].isBuilding, entry.indexes[place].built) = (false, nil)
    }
  }

  /// Removes all layouts but the program's where no row has another one.
  mutating func forgetUnusedLayouts() {
    guard isRewritten, !context.isForeign else { return }
    entry.lastLayout = entry.newestLayout
    entry.layouts.removeAll { $0.id != layout.id }
  }

  private mutating func resolveLayout() throws {
    layout.columns = zip(fields, schema.columns).map { field, column in
      CatalogEntry.Layout.Column(
        field: field, type: StoredType(column.storage), isInKey: column.isOnlyInKey)
    }
    layout.columns += undeclared.map {
      CatalogEntry.Layout.Column(field: $0.id, type: $0.type, isInKey: false)
    }
    if let known = entry.layouts.first(where: { $0.columns == layout.columns }) {
      layout.id = known.id
      return
    }
    let last = entry.newestLayout
    guard last < UInt16.max else {
      throw mismatch(nil, "it had 65,535 layouts already; copy its objects into a new store")
    }
    layout.id = last + 1
    entry.layouts.append(layout)
  }

  /// Keeps, adds and removes indexes, and updates the types of their columns.
  ///
  /// A schema that the store does not know is taken for the newest: an index that it does not
  /// declare is removed. A known schema belongs to the same program or an older one, which keeps
  /// the indexes that others declared up to date.
  mutating func diffIndexes() {
    let declared = schema.indexes.map { index in
      CatalogEntry.Index(
        id: 0,
        columns: index.columns.map { column in
          var entered = stored(column)
          entered.isText = index.isText ? true : nil
          return entered
        }, isUnique: index.isUnique)
    }
    for index in entry.indexes where !keeps(index, declared) {
      drops.append(index.id)
    }
    entry.indexes.removeAll { drops.contains($0.id) }
    for place in entry.indexes.indices {
      let index = entry.indexes[place]
      resolveTypes(ofIndexAt: place, declared.first { $0.isSame(as: index) })
    }
    dropSuperseded()
    var taken = context.indexes
    for var index in declared where !entry.indexes.contains(where: { $0.isSame(as: index) }) {
      index.id = taken.least
      taken.insert(index.id)
      for place in index.columns.indices { resolveDataVersion(of: &index.columns[place]) }
      entry.indexes.append(index)
      builds.append(index.id)
    }
  }

  /// A column of an index that the program declares, as the catalog stores it.
  private func stored(_ column: IndexColumn) -> CatalogEntry.Index.Column {
    var stored = CatalogEntry.Index.Column(
      isDescending: column.isDescending, isCaseFolded: column.isCaseFolded,
      type: StoredType(schema.definition(of: column).storage))
    switch column.source {
    case .column(let place): stored.field = fields[place]
    case .expression(let computed):
      stored.expression = CatalogEntry.Expression(computed.expression) { fields[$0] }
      stored.operands = column.places.map { StoredType(schema.columns[$0].storage) }
    }
    return stored
  }

  private func keeps(
    _ index: CatalogEntry.Index, _ declared: [CatalogEntry.Index]
  ) -> Bool {
    let read = index.columns.flatMap(\.fields)
    guard read.allSatisfy({ entry.place(of: $0) != nil }) else { return false }
    if isKnown || declared.contains(where: { $0.isSame(as: index) }) { return true }
    // The delete rule of a field that the program does not declare needs the field's index.
    guard index.columns.count == 1, let field = index.columns[0].field, !fields.contains(field)
    else { return false }
    return entry.fields.contains { $0.id == field && $0.reference != nil }
  }

  /// Whether the program reads the fields of an index's expression with the types that they had.
  private func readsSame(_ column: CatalogEntry.Index.Column) -> Bool {
    guard let operands = column.operands else { return true }
    return column.fields.map { storage(of: $0) } == operands.map(\.storage)
  }

  /// Removes the indexes that were to replace one which is now built at once.
  mutating func dropSuperseded() {
    let superseded = entry.indexes.filter { $0.replaces.map(builds.contains) ?? false }.map(\.id)
    drops += superseded
    builds.removeAll(where: superseded.contains)
    entry.indexes.removeAll { superseded.contains($0.id) }
    for place in entry.indexes.indices where builds.contains(entry.indexes[place].id) {
      entry.indexes[place].awaitsRebuild = nil
    }
  }

  /// Marks new indexes to be built in later transactions, where that is safe.
  ///
  /// Delete rules need all entries of an index at every write, and a constraint that is in force
  /// must stay in force: while a unique index is being built, two objects that it does not cover
  /// yet may be given one value.
  ///
  /// - Parameter includingUnique: Whether new unique indexes are among them. A clash that is found later
  ///   takes such an index back, and nothing else that the opening changed.
  mutating func deferBuilds(includingUnique: Bool) {
    for place in entry.indexes.indices where builds.contains(entry.indexes[place].id) {
      let index = entry.indexes[place]
      let wasUnique = index.isUnique && original.indexes.contains { $0.id == index.id }
      entry.indexes[place].isBuilding =
        !servesRule(index) && !wasUnique && (includingUnique || !index.isUnique)
    }
  }

  /// Whether the entry would be what it was without its new indexes; so is that of a new model.
  var addsIndexesOnly: Bool {
    original.fields.isEmpty
      || entry.fields.map(\.withoutDomain) == original.fields.map(\.withoutDomain)
        && entry.name == original.name && original.indexes.allSatisfy(keepsEntries)
  }

  /// Whether a stored index stays usable until the change is complete, or is one that no row can stop.
  ///
  /// An index that is built again for this program's types has lost the entries of the program before.
  private func keepsEntries(of old: CatalogEntry.Index) -> Bool {
    guard let index = entry.indexes.first(where: { $0.id == old.id }) else { return false }
    return !builds.contains(old.id) || index.skipsDamagedRows == true
  }

  /// Whether deletes use the index to find the objects that refer to another one.
  private func servesRule(_ index: CatalogEntry.Index) -> Bool {
    index.columns.count == 1
      && entry.fields.contains { $0.id == index.columns[0].field && $0.reference != nil }
  }

  /// Has an index built again where its columns' key codes change, or a delete rule needs it now.
  ///
  /// - Parameter declared: The index as the program declares it; nil where it does not.
  private mutating func resolveTypes(
    ofIndexAt place: Int, _ declared: CatalogEntry.Index?
  ) {
    var index = entry.indexes[place]
    // While an index is rebuilt, the delete rule uses the one that it replaces.
    var isStale = index.isBuilding && index.replaces == nil && servesRule(index)
    for number in index.columns.indices {
      if resolveDataVersion(of: &index.columns[number]) {
        isStale = true
        index.skipsDamagedRows = true
        outdated.append(index.id)
      }
      let fields = index.columns[number].fields
      let types = fields.compactMap(storage)
      for (field, type) in zip(fields, types)
      where !type.isOptional && changedDefaults.contains(field) {
        isStale = true
      }
      if index.columns[number].operands != nil {
        isStale = isStale || !readsSame(index.columns[number])
        index.columns[number].operands = types.map { StoredType($0) }
        // An expression such as a ?? b says nothing of its type, which follows from its fields'.
        guard let declared = declared?.columns[number].type else { continue }
        isStale =
          isStale || !index.columns[number].type.storage.hasSameKeyCode(as: declared.storage)
        index.columns[number].type = declared
        continue
      }
      guard let type = types.first else { continue }
      guard !index.columns[number].type.storage.hasSameKeyCode(as: type) else { continue }
      index.columns[number].type = StoredType(type)
      isStale = true
    }
    if isStale {
      (index.isBuilding, index.built) = (false, nil)
      builds.append(index.id)
    }
    entry.indexes[place] = index
  }

  /// Compares the data with which a column's entries were computed with the program's, and notes those.
  ///
  /// - Returns: Whether the index must be built again. That of a model which the program does not
  ///   use is left to a program that does: without a version it is built again there. An index for
  ///   searches is not left, because a delete rule writes it in the form that this program knows.
  @discardableResult
  private func resolveDataVersion(of column: inout CatalogEntry.Index.Column) -> Bool {
    let functions = column.dataFunctions
    guard !functions.isEmpty else { return false }
    let isUsed = !context.isForeign || context.isUsed
    if let version = column.dataVersion, version.isCurrent(for: functions) {
      if isUsed { column.dataVersion?.noteRuntime() }
      return false
    }
    let isBuilt = isUsed || column.isText == true
    column.dataVersion = isBuilt ? DataVersion(of: functions) : nil
    return isBuilt
  }
}

extension CatalogEntry.Index {
  func isSame(as other: CatalogEntry.Index) -> Bool {
    isUnique == other.isUnique && columns.count == other.columns.count
      && zip(columns, other.columns).allSatisfy { $0.isSame(as: $1) }
  }
}
