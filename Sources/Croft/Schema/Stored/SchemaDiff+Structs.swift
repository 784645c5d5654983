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
