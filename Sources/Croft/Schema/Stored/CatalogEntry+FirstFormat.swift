/// A model's record as format 1 keeps it, which knows neither changes nor defaults.
struct FirstCatalogEntry: Decodable {
  struct Field: Decodable {
    var id: Int
    var name: String
    var type: StorageType.Kind
    var isOptional: Bool

    var stored: StoredType { StoredType(StorageType(type, isOptional: isOptional)) }
  }

  struct Layout: Decodable {
    var id: UInt16
    var fields: [Int]
  }

  struct Index: Decodable {
    var id: Int
    var fields: [Int]
  }

  var id: Int
  var name: String
  var key: Int
  var isKeyOnlyInCode: Bool
  var fields: [Field]
  var layouts: [Layout]
  var indexes: [Index]
}

extension CatalogEntry {
  /// The same in today's form.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where it names a field that it lacks.
  init(_ first: FirstCatalogEntry) throws {
    func type(_ id: Int) throws -> StoredType {
      guard let field = first.fields.first(where: { $0.id == id }) else {
        throw StoreError.corrupt(
          model: first.name, key: nil, reason: "the catalog names the unknown field \(id)")
      }
      return field.stored
    }
    self.init(name: first.name, id: first.id)
    keys = [first.key]
    fields = first.fields.map { Field(id: $0.id, name: $0.name, type: $0.stored) }
    nextField = (fields.map(\.id).max() ?? -1) + 1
    layouts = try first.layouts.map { layout in
      Layout(
        id: layout.id,
        columns: try layout.fields.map {
          Layout.Column(
            field: $0, type: try type($0),
            isInKey: $0 == first.key && first.isKeyOnlyInCode)
        })
    }
    indexes = try first.indexes.map { index in
      Index(
        id: index.id,
        columns: try index.fields.map { Index.Column(field: $0, type: try type($0)) })
    }
  }
}
