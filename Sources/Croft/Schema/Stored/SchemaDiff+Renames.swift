// Which stored field a column renames, where any part of its name may have changed.

/// A rename that the store has not seen yet.
struct DueRename {
  /// The field's number.
  let field: Int
  /// How many parts of the name change.
  let parts: Int
}

extension SchemaDiff {
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
