import LMDB

/// A replicated model as this store has it, by which it is told from those of other programs.
package struct ReplicatedModel: Equatable, Sendable {
  /// A field, whatever its number is elsewhere.
  package struct Field: Equatable, Sendable {
    /// The field's number in the catalog.
    package var number: UInt16
    /// The name, with those of the structs that it is in.
    package var name: String
    /// Names that the field had before.
    package var aliases: [String] = []
    /// The stored type, as the catalog writes it.
    package var type: String
    /// The model that the field refers to; nil for other fields.
    package var target: String?
    /// The rule for a deletion of what the field refers to.
    package var rule: String?
    /// The value of objects that were written before the model had the field; nil for nil or none.
    package var value: [UInt8]?
  }

  /// The model's number in the catalog.
  package var number: Int
  /// The model's name.
  package var name: String
  /// Names that the model had before.
  package var aliases: [String]
  /// The fields that rows have, ascending by number.
  package var fields: [Field]
  /// The names of the fields of the primary key, in its order.
  package var keys: [String]
  /// The names of the fields of each unique index, in no order.
  package var uniques: Set<[String]>
}

extension Model {
  /// The model's name in stores.
  package static var modelName: String { schema.name }
}

extension StorableKey {
  /// The key's code, as it is in rows and in the outbox.
  package var code: [UInt8] { keyCode }
}

extension WriteTransaction {
  /// The replicated models, ascending by number.
  ///
  /// Their fields are also those that this program does not declare.
  package func replicatedModels() throws -> [ReplicatedModel] {
    let tables = catalog.all.filter(\.isReplicated).sorted { $0.id < $1.id }
    let names = Dictionary(
      tables.map { ($0.id, $0.schema.name) }, uniquingKeysWith: { first, _ in first })
    let stored = try StoredCatalog(base, path: "")?.entries ?? []
    return tables.map { table in
      let entry = stored.first { $0.id == table.id }
      func name(_ column: Int) -> String { table.layout.names[column] }
      return ReplicatedModel(
        number: table.id, name: table.schema.name, aliases: table.schema.aliases,
        fields: table.layout.columns.map { column in
          let reference = table.references.first { $0.column == column.index }
          let number = table.replicatedFields[column.index]
          let field = entry?.fields.first { $0.id == Int(number) }
          return ReplicatedModel.Field(
            number: number, name: name(column.index), aliases: field?.aliases ?? [],
            type: column.storage.text, target: reference.flatMap { names[$0.target] },
            rule: reference.map { "\($0.onDelete)" },
            value: field?.defaultForOldRows.map { [UInt8]($0) })
        }.sorted { $0.number < $1.number },
        keys: table.schema.keyPlaces.map(name),
        uniques: Set(
          table.entryIndexes.filter(\.isUnique).map { $0.sources.map { name($0.index) } }))
    }
  }
}
