import Croft
import CroftFoundation

/// The models of a space, with the numbers that all replicas use for them, and this store's numbers.
///
/// A model is a row of the server, whose object has the model 0 and the model's name as its key. So of two
/// programs that describe models at the same time one is refused, and no number is given twice.
struct SpaceSchema {
  /// A model as its row describes it, in JSON.
  struct Model: Codable, Equatable, Sendable {
    struct Field: Codable, Equatable, Sendable {
      var number: UInt16
      var name: String
      var type: String
      var target: String?
      var rule: String?
      /// Whether the model was shared before it had the field: its objects may lack it.
      var isAdded: Bool?
      /// The value of objects that lack it, and of those of programs that do; absent for nil.
      var value: Data?
    }

    var number: UInt32
    var name: String
    /// Ascending by number.
    var fields: [Field]
    var keys: [String]
    /// The fields of each unique index, in an order that follows from them.
    var uniques: [[String]]
  }

  /// The numbers of one model and its fields on the other side.
  private struct Numbers {
    var model: Int
    var fields: [UInt16: UInt16] = [:]
    /// The values of fields, by this store's numbers, that a row may lack.
    var values: ObjectFields = [:]
  }

  /// The number of the rows that describe models.
  static let model: UInt32 = 0

  let local: [ReplicatedModel]
  /// The space's models, and the versions of their rows.
  private(set) var models: [String: (model: Model, version: UInt64)] = [:]
  /// Fields that the store lacks, or that have other values in old objects.
  private(set) var unkept: [SharedField] = []
  private var space: [Int: Numbers] = [:]
  private var store: [Int: Numbers] = [:]

  init(_ local: [ReplicatedModel]) { self.local = local }
}

extension SpaceSchema.Model {
  /// Reads a description; nil for other bytes.
  fileprivate init?(_ row: SyncRow) {
    guard let fields = row.fields else { return nil }
    do { self = try JSONDecoder().decode(Self.self, from: Data(fields)) } catch {
      // The server, or a replica with a fault, sent something else.
      return nil
    }
  }
}

// MARK: - Agreement

extension SpaceSchema {
  /// Takes the description of a model.
  ///
  /// - Throws: ``SyncError/schemaMismatch(model:field:reason:)`` where this program's model is another one.
  mutating func add(_ row: SyncRow) throws {
    guard let model = Model(row), model.number > Self.model,
      row.object.key == Array(model.name.utf8),
      Set(model.fields.map(\.number)).count == model.fields.count,
      Set(model.fields.map(\.name)).count == model.fields.count, model.number < .max,
      model.fields.allSatisfy({ $0.number < .max })
    else { throw SyncError.serverInvalid(reason: "a description of a model cannot be read") }
    guard
      let own = local.first(where: { $0.name == model.name || $0.aliases.contains(model.name) })
    else {
      // It is a model of its own: its rows are set aside.
      let names = Set(local.flatMap { $0.aliases + [$0.name] })
      guard !model.fields.contains(where: { $0.target.map(names.contains) ?? false }) else {
        throw SyncError.schemaMismatch(
          model: model.name, field: nil,
          reason: "this program does not have the model, which refers to one of its own; update it"
        )
      }
      models[model.name] = (model, row.version)
      return
    }
    var numbers = (space: Numbers(model: Int(model.number)), store: Numbers(model: own.number))
    for field in model.fields {
      let shared = SharedField(
        model: own.number, name: field.name, type: field.type,
        value: field.value.map { [UInt8]($0) })
      if field.isAdded ?? false, !shared.isValid {
        throw SyncError.serverInvalid(reason: "\(model.name).\(field.name) cannot be added")
      }
      guard let same = own.field(named: field.name) else {
        guard field.target == nil, shared.isValid else {
          throw SyncError.schemaMismatch(
            model: model.name, field: field.name,
            reason: "this program does not have the field; update the program")
        }
        unkept.append(shared)
        continue
      }
      guard same.type == field.type, same.target == field.target, same.rule == field.rule else {
        throw SyncError.schemaMismatch(
          model: model.name, field: field.name,
          reason: "it is \(field.text) in the space, and \(same.text) in this program")
      }
      numbers.space.fields[same.number] = field.number
      numbers.store.fields[field.number] = same.number
      guard field.isAdded ?? false else { continue }
      if same.value != shared.value { unkept.append(shared) }
      numbers.store.values[same.number] = OutboxEntry.Field(shared.value)
    }
    guard own.keys == model.keys, own.uniqueNames == model.uniques else {
      throw SyncError.schemaMismatch(
        model: model.name, field: nil,
        reason: "its primary key or its unique indexes are others than in the space")
    }
    for field in own.fields where !numbers.space.fields.keys.contains(field.number) {
      // The space has yet to get it.
      guard field.value != nil || field.type.hasSuffix("?") else { continue }
      numbers.store.values[field.number] = OutboxEntry.Field(field.value)
    }
    models[model.name] = (model, row.version)
    space[own.number] = numbers.space
    store[Int(model.number)] = numbers.store
  }

  /// Rows that describe what the space does not know of this program's models; none where it knows all.
  ///
  /// - Throws: ``SyncError/schemaMismatch(model:field:reason:)`` for a new field that is not optional: the
  ///   objects that there are have no value of it, unless the field has a default.
  func missingRows(at stamp: Stamp) throws -> [SyncPush.Row] {
    var last = models.values.map(\.model.number).max() ?? Self.model
    return try local.compactMap { own in
      let known = models.values.first {
        $0.model.name == own.name || own.aliases.contains($0.model.name)
      }
      if known == nil { last += 1 }
      var model =
        known?.model
        ?? Model(
          number: last, name: own.name, fields: [], keys: own.keys, uniques: own.uniqueNames)
      let names = Set(model.fields.map(\.name))
      for field in own.fields where names.isDisjoint(with: field.aliases + [field.name]) {
        guard known == nil || field.value != nil || field.type.hasSuffix("?") else {
          throw SyncError.schemaMismatch(
            model: own.name, field: field.name,
            reason: "a field that is added to a shared model has to be optional or have a default")
        }
        model.fields.append(
          Model.Field(
            number: (model.fields.map(\.number).max() ?? 0) + 1, name: field.name,
            type: field.type, target: field.target, rule: field.rule,
            isAdded: known == nil ? nil : true,
            value: field.value.map { Data($0) }))
      }
      if let known, known.model == model { return nil }
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      var row = ServerRow(version: 0, born: stamp).pushed(
        as: SyncObject(model: Self.model, key: Array(model.name.utf8)),
        over: known?.version ?? 0)
      row.fields = Array(try encoder.encode(model))
      return row
    }
  }

  /// Whether the space knows all of this program's models.
  var isComplete: Bool {
    local.allSatisfy { own in own.fields.count == space[own.number]?.fields.count }
  }
}

extension ReplicatedModel {
  fileprivate func field(named name: String) -> Field? {
    fields.first { $0.name == name } ?? fields.first { $0.aliases.contains(name) }
  }

  fileprivate var uniqueNames: [[String]] {
    uniques.sorted { $0.lexicographicallyPrecedes($1) }
  }
}

extension ReplicatedModel.Field {
  fileprivate var text: String { "\(type)\(target.map { " of \($0)" } ?? "")\(rule ?? "")" }
}

extension SpaceSchema.Model.Field {
  fileprivate var text: String { "\(type)\(target.map { " of \($0)" } ?? "")\(rule ?? "")" }
}

// MARK: - Numbers

extension SpaceSchema {
  /// The models that are described, by this store's numbers, in the order of the space's.
  var sharedModels: [Int] { space.sorted { $0.value.model < $1.value.model }.map(\.key) }

  /// An object by the space's number of its model.
  func shared(_ object: ObjectKey) -> SyncObject? {
    space[object.model].map { SyncObject(model: UInt32($0.model), key: object.key) }
  }

  /// An object by this store's number of its model; nil where the model is not described.
  func own(_ object: SyncObject) -> ObjectKey? {
    store[Int(object.model)].map { ObjectKey(model: $0.model, key: object.key) }
  }

  /// A row of the server with this store's numbers; nil where it cannot be read.
  func own(_ row: SyncRow) -> (object: ObjectKey, row: ServerRow)? {
    guard let numbers = store[Int(row.object.model)],
      var read = ServerRow(row)?.renumbered(numbers.fields)
    else { return nil }
    if !read.isDeleted { read.fields.merge(numbers.values) { own, _ in own } }
    return (ObjectKey(model: numbers.model, key: row.object.key), read)
  }

  /// A row to push with the space's numbers; nil where a part is not described.
  func shared(_ row: ServerRow, of object: ObjectKey, over base: UInt64) -> SyncPush.Row? {
    guard let numbers = space[object.model], let shared = shared(object) else { return nil }
    return row.renumbered(numbers.fields)?.pushed(as: shared, over: base)
  }
}

extension ServerRow {
  /// The row with other numbers of fields; nil where one has none.
  fileprivate func renumbered(_ numbers: [UInt16: UInt16]) -> ServerRow? {
    var row = self
    (row.stamps, row.fields) = ([:], [:])
    for (field, stamp) in stamps {
      guard let number = numbers[field] else { return nil }
      row.stamps[number] = stamp
    }
    for (field, value) in fields {
      guard let number = numbers[field] else { return nil }
      row.fields[number] = value
    }
    return row
  }
}
