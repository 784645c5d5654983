import CroftFoundation

/// A model as the catalog stores it: JSON in the tree `meta`, under `model/` and its id.
///
/// Models and fields are identified by numbers, so that a rename changes the catalog only. The
/// trees of rows and indexes are named `e<number>` and `x<number>`. Property names that differ from
/// the JSON's are mapped in `CodingKeys`, which never change.
struct CatalogEntry: Codable, Equatable, Sendable {
  /// A stored property, whatever its present name.
  struct Field: Codable, Equatable, Sendable {
    var id: Int
    var name: String
    /// Names that programs gave it before.
    var aliases: [String] = []
    var type: StoredType
    /// The value of rows whose layout lacks the field; without one they hold nil.
    var defaultForOldRows: Data?
    /// The default that a program declared, if any.
    ///
    /// A nil is read as it where a program needs a value, and an insert by a program that does not
    /// declare the field stores it.
    var declaredDefault: Data?
    /// Whether the newest program that declares the field makes it optional; absent for no.
    ///
    /// A nil then means nil, and the next program that needs a value says which.
    var isDefaultRetired: Bool?
    /// The model that the field refers to, if it holds references.
    var reference: Reference?

    private enum CodingKeys: String, CodingKey {
      case id, name, aliases, type, reference
      case defaultForOldRows = "absent"
      case declaredDefault = "preset"
      case isDefaultRetired = "isPresetFormer"
    }
  }

  /// The target of a field's references, and the rule for a deleted target.
  struct Reference: Codable, Equatable, Sendable {
    /// The number of the model referred to, which a rename does not change.
    var model: Int
    var onDelete: DeleteRule
  }

  /// A sequence of columns that some rows have; never changed once it is written.
  struct Layout: Codable, Equatable, Sendable {
    struct Column: Codable, Equatable, Sendable {
      var field: Int
      var type: StoredType
      /// Whether the row leaves the column out because the key holds it.
      var isInKey: Bool
    }

    var id: UInt16
    var columns: [Column]
  }

  struct Index: Codable, Equatable, Sendable {
    struct Column: Codable, Equatable, Sendable {
      /// The field whose values are entered; absent for an expression.
      var field: Int?
      /// The expression whose values are entered; absent for a field.
      var expression: StoredExpression?
      var isDescending = false
      var isCaseFolded = false
      /// The type whose key code the entries have.
      var type: StoredType
      /// The types with which the expression's fields were read, in its order; absent for a field.
      var operands: [StoredType]?
      /// The data with which values were computed that depend on any; absent for other values.
      var dataVersion: DataVersion?

      /// The fields that are read.
      var fields: [Int] { expression?.fields ?? field.map { [$0] } ?? [] }
    }

    var id: Int
    var columns: [Column]
    var isUnique = false
    /// Whether some rows do not have their entries yet.
    var isBuilding = false
    /// While it is being built, the key of the last row that has its entries; absent for none.
    var built: Data?
    /// Whether another index is to be built in its place, with the same columns.
    var awaitsRebuild: Bool?
    /// While it is being built, the number of the index that it will replace; absent for none.
    var replaces: Int?
    /// Whether it was complete and is built again for other data, so that a row which cannot be read
    /// must not keep the store from being opened; absent for no.
    var skipsDamagedRows: Bool?
  }

  /// A declaration of the model with which a program opened the store.
  struct KnownSchema: Codable, Equatable, Sendable {
    var fingerprint: String
    /// The fields of its columns, in declaration order; absent in earlier files.
    var fields: [Int]?

    fileprivate enum CodingKeys: String, CodingKey {
      case fields
      case fingerprint = "hash"
    }
  }

  var id: Int
  var name: String
  /// Names that programs gave it before.
  var aliases: [String] = []
  /// The number of the tree with the rows.
  var tree: Int
  var keys: [Int] = []
  /// Fields in the order in which programs added them.
  var fields: [Field] = []
  /// The number of the next field.
  var nextField = 0
  /// All layouts that rows may have.
  var layouts: [Layout] = []
  /// The greatest number that a layout had, if that layout was removed.
  var lastLayout: UInt16?
  var indexes: [Index] = []
  /// The declarations with which programs opened the store, the first one first.
  var knownSchemas: [KnownSchema] = []
  var migrations: [String] = []

  private enum CodingKeys: String, CodingKey {
    case id, name, aliases, tree, keys, fields, nextField, layouts, lastLayout, indexes, migrations
    case knownSchemas = "forms"
  }

  static let keyPrefix: [UInt8] = Array("model/".utf8)

  var treeName: String { "e\(tree)" }
  static func treeName(ofIndex id: Int) -> String { "x\(id)" }

  /// The entry of a model that is new to the store: it has no fields yet.
  init(name: String, id: Int) {
    self.id = id
    self.name = name
    tree = id
  }

  /// The greatest number that a layout has or had.
  var newestLayout: UInt16 {
    max(
      layouts.map(\.id).max() ?? RecordLayout.unregistered, lastLayout ?? RecordLayout.unregistered)
  }

  /// Adds a declaration, or replaces the one with its fingerprint.
  mutating func note(_ schema: KnownSchema) {
    if let place = knownSchemas.firstIndex(where: { $0.fingerprint == schema.fingerprint }) {
      knownSchemas[place] = schema
    } else {
      knownSchemas.append(schema)
      knownSchemas.removeFirst(max(0, knownSchemas.count - Threshold.knownSchemasPerModel.value))
    }
  }

  /// A field's place among the fields.
  func place(of field: Int) -> Int? { fields.firstIndex { $0.id == field } }
}

extension CatalogEntry.Field {
  var storage: StorageType {
    get { type.storage }
    set { type.storage = newValue }
  }

  func isNamed(_ name: String) -> Bool { self.name == name || aliases.contains(name) }

  /// Gives the field the name in a program's declaration, and adds its former names.
  mutating func rename(to name: String, from formers: [String]) {
    (self.name, aliases) = Self.renamed(self.name, aliases, to: name, from: formers)
  }

  /// The name after a program opened the store, and all former names.
  ///
  /// An older program's name changes nothing: only a program that declares the former name renames.
  fileprivate static func renamed(
    _ name: String, _ aliases: [String], to newName: String, from formers: [String]
  ) -> (String, [String]) {
    let isRenamed = name != newName && formers.contains(name)
    var aliases = aliases
    for former in formers + (isRenamed ? [name] : []) where !aliases.contains(former) {
      aliases.append(former)
    }
    let present = isRenamed ? newName : name
    return (present, aliases.filter { $0 != present })
  }
}

extension CatalogEntry {
  /// Gives the model the name in a program's declaration, and adds its former names.
  mutating func rename(to name: String, from formers: [String]) {
    (self.name, aliases) = Field.renamed(self.name, aliases, to: name, from: formers)
  }
}

extension CatalogEntry.KnownSchema {
  init(from decoder: any Decoder) throws {
    // Earlier files have the fingerprint alone, as a text; nil here means that it is not a text.
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(fingerprint: text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      fingerprint: try container.decode(String.self, forKey: .fingerprint),
      fields: try container.decodeIfPresent([Int].self, forKey: .fields))
  }
}

extension CatalogEntry.Layout.Column {
  var storage: StorageType { type.storage }
}

extension CatalogEntry.Index.Column {
  /// The functions whose values the column has and that depend on data of the runtime.
  var dataFunctions: Set<ColumnExpression.DataFunction> {
    let computed = expression?.expression { ColumnPath(place: $0, name: "") }
    return (computed?.dataFunctions ?? []).union(isCaseFolded ? [.textCase] : [])
  }

  /// Whether both are the same column of an index; their types may differ.
  func isSame(as other: Self) -> Bool {
    field == other.field && expression == other.expression && isDescending == other.isDescending
      && isCaseFolded == other.isCaseFolded
  }
}

extension CatalogEntry {
  /// Whether an index notes the data with which it was computed.
  var hasVersionedExpressions: Bool {
    indexes.contains { $0.columns.contains { $0.dataVersion != nil } }
  }

  /// Whether one of the fields refers to one of some models.
  func refers(to models: [Int]) -> Bool {
    fields.contains { field in field.reference.map { models.contains($0.model) } ?? false }
  }
}

extension Schema {
  /// The schema of a model that the program does not declare, made of its catalog entry.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for an entry without a primary key.
  convenience init(_ entry: CatalogEntry) throws {
    guard entry.fields.contains(where: { entry.keys.contains($0.id) }) else {
      throw StoreError.corrupt(
        model: entry.name, key: nil, reason: "its catalog entry names no primary key")
    }
    self.init(
      name: entry.name,
      columns: entry.fields.map { field in
        ColumnDefinition(
          name: field.name, storage: field.storage, isKey: entry.keys.contains(field.id),
          keyRestoresValue: entry.layouts.contains { layout in
            layout.columns.contains { $0.field == field.id && $0.isInKey }
          })
      })
  }
}
