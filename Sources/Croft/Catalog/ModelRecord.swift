/// A model as the catalog keeps it: JSON in the tree `meta`, under `model/` and its id.
///
/// Ids are never used again, so that a rename touches the catalog only. The trees of
/// a model and its indexes are named `e<id>` and `x<id>`.
struct ModelRecord: Codable, Equatable, Sendable {
  struct Field: Codable, Equatable, Sendable {
    var id: Int
    var name: String
    var type: StorageType.Kind
    var isOptional: Bool
    var collection: StorageType.Collection?
    /// Left out for anything but a collection of optionals.
    var isElementOptional: Bool?
    /// What the field refers to, where it holds references.
    var reference: Reference?

    init(id: Int, name: String, storage: StorageType, reference: Reference? = nil) {
      self.id = id
      self.name = name
      self.reference = reference
      type = storage.kind
      isOptional = storage.isOptional
      collection = storage.collection
      isElementOptional = storage.isElementOptional ? true : nil
    }

    var storage: StorageType {
      StorageType(
        type, isOptional: isOptional, collection: collection,
        isElementOptional: isElementOptional == true)
    }
  }

  /// What a field's references point to, and what becomes of their objects.
  struct Reference: Codable, Equatable, Sendable {
    /// The number of the model referred to, which a rename leaves alone.
    var model: Int
    var onDelete: DeleteRule
  }

  /// A sequence of fields that some rows have; never changed once it is written.
  struct Layout: Codable, Equatable, Sendable {
    var id: UInt16
    var fields: [Int]
  }

  struct Index: Codable, Equatable, Sendable {
    struct Column: Codable, Equatable, Sendable {
      var field: Int
      var isDescending = false
      var isCaseFolded = false
    }

    var id: Int
    var columns: [Column]
    var isUnique = false

    var fields: [Int] { columns.map(\.field) }
  }

  var id: Int
  var name: String
  /// The primary key's field.
  var key: Int
  /// Whether the key's code alone gives its value back, so that rows leave it out.
  var isKeyOnlyInCode: Bool
  /// Fields in the program's order.
  var fields: [Field]
  /// All layouts that rows may have; the last is what new rows get.
  var layouts: [Layout]
  var indexes: [Index]

  static let keyPrefix: [UInt8] = Array("model/".utf8)

  /// The row's key in the tree `meta`.
  var catalogKey: [UInt8] { Self.keyPrefix + Array("\(id)".utf8) }
  /// The name of the tree with the model's rows.
  var treeName: String { Self.treeName(ofModel: id) }
  /// The name of the tree with the rows of one model.
  static func treeName(ofModel id: Int) -> String { "e\(id)" }
  /// The name of the tree of one index.
  static func treeName(ofIndex id: Int) -> String { "x\(id)" }

  /// The record of a model that the store does not hold yet.
  ///
  /// - Parameter ids: The numbers of the store's models by name, this one's among them.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` for a reference to a model that
  ///   the store does not hold.
  init(_ shape: ModelShape, ids: [String: Int], firstIndex: Int) throws {
    guard let id = ids[shape.name] else { throw StoreError.unknownModel(model: shape.name) }
    self.id = id
    name = shape.name
    key = shape.keyIndex
    isKeyOnlyInCode = shape.key.keyRestoresValue
    fields = try shape.columns.enumerated().map { place, column in
      let reference = try column.reference.map {
        try Reference($0, ids: ids, model: shape.name, field: column.name)
      }
      return Field(id: place, name: column.name, storage: column.storage, reference: reference)
    }
    layouts = [Layout(id: 1, fields: fields.map(\.id))]
    indexes = shape.indexes.enumerated().map { place, index in
      Index(
        id: firstIndex + place,
        columns: index.columns.map {
          Index.Column(
            field: $0.place, isDescending: $0.isDescending, isCaseFolded: $0.isCaseFolded)
        }, isUnique: index.isUnique)
    }
  }

  /// Checks that the program's model is the stored one.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` naming the first
  ///   difference.
  func check(_ shape: ModelShape) throws {
    func differs(_ field: String?, _ reason: String) -> StoreError {
      .schemaMismatch(model: name, field: field, reason: reason)
    }
    for column in shape.columns where !fields.contains(where: { $0.name == column.name }) {
      throw differs(
        column.name, "the store has no such field; open it with the model it was made with")
    }
    for field in fields {
      guard let column = shape.columns.first(where: { $0.name == field.name }) else {
        throw differs(field.name, "the program does not declare it; add the property back")
      }
      let stored = field.storage
      guard column.storage == stored else {
        throw differs(
          field.name,
          "the store holds \(Self.text(stored)), the program declares "
            + "\(Self.text(column.storage)); declare what the store holds")
      }
      let isIndexed = indexes.contains { $0.fields == [field.id] }
      let isDeclared = shape.indexes.contains { index in
        index.columns.map { shape.columns[$0.place].name } == [field.name]
      }
      guard isDeclared == isIndexed else {
        throw differs(
          field.name,
          isIndexed
            ? "it is @Indexed in the store only; mark the property again"
            : "it is @Indexed in the program only; take the mark away")
      }
    }
    guard fields.map(\.name) == shape.columns.map(\.name) else {
      throw differs(
        nil,
        "the properties stand in another order; the store has "
          + fields.map(\.name).joined(separator: ", "))
    }
    guard key == fields[shape.keyIndex].id else {
      let stored = fields.first { $0.id == key }?.name ?? "field \(key)"
      throw differs(shape.key.name, "the store's primary key is \(stored); mark that one")
    }
    guard isKeyOnlyInCode == shape.key.keyRestoresValue else {
      throw differs(shape.key.name, "its key is kept in another form; declare the type it had")
    }
  }

  private static func text(_ storage: StorageType) -> String {
    (storage.collection.map { "\($0.rawValue) of " } ?? "") + storage.kind.rawValue
      + (storage.isElementOptional ? " or nil" : "") + (storage.isOptional ? "?" : "")
  }
}

extension ModelRecord.Reference {
  /// What the catalog keeps of a program's reference.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where the store does not hold the
  ///   model referred to.
  init(_ shape: ReferenceShape, ids: [String: Int], model: String, field: String) throws {
    let target = shape.target().name
    guard let id = ids[target] else {
      throw StoreError.schemaMismatch(
        model: model, field: field,
        reason: "it refers to \(target), which the store does not hold; "
          + "name \(target) in Store.open(at:models:) as well")
    }
    self.init(model: id, onDelete: shape.onDelete)
  }
}

extension ModelRecord {
  /// Whether one of the fields refers to one of some models.
  func refers(to models: [ModelStorage]) -> Bool {
    fields.contains { field in models.contains { $0.id == field.reference?.model } }
  }
}

extension ModelShape {
  /// A model that the program does not declare, as far as the catalog knows it.
  convenience init(_ record: ModelRecord) {
    self.init(
      name: record.name,
      columns: record.fields.map { field in
        let isKey = field.id == record.key
        return ColumnShape(
          name: field.name, storage: field.storage,
          isKey: isKey, keyRestoresValue: isKey && record.isKeyOnlyInCode)
      })
  }
}
