// Which stored field each column is.


/// A rename that the store has not seen yet.
struct DueRename {
  /// The field's number.
  let field: Int
  /// How many parts of the name change.
  let parts: Int
}

extension SchemaDiff {
  /// Which stored field each column is.
  struct Claims {
    /// The fields' numbers; nil for a new property.
    var fields: [Int?]
    /// The places of the columns that are renamed now.
    var renamed: [Int] = []
  }

  /// Finds the stored field of each column.
  ///
  /// A form of the model that the store met before has the fields that it had then, whatever they
  /// are called by now. For another one a rename that the store has not seen yet comes first, so
  /// that names can change places; then the present names, and then former ones.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where names, and former names, do
  ///   not tell which field is meant.
  func claims(of known: CatalogEntry.Form?, isForeign: Bool) throws -> Claims {
    var claims = Claims(fields: schema.columns.map { _ in nil })
    if let fields = known?.fields, fields.count == schema.columns.count {
      claims.fields = fields.map { record.place(of: $0) == nil ? nil : $0 }
    } else if known == nil, !isForeign {
      var dues: [(place: Int, rename: DueRename)] = []
      for (place, column) in schema.columns.enumerated() {
        if let rename = try renamedField(of: column) { dues.append((place, rename)) }
      }
      // Where a struct is renamed, what was renamed in it comes before what has that name now.
      dues.sort { ($1.rename.parts, $0.place) < ($0.rename.parts, $1.place) }
      for due in dues where !claims.fields.contains(due.rename.field) {
        claims.fields[due.place] = due.rename.field
        claims.renamed.append(due.place)
      }
    }
    for (place, column) in schema.columns.enumerated() where claims.fields[place] == nil {
      let field = record.fields.first { $0.name == column.name }?.id
      if !claims.fields.contains(field) { claims.fields[place] = field }
    }
    let unclaimed = record.fields.filter { !claims.fields.contains($0.id) }
    for (place, column) in schema.columns.enumerated() where claims.fields[place] == nil {
      let formers = unclaimed.filter { field in
        field.aliases.contains(column.name) || column.aliases.contains { field.isNamed($0) }
      }
      if formers.count > 1, surroundings.rowCount > 0 {
        throw mismatch(
          column.name,
          "the store has no such field, and \(formers.map(\.name).joined(separator: ", ")) were "
            + "called that or what it was called; declare what is meant under its present name, or "
            + "as it was with @Renamed(from:)")
      }
      claims.fields[place] = formers.first { !claims.fields.contains($0.id) }?.id
    }
    return claims
  }

  /// Refuses a rename to the name of a stored field that the program no longer declares.
  mutating func settleDisplaced(_ claims: Claims) throws {
    for place in claims.renamed {
      let column = schema.columns[place]
      guard
        let other = record.fields.first(where: {
          $0.name == column.name && !claims.fields.contains($0.id)
        })
      else { continue }
      guard surroundings.rowCount == 0 else {
        let former = record.fields.first { $0.id == claims.fields[place] }?.name ?? ""
        throw mismatch(
          column.name,
          "@Renamed says that it was \(former), and the store has a \(column.name) beside that; "
            + "say what becomes of it: declare it under another name with @Renamed(from: "
            + "\"\(column.name)\"), or drop it where the store is opened: Store.open(at:models:"
            + "migrations: [.drop(\"\(column.name)\", of: \(schema.name).self)])")
      }
      record.fields.removeAll { $0.id == other.id }
    }
  }

  /// The field that a column renames; nil where the field of its name was renamed so already.
  ///
  /// The property, and each struct around it, may have been renamed: a part of the name is as it was
  /// before until the field of the present name is known to have had that one, whatever the others
  /// are. What is stored under the name that follows for all parts is the field.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where objects are stored, and the
  ///   parts together do not lead to one field.
  func renamedField(of column: ColumnDefinition) throws -> DueRename? {
    let search = FormerNames(column, record.fields)
    let stored = search.all.filter { search.field($0) != nil }
    let settled = stored.filter { names in
      names.indices.allSatisfy { search.choice(of: $0, in: names) == names[$0] }
    }
    if settled.count == 1, let field = search.field(settled[0]) {
      let parts = settled[0].count { $0 > 0 }
      return parts > 0 ? DueRename(field: field.id, parts: parts) : nil
    }
    guard !stored.isEmpty, surroundings.rowCount > 0 else { return nil }
    let names = (settled.isEmpty ? stored : settled).map(column.name)
    throw mismatch(
      column.name,
      "@Renamed is said of it and of a struct around it, and each of \(names.joined(separator: ", ")) "
        + "in the store could be what it was; open the store first with one of the renames alone, "
        + "and then with the next")
  }
}

/// The names that a column may have had: for each part that was renamed the place of a former name
/// in its list, counted from 1, and 0 for the present one.
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

  /// The field that has a name by now.
  func field(_ names: [Int]) -> CatalogEntry.Field? { fields[column.name(names)] }

  /// Which name a part has in the store, where the other parts have those given.
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
