// Which stored field each column is, also where a part of its name has changed.

extension SchemaDiff {
  /// A rename that the store has not seen yet.
  struct PendingRename {
    /// The field's number.
    let field: Int
    /// How many parts of the name change.
    let parts: Int
  }
}

extension SchemaDiff {
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
  func matches(of known: CatalogEntry.KnownSchema?, isForeign: Bool) throws -> FieldMatches {
    var matches = FieldMatches(fields: schema.columns.map { _ in nil })
    if let fields = known?.fields, fields.count == schema.columns.count {
      matches.fields = fields.map { entry.place(of: $0) == nil ? nil : $0 }
    } else if known == nil, !isForeign {
      var dues: [(place: Int, rename: SchemaDiff.PendingRename)] = []
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
            + "called that or what it was called; declare what is meant under its present name, or "
            + "as it was with @Renamed(from:)")
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
  func renamedField(of column: ColumnDefinition) throws -> SchemaDiff.PendingRename? {
    let search = FormerNames(column, entry.fields)
    let stored = search.all.filter { search.field($0) != nil }
    let consistent = stored.filter { names in
      names.indices.allSatisfy { search.choice(of: $0, in: names) == names[$0] }
    }
    if consistent.count == 1, let field = search.field(consistent[0]) {
      let parts = consistent[0].count { $0 > 0 }
      return parts > 0 ? SchemaDiff.PendingRename(field: field.id, parts: parts) : nil
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
