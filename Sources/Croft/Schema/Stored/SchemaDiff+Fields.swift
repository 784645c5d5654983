import CroftFoundation

// Which stored field each column is, also where a part of its name has changed.

extension SchemaDiff {
  /// A rename that the store has not seen yet: the field's number, and how many parts of its name change.
  typealias PendingRename = (field: Int, parts: Int)

  /// The stored field of each column.
  struct FieldMatches {
    /// The fields' numbers; nil for a new property.
    var fields: [Int?]
    /// The places of the columns that this program renames.
    var renamed: [Int] = []
  }

  /// Finds the stored field of each column.
  ///
  /// A schema that the store knows has the fields that it had then, whatever their present names.
  /// For an unknown schema renames that the store has not seen yet are applied first, so that two
  /// names can be swapped; then columns are matched by their present names, then by former ones.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where names, and former names, do
  ///   not tell which field is meant.
  func matches(of known: CatalogEntry.KnownSchema?) throws -> FieldMatches {
    var matches = FieldMatches(fields: schema.columns.map { _ in nil })
    if let fields = known?.fields, fields.count == schema.columns.count {
      matches.fields = fields.map { entry.place(of: $0) == nil ? nil : $0 }
    } else if known == nil, !context.isForeign {
      var dues: [(place: Int, rename: PendingRename)] = []
      for (place, column) in schema.columns.enumerated() {
        if let rename = try renamedField(of: column) { dues.append((place, rename)) }
      }
      // Where a struct is renamed, properties renamed inside it are matched before those that have
      // that name now.
      dues.sort { ($1.rename.parts, $0.place) < ($0.rename.parts, $1.place) }
      for due in dues where !matches.fields.contains(due.rename.field) {
        matches.fields[due.place] = due.rename.field
        matches.renamed.append(due.place)
      }
    }
    for (place, column) in schema.columns.enumerated() where matches.fields[place] == nil {
      let field = entry.fields.first { $0.name == column.name }?.id
      if !matches.fields.contains(field) { matches.fields[place] = field }
    }
    let unmatched = entry.fields.filter { !matches.fields.contains($0.id) }
    for (place, column) in schema.columns.enumerated() where matches.fields[place] == nil {
      let formers = unmatched.filter { field in
        field.aliases.contains(column.name) || column.aliases.contains { field.isNamed($0) }
      }
      if formers.count > 1, context.rowCount > 0 {
        throw mismatch(
          column.name,
          "the store has no such field, and \(formers.map(\.name).joined(separator: ", ")) were "
            + "called that or what it was called; declare the intended one under its present name, or "
            + "under its former name with @Renamed(from:)")
      }
      matches.fields[place] = formers.first { !matches.fields.contains($0.id) }?.id
    }
    return matches
  }

  /// Removes fields of an empty model that a renamed column displaces, and refuses that otherwise.
  mutating func removeDisplaced(_ matches: FieldMatches) throws {
    for place in matches.renamed {
      let column = schema.columns[place]
      guard
        let other = entry.fields.first(where: {
          $0.name == column.name && !matches.fields.contains($0.id)
        })
      else { continue }
      guard context.rowCount == 0 else {
        let former = entry.fields.first { $0.id == matches.fields[place] }?.name ?? ""
        throw mismatch(
          column.name,
          "@Renamed says that it was \(former), and the store has a \(column.name) beside that; "
            + "say what becomes of it: declare it under another name with @Renamed(from: "
            + "\"\(column.name)\"), or drop it where the store is opened: Store.open(at:models:"
            + "migrations: [.drop(\"\(column.name)\", of: \(schema.name).self)])")
      }
      entry.fields.removeAll { $0.id == other.id }
    }
  }

  /// The field that a column renames; nil if the store has that rename already.
  ///
  /// The property and each struct around it may have been renamed, each of them a part of the
  /// column's name. A part still has its former name in the store unless the field with the present
  /// name has that former name among its aliases.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where objects are stored and the
  ///   parts do not lead to exactly one field.
  private func renamedField(of column: ColumnDefinition) throws -> PendingRename? {
    let search = FormerNames(column, entry.fields)
    let stored = search.all.filter { search.field($0) != nil }
    let consistent = stored.filter { names in
      names.indices.allSatisfy { search.choice(of: $0, in: names) == names[$0] }
    }
    if consistent.count == 1, let field = search.field(consistent[0]) {
      let parts = consistent[0].count { $0 > 0 }
      return parts > 0 ? (field.id, parts) : nil
    }
    guard !stored.isEmpty, context.rowCount > 0 else { return nil }
    let names = (consistent.isEmpty ? stored : consistent).map(column.name)
    throw mismatch(
      column.name,
      "@Renamed is said of it and of a struct around it, and each of \(names.joined(separator: ", ")) "
        + "in the store could be what it was; open the store first with one of the renames alone, "
        + "and then with the next")
  }
}

/// The names that a column may have had.
///
/// A name is a list of numbers, one for each renamed part: 0 for the present name of the part, or
/// the place of a former name in its list, counted from 1.
private struct FormerNames {
  let column: ColumnDefinition
  let fields: [String: CatalogEntry.Field]
  let all: [[Int]]

  init(_ column: ColumnDefinition, _ fields: [CatalogEntry.Field]) {
    self.column = column
    self.fields = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    all = column.renames.reduce([[]]) { all, rename in
      all.flatMap { names in (0...rename.formers.count).map { names + [$0] } }
    }
  }

  /// The field whose present name it is.
  func field(_ names: [Int]) -> CatalogEntry.Field? { fields[column.name(names)] }

  /// The number of a part's name in the store, given the names of the other parts.
  func choice(of part: Int, in names: [Int]) -> Int {
    var names = names
    names[part] = 0
    let formers = all.filter { $0[part] > 0 }.map(column.name)
    if let own = field(names), own.aliases.contains(where: formers.contains) { return 0 }
    for former in column.renames[part].formers.indices {
      names[part] = former + 1
      if field(names) != nil { return former + 1 }
    }
    return 0
  }
}

// How each stored field changes: added, dropped, widened, or with another default.

extension SchemaDiff {
  /// Forgets fields, unless the program declares them.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` for a name that no field has and
  ///   that is probably the misspelled name of one that could be dropped.
  mutating func drop(_ names: [String], _ matches: [Int?]) throws {
    for name in names {
      let undeclared = entry.fields.filter { !matches.contains($0.id) }
      let found = undeclared.filter { $0.name == name }
      let dropped = found.isEmpty ? undeclared.filter { $0.isNamed(name) } : found
      if dropped.isEmpty, !entry.fields.contains(where: { $0.isNamed(name) }),
        let meant = undeclared.first(where: { $0.name.isMisspelled(as: name) })
      {
        throw mismatch(
          name, "it is to be dropped, and the store has no such field; did you mean \(meant.name)?")
      }
      entry.fields.removeAll { field in dropped.contains { $0.id == field.id } }
    }
  }

  /// Reconciles a column's name and type with its stored field, or adds a field.
  mutating func field(of column: ColumnDefinition, _ match: Int?) throws -> Int {
    guard let match, let place = entry.place(of: match) else { return try addField(column) }
    do {
      try resolveType(of: column, at: place)
    } catch let error as StoreError {
      guard mayReplace(column.name) else { throw error }
      // Rows keep their bytes under the field's old number, which no program reads again.
      entry.fields.remove(at: place)
      return try addField(column)
    }
    if !isKnown { entry.fields[place].rename(to: column.name, from: column.aliases) }
    if !context.isForeign, let domain = column.domain { entry.fields[place].declare(domain) }
    return match
  }

  private mutating func addField(_ column: ColumnDefinition) throws -> Int {
    let value =
      marksStoredStruct(column)
      ? Self.present : column.isKey ? nil : column.evaluateDefault(of: schema).map { Data($0) }
    guard value != nil || column.storage.isOptional || mayReplace(column.name) else {
      throw mismatch(
        column.name,
        "\(context.rowCount) stored objects have no value for it; give the property a default, make it "
          + "optional, name the field it was with @Renamed(from:), or "
          + migrationRemedy(column.name))
    }
    let id = entry.nextField
    entry.fields.append(
      CatalogEntry.Field(
        id: id, name: column.name, aliases: column.aliases, type: StoredType(column.storage),
        defaultForOldRows: value, declaredDefault: value,
        isDefaultRetired: column.storage.isOptional && value != nil ? true : nil,
        domain: column.domain))
    entry.nextField += 1
    return id
  }

  /// The bytes of the column of an optional struct's presence, where the struct is present.
  private static let present = Data([1])

  private mutating func resolveType(
    of column: ColumnDefinition, at place: Int
  ) throws {
    var field = entry.fields[place]
    let (stored, declared) = (field.storage, column.storage)
    guard let widening = RecordTranscoder.Widening(from: stored, to: declared),
      !column.isKey || stored.hasSameKeyCode(as: declared)
    else {
      throw mismatch(
        column.name,
        "the store holds \(stored.text), the program declares \(declared.text); declare what "
          + "the store holds, or " + migrationRemedy(column.name))
    }
    if widening != .none {
      field.defaultForOldRows = field.defaultForOldRows.map {
        widening.apply(to: $0, width: declared.width)
      }
      field.declaredDefault = field.declaredDefault.map {
        widening.apply(to: $0, width: declared.width)
      }
    }
    if !column.isKey { resolveDefault(of: column, &field, from: stored) }
    // Rows of other programs may still hold nil, unless all rows are rewritten.
    let isOptional = declared.isOptional || (stored.isOptional && !isRewritten)
    field.storage = isOptional ? declared.optional : declared
    guard
      declared.isOptional || !stored.isOptional || field.declaredDefault != nil
        || mayReplace(column.name)
    else {
      throw mismatch(
        column.name,
        "the store holds \(stored.text), the program declares \(declared.text); give the "
          + "property a default for the objects that have none, declare it optional, or "
          + migrationRemedy(column.name))
    }
    guard
      declared.isOptional || !stored.isOptional || !isUnique(column, field.id)
        || mayReplace(column.name)
    else {
      throw mismatch(
        column.name,
        "its values are unique, and the store holds \(stored.text): objects without a value clash "
          + "with nobody, and would all have one default; declare it optional, or "
          + migrationRemedy(column.name))
    }
    entry.fields[place] = field
  }

  /// Whether a column belongs to a unique index that the program declares or keeps up to date.
  private func isUnique(_ column: ColumnDefinition, _ field: Int) -> Bool {
    schema.indexes.contains { index in
      index.isUnique
        && index.columns.contains { schema.definition(of: $0).name == column.name }
    }
      || isKnown
        && entry.indexes.contains { index in
          index.isUnique && index.columns.contains { $0.field == field }
        }
  }

  /// Decides what a nil is read as where the program needs a value.
  ///
  /// Once a program declares a field optional, the default from before no longer counts, and the
  /// next program that needs a value sets a new one. An older program may have the same fingerprint,
  /// which does not include the default's value; its default then stays.
  private mutating func resolveDefault(
    of column: ColumnDefinition, _ field: inout CatalogEntry.Field, from stored: StorageType
  ) {
    let readsNil = stored.isOptional && !column.storage.isOptional
    let isFormer = readsNil && field.isDefaultRetired == true
    if field.declaredDefault == nil || isFormer {
      let declaredDefault = column.evaluateDefault(of: schema).map { Data($0) }
      if isFormer, field.declaredDefault != declaredDefault { changedDefaults.insert(field.id) }
      if !isKnown || field.declaredDefault != declaredDefault { field.isDefaultRetired = nil }
      field.declaredDefault = declaredDefault
    }
    if column.storage.isOptional, !isKnown, field.declaredDefault != nil {
      field.isDefaultRetired = true
    }
  }

  /// Stores the model that a field refers to; of two programs that differ the newer one decides.
  mutating func resolveReference(of column: ColumnDefinition, _ field: Int) throws {
    guard let place = entry.place(of: field), !isKnown || column.reference != nil else { return }
    guard let reference = column.reference else {
      entry.fields[place].reference = nil
      return
    }
    if isKnown, entry.fields[place].reference != nil { return }
    let target = reference.target().name
    guard let model = context.models[target] else {
      throw mismatch(
        column.name,
        "it refers to \(target), which the store does not hold; name \(target) in "
          + "Store.open(at:models:) as well")
    }
    entry.fields[place].reference = CatalogEntry.Reference(
      model: model, onDelete: reference.onDelete)
  }

  /// Checks that the primary key is unchanged, or stores the one that a migration makes.
  mutating func resolveKey() throws {
    let keys = schema.keyPlaces.map { fields[$0] }
    if entry.keys == keys { return }
    guard schema.keyPlaces.contains(where: { mayReplace(schema.columns[$0].name) }) else {
      let stored = entry.keys.map { id in
        entry.fields.first { $0.id == id }?.name ?? "field \(id)"
      }.joined(separator: ", ")
      throw mismatch(
        schema.key.name,
        "the store's primary key is \(stored); mark that one, or "
          + migrationRemedy(schema.key.name)
      )
    }
    entry.keys = keys
  }
}

// What becomes of structs, whose properties have columns of their own, and of the columns that mark
// optional ones as present.

extension SchemaDiff {
  /// Removes fields whose property turned into a struct, or out of one, where a migration replaces it.
  ///
  /// Such a property has its name in common with its former self, and no field: it would be read as
  /// its default, while the stored values stay in fields that nobody reads.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where no migration does.
  mutating func removeTurned(_ matches: FieldMatches) throws {
    for structure in schema.structures {
      let place = schema.place(named: structure.name)
      let matched = place.flatMap { matches.fields[$0] }
      let turned = entry.fields.first { field in
        structure.names.contains(field.name) && !wasMark(field)
          && (field.id == matched || !matches.fields.contains(field.id))
      }
      guard let turned else { continue }
      try remove(
        [turned.id], of: structure.name,
        "the store holds \(turned.storage.text), the program declares a struct")
    }
    for (column, matched) in zip(schema.columns, matches.fields)
    where !schema.structures.contains(where: { $0.name == column.name }) {
      let names = [column.name] + column.aliases
      let inside = entry.fields.filter { field in
        names.contains { field.name.hasPrefix($0 + ".") }
      }
      // The mark of a struct is no value of the property that has its name now.
      let mark = entry.fields.filter {
        isMark($0) && ($0.id == matched || matched == nil && names.contains($0.name))
      }
      // A struct whose properties have other columns was renamed.
      let isElsewhere = inside.contains { matches.fields.contains($0.id) }
      if isElsewhere ? !mark.contains(where: { $0.id == matched }) : (inside + mark).isEmpty {
        continue
      }
      try remove(
        (isElsewhere ? mark : inside + mark).map(\.id), of: column.name,
        "the store holds a struct, the program declares \(column.storage.text)")
    }
  }

  private mutating func remove(_ fields: [Int], of column: String, _ reason: String) throws {
    guard mayReplace(column) else {
      throw mismatch(
        column, reason + "; declare what the store holds, or " + migrationRemedy(column))
    }
    entry.fields.removeAll { fields.contains($0.id) }
  }

  /// Whether a field stores, or once stored, the presence of an optional struct.
  private func wasMark(_ field: CatalogEntry.Field) -> Bool {
    field.storage == StorageType(.bool) && original.fields.contains { $0.isInside(field.name) }
  }

  /// Whether a field stores the presence of an optional struct that has its name now.
  private func isMark(_ field: CatalogEntry.Field) -> Bool {
    field.storage == StorageType(.bool)
      && original.fields.contains { $0.name.hasPrefix(field.name + ".") }
  }

  /// Whether a column stores the presence of a struct that was not optional up to now.
  func marksStoredStruct(_ column: ColumnDefinition) -> Bool {
    guard column.storage == StorageType(.bool) else { return false }
    return schema.columns.contains { inner in
      inner.name.hasPrefix(column.name + ".")
        && original.fields.contains { field in
          field.isNamed(inner.name) || inner.aliases.contains { field.isNamed($0) }
        }
    }
  }

  /// The places of undeclared columns that store the presence of a struct the program always has.
  ///
  /// Another program declares that struct optional. A row that this program writes must mark it as
  /// present: the other program would read nil, and erase the struct's values when it saves.
  var structMarks: [Int] {
    let declared = entry.fields.filter { fields.contains($0.id) }
    return layout.columns.indices.dropFirst(fields.count).filter { place in
      let id = layout.columns[place].field
      guard let mark = entry.fields.first(where: { $0.id == id }),
        mark.storage == StorageType(.bool)
      else { return false }
      return declared.contains { $0.isInside(mark.name) }
    }
  }
}

extension CatalogEntry.Field {
  /// Whether it is, or once was, a property inside a struct of this name.
  fileprivate func isInside(_ name: String) -> Bool {
    ([self.name] + aliases).contains { $0.hasPrefix(name + ".") }
  }
}

extension Schema {
  /// The structs around columns, each with its present and former names.
  fileprivate var structures: [(name: String, names: Set<String>)] {
    var names: [String: Set<String>] = [:]
    for column in columns {
      let all = ([column.name] + column.aliases).map { $0.split(separator: ".") }
      for count in 1..<max(1, all[0].count) {
        names[all[0].prefix(count).joined(separator: "."), default: []]
          .formUnion(all.map { $0.prefix(count).joined(separator: ".") })
      }
    }
    return names.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension StorageType {
  /// Whether a value's key code is the same in both types.
  func hasSameKeyCode(as other: StorageType) -> Bool {
    if self == other { return true }
    guard collection == nil, other.collection == nil else { return false }
    return isOptional == other.isOptional
      && (kind.isSigned && other.kind.isSigned || kind.isUnsigned && other.kind.isUnsigned)
  }
}

extension RecordTranscoder.Widening {
  /// A value's bytes in the wider type.
  func apply(to bytes: Data, width: Int) -> Data {
    guard self != .none else { return bytes }
    var wide = _ByteBuffer()
    wide.reserve(width)
    // Safety: the buffer has room for the width.
    let source = [UInt8](bytes)
    unsafe source.withUnsafeBytes { unsafe copy($0, to: wide.base, width: width) }
    wide.count = width
    return Data(wide.copied)
  }
}

extension String {
  /// Whether it differs from another text in one letter, or in the case of letters alone.
  fileprivate func isMisspelled(as other: String) -> Bool {
    let (left, right) = (Array(lowercased()), Array(other.lowercased()))
    if left == right { return true }
    let (short, long) = left.count < right.count ? (left, right) : (right, left)
    guard short.count >= 4, long.count - short.count < 2 else { return false }
    let start = zip(short, long).prefix { $0 == $1 }.count
    let rest = short.dropFirst(start + (short.count == long.count ? 1 : 0))
    // Names that differ in a number at the end are two names, and no misspelling.
    return long[start].isLetter && long.dropFirst(start + 1).elementsEqual(rest)
      && (short.count < long.count || short[start].isLetter)
  }
}
