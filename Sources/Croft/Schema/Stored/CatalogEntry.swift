#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A model as the catalog keeps it: JSON in the tree `meta`, under `model/` and its id.
///
/// Models and fields are known by their numbers, so that a rename touches the catalog only. The
/// trees of rows and indexes are named `e<number>` and `x<number>`.
struct CatalogEntry: Codable, Equatable, Sendable {
  /// A stored property, whatever it is called at the time.
  struct Field: Codable, Equatable, Sendable {
    var id: Int
    var name: String
    /// Names that programs gave it before.
    var aliases: [String] = []
    var type: StoredType
    /// What rows of layouts without the field hold; absent for nil.
    var absent: Data?
    /// What a nil is read as where a program needs a value, and what an insert gives the field
    /// where the program does not declare it; absent where no program told a default.
    var preset: Data?
    /// Whether the newest program that declares it says that it may be nil, so that no default is
    /// what a nil is read as; absent for no.
    var isPresetFormer: Bool?
    /// What the field refers to, where it holds references.
    var reference: Reference?
  }

  /// What a field's references point to, and what becomes of their objects.
  struct Reference: Codable, Equatable, Sendable {
    /// The number of the model referred to, which a rename leaves alone.
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
      var field: Int
      var isDescending = false
      var isCaseFolded = false
      /// The type whose key code the entries have.
      var type: StoredType
    }

    var id: Int
    var columns: [Column]
    var isUnique = false
    /// Whether its entries are not all there yet.
    var isBuilding = false
    /// While it is being built, the key of the last row that has its entries; absent for none.
    var built: Data?
    /// Whether its entries are to be made anew, in an index that then takes its place.
    var awaitsRebuild: Bool?
    /// While it is being built, the number of the index whose place it takes; absent for none.
    var replaces: Int?
  }

  /// A declaration of the model that a program opened the store with.
  struct Form: Codable, Equatable, Sendable {
    var hash: String
    /// The fields of its columns, in declaration order; absent where the file does not say.
    var fields: [Int]?
  }

  var id: Int
  var name: String
  /// Names that programs gave it before.
  var aliases: [String] = []
  /// The number of the tree with the rows.
  var tree: Int
  /// The primary key's fields.
  var keys: [Int] = []
  /// Fields in the order in which they came.
  var fields: [Field] = []
  /// The number of the next field.
  var nextField = 0
  /// All layouts that rows may have.
  var layouts: [Layout] = []
  /// The greatest number that a layout had, where that one is forgotten.
  var lastLayout: UInt16?
  var indexes: [Index] = []
  /// The forms of the model that programs opened the store with, the first one first.
  var forms: [Form] = []
  /// The names of the migrations that were done.
  var migrations: [String] = []

  static let keyPrefix: [UInt8] = Array("model/".utf8)

  /// The row's key in the tree `meta`.
  var catalogKey: [UInt8] { Self.keyPrefix + Array("\(id)".utf8) }
  /// The name of the tree with the model's rows.
  var treeName: String { "e\(tree)" }
  /// The name of the tree of one index.
  static func treeName(ofIndex id: Int) -> String { "x\(id)" }

  /// The record of a model that the store does not hold yet: without any fields.
  init(name: String, id: Int) {
    self.id = id
    self.name = name
    tree = id
  }

  /// The greatest number that a layout has or had.
  var newestLayout: UInt16 {
    max(layouts.map(\.id).max() ?? RowLayout.unregistered, lastLayout ?? RowLayout.unregistered)
  }

  /// The most forms that are kept: who comes back after so many others counts as newer.
  static var mostForms: Int { Threshold.formsPerModel.value }

  /// Notes a form and the fields of its columns.
  mutating func note(_ form: Form) {
    if let place = forms.firstIndex(where: { $0.hash == form.hash }) {
      forms[place] = form
    } else {
      forms.append(form)
      forms.removeFirst(max(0, forms.count - Self.mostForms))
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

  /// Whether the field has or had a name.
  func isNamed(_ name: String) -> Bool { self.name == name || aliases.contains(name) }

  /// Gives the field the name that a program says it has by now, and notes its former ones.
  mutating func rename(to name: String, from formers: [String]) {
    (self.name, aliases) = Self.renamed(self.name, aliases, to: name, from: formers)
  }

  /// The name that follows from a program's, and all former ones.
  ///
  /// An older program's name changes nothing: only who says what the name was before renames.
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
  /// Gives the model the name that a program says it has by now, and notes its former ones.
  mutating func rename(to name: String, from formers: [String]) {
    (self.name, aliases) = Field.renamed(self.name, aliases, to: name, from: formers)
  }
}

extension CatalogEntry.Form {
  init(from decoder: any Decoder) throws {
    // Earlier files have the hash alone, which is no container of keys.
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(hash: text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      hash: try container.decode(String.self, forKey: .hash),
      fields: try container.decodeIfPresent([Int].self, forKey: .fields))
  }
}

extension CatalogEntry.Layout.Column {
  var storage: StorageType { type.storage }
}

extension CatalogEntry.Index.Column {
  /// Whether it is the same column of an index, whatever its type was then.
  func isSame(as other: Self) -> Bool {
    field == other.field && isDescending == other.isDescending
      && isCaseFolded == other.isCaseFolded
  }
}

extension CatalogEntry {
  /// Whether one of the fields refers to one of some models.
  func refers(to models: [Table]) -> Bool {
    fields.contains { field in models.contains { $0.id == field.reference?.model } }
  }
}

extension Schema {
  /// A model that the program does not declare, as far as the catalog knows it.
  convenience init(_ record: CatalogEntry) {
    self.init(
      name: record.name,
      columns: record.fields.map { field in
        ColumnDefinition(
          name: field.name, storage: field.storage, isKey: record.keys.contains(field.id),
          keyRestoresValue: record.layouts.contains { layout in
            layout.columns.contains { $0.field == field.id && $0.isInKey }
          })
      })
  }
}
