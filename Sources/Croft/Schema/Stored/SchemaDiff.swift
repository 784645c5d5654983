#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What becomes of a stored model when a program with some form of it opens the store.
///
/// It is worked out from the record and the program's schema alone, and writes nothing. Rows
/// stay as they are: what changes is what they are read as.
struct SchemaDiff {
  let schema: Schema
  /// The record as it is stored; without fields for a model that is not.
  let original: CatalogEntry
  /// The record afterwards.
  var record: CatalogEntry
  /// The fields of the program's columns, in declaration order.
  var fields: [Int] = []
  /// The layout that the program sees rows in.
  var layout = CatalogEntry.Layout(id: RowLayout.unregistered, columns: [])
  /// The indexes whose entries must be made from the rows.
  var builds: [Int] = []
  /// The indexes that are no more.
  var drops: [Int] = []
  /// The columns whose stored values cannot be carried, and are left to a migration.
  private(set) var replaced: Set<String> = []
  /// The fields whose nils are read as something else than before.
  var changedPresets: Set<Int> = []
  /// The migrations that rewrite all rows.
  private let migrations: [Migration]
  let surroundings: Surroundings

  /// What a model's change depends on beside the model.
  struct Surroundings {
    /// How many objects there are.
    var rowCount: Int
    /// The numbers that the indexes of all models have.
    var indexes: TakenNumbers
    /// The number of each model, by its name in the program or in the store.
    var models: [String: Int]
    /// Whether the program does not declare the model, so that all stays as it is.
    var isForeign = false
  }

  /// Works out the change.
  ///
  /// - Parameters:
  ///   - original: The stored record.
  ///   - schema: The program's form of the model.
  ///   - surroundings: What else there is.
  ///   - dropping: The names of fields that a migration drops.
  ///   - migrations: The migrations that rewrite all rows, each for the columns that it names.
  ///   - isNewest: Whether the program's word is final, even if the store met its form before.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` naming what does not fit.
  init(
    of original: CatalogEntry, to schema: Schema, _ surroundings: Surroundings,
    dropping: [String] = [], migratedBy migrations: [Migration] = [], isNewest: Bool = false
  ) throws {
    self.schema = schema
    self.original = original
    self.surroundings = surroundings
    self.migrations = migrations
    record = original
    let form = schema.form
    let known = record.forms.first { $0.hash == form }
    let isKnown = surroundings.isForeign || known != nil && !isNewest
    if !isKnown { record.rename(to: schema.name, from: schema.aliases) }
    let claims = try claims(of: known, isForeign: surroundings.isForeign)
    try drop(dropping + (isKnown ? [] : schema.removed), claims.fields)
    try settleDisplaced(claims)
    for (place, column) in schema.columns.enumerated() {
      let field = try field(of: column, claims.fields[place], isKnown: isKnown)
      fields.append(field)
      if !surroundings.isForeign { try settleReference(of: column, field, isKnown: isKnown) }
    }
    try settleKey()
    evolveIndexes(isKnown: isKnown)
    try settleLayout()
    if !surroundings.isForeign { record.note(CatalogEntry.Form(hash: form, fields: fields)) }
  }

  /// Whether all rows are written anew, or there are none.
  var isRewritten: Bool { !migrations.isEmpty || surroundings.rowCount == 0 }

  /// Whether a column's stored values may go, because a migration replaces them or there are none.
  mutating func mayReplace(_ column: String) -> Bool {
    if surroundings.rowCount == 0 { return true }
    guard migrations.contains(where: { $0.replaces(column) }) else { return false }
    replaced.insert(column)
    return true
  }

  /// Whether the store must be written to.
  var isChange: Bool { record != original }

  /// Whether rows, or what they are read as, change: more than notes about the program.
  var isMoreThanNotes: Bool {
    var plain = record
    plain.forms = original.forms
    for place in plain.fields.indices where place < original.fields.count {
      plain.fields[place].preset = original.fields[place].preset
      plain.fields[place].isPresetFormer = original.fields[place].isPresetFormer
    }
    return plain != original
  }

  /// The fields that the program does not declare, in the catalog's order.
  var hidden: [CatalogEntry.Field] { record.fields.filter { !fields.contains($0.id) } }

  /// The stored type that a field has in the program's layout.
  func storage(of field: Int) -> StorageType? {
    if let place = fields.firstIndex(of: field) { return schema.columns[place].storage }
    return record.fields.first { $0.id == field }?.storage
  }

  func mismatch(_ field: String?, _ reason: String) -> StoreError {
    .schemaMismatch(model: schema.name, field: field, reason: reason)
  }

  /// What to do about a change that needs the program's word.
  func migrationRemedy(_ field: String) -> String {
    "convert it where the store is opened: Store.open(at:models:migrations: "
      + "[.model(\(schema.name).self, replacing: \\.\(keyPath(to: field))) "
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

  /// Has the entries of all indexes made at once, because all rows are written anew.
  mutating func buildAll() {
    builds = record.indexes.map(\.id)
    dropSuperseded()
    for place in record.indexes.indices {
      (record.indexes[place].isBuilding, record.indexes[place].built) = (false, nil)
    }
  }

  /// Forgets all layouts but the program's, because there is no row of another one.
  mutating func forgetOtherLayouts() {
    record.lastLayout = record.newestLayout
    record.layouts.removeAll { $0.id != layout.id }
  }

  private mutating func settleLayout() throws {
    layout.columns = zip(fields, schema.columns).map { field, column in
      CatalogEntry.Layout.Column(
        field: field, type: StoredType(column.storage), isInKey: column.isOnlyInKey)
    }
    layout.columns += hidden.map {
      CatalogEntry.Layout.Column(field: $0.id, type: $0.type, isInKey: false)
    }
    if let known = record.layouts.first(where: { $0.columns == layout.columns }) {
      layout.id = known.id
      return
    }
    let last = record.newestLayout
    guard last < UInt16.max else {
      throw mismatch(nil, "it had 65,535 layouts already; copy its objects into a new store")
    }
    layout.id = last + 1
    record.layouts.append(layout)
  }
}

// What a program that always has a struct tells others, which may lack it.

extension SchemaDiff {
  /// The places of hidden columns that tell if a struct is there which the program always has.
  ///
  /// Where one says for another program that there is no struct, what that one saves next takes the
  /// values away; so all that this program writes has to say that there is. A struct inside one
  /// that the program may lack has a column of its own, which is not hidden.
  var structMarks: [Int] {
    let declared = record.fields.filter { fields.contains($0.id) }
    return layout.columns.indices.dropFirst(fields.count).filter { place in
      let id = layout.columns[place].field
      guard let mark = record.fields.first(where: { $0.id == id }),
        mark.storage == StorageType(.bool)
      else { return false }
      return declared.contains { $0.isInside(mark.name) }
    }
  }
}

extension CatalogEntry.Field {
  /// Whether it is, or was once, a property inside a struct of some name.
  fileprivate func isInside(_ name: String) -> Bool {
    ([self.name] + aliases).contains { $0.hasPrefix(name + ".") }
  }
}
