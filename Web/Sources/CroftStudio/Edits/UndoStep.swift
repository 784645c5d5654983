import Croft

/// The changes of one commit of the studio, with what was stored before and after.
struct UndoStep: Sendable {
  /// An object before and after the commit; of a changed one the values that changed.
  struct Row: Sendable {
    let model: String
    let key: ObjectKey
    /// Nil where there was no object.
    let old: [String: StoredValue]?
    /// Nil where there is no object.
    let new: [String: StoredValue]?

    var title: String { "\(model) \(key.title)" }
  }

  /// What was done, for people.
  let title: String
  /// The model whose page it was done on.
  let model: String
  let rows: [Row]

  /// The most bytes of texts and data that are kept for an undo.
  static let bytesMax = 32 << 20

  /// What is against it: objects that were changed, deleted or inserted since, and new referrers.
  ///
  /// - Parameters:
  ///   - find: Gives the object with a key; nil where there is none.
  ///   - fetch: Runs a query.
  func conflicts(
    among models: [StoredModel], find: (StoredModel, ObjectKey) throws -> DynamicObject?,
    fetch: (DynamicQuery) throws -> [DynamicObject]
  ) throws -> [EditReview.Conflict] {
    var conflicts: [EditReview.Conflict] = []
    for row in rows {
      func add(_ property: String, _ now: String, _ wanted: String) {
        conflicts.append(
          EditReview.Conflict(title: row.title, property: property, now: now, wanted: wanted))
      }
      guard let model = models.first(where: { $0.name == row.model }) else {
        add("", "no such model", "")
        continue
      }
      let object = try find(model, row.key)
      guard let new = row.new else {
        if object != nil { add("", "inserted again", "the deleted object") }
        continue
      }
      guard let object else {
        add("", "deleted", "")
        continue
      }
      for property in model.properties {
        let now = try object[property.name]
        guard let expected = new[property.name] else {
          // A program with a newer model has added it: an object that goes would take its value along.
          if row.old == nil, now != .none, now != .list([]) {
            add(property.name, EditReview.text(now, property), "no object")
          }
          continue
        }
        if now.stamp == expected.stamp { continue }
        add(
          property.name, EditReview.text(now, property),
          row.old?[property.name].map { EditReview.text($0, property) } ?? "no object")
      }
      if row.old == nil {
        let deletion = try Deletion(of: row.key, model, among: models, fetch: fetch)
        if deletion.sentences.count + deletion.deleted.count > 2 {
          add("", "other objects refer to it", "no object")
        }
      }
    }
    return conflicts
  }

  /// Writes what was stored before.
  ///
  /// References among the objects that come back are set when all of them are there.
  ///
  /// - Throws: An error of the store, for which nothing is written.
  func apply(
    to tx: inout WriteTransaction, among models: [StoredModel]
  ) throws {
    let models = Dictionary(models.map { ($0.name, $0) }) { first, _ in first }
    var waiting: [(row: Row, model: StoredModel, values: [String: StoredValue])] = []
    for row in rows {
      guard let model = models[row.model], let query = try row.key.query(of: model) else {
        continue
      }
      switch (row.old, row.new) {
      case (nil, _): try tx.delete(query)
      case (let old?, nil): waiting.append((row, model, old))
      case (_?, _?): break
      }
    }
    var later: [(row: Row, model: StoredModel, values: [String: StoredValue])] = []
    while !waiting.isEmpty {
      var refused: [(row: Row, model: StoredModel, values: [String: StoredValue])] = []
      var failure: (any Error)?
      for (row, model, values) in waiting {
        do {
          let (first, rest) = Self.split(values, of: model)
          try tx.savepoint { try $0.insert(row.model, first, allowingUnknownCases: true) }
          if !rest.isEmpty { later.append((row, model, rest)) }
        } catch let error as StoreError {
          guard case .danglingReference = error else { throw error }
          failure = error
          refused.append((row, model, values))
        }
      }
      if refused.count == waiting.count, let failure { throw failure }
      waiting = refused
    }
    for row in rows {
      guard let model = models[row.model], let old = row.old, row.new != nil else { continue }
      later.append((row, model, old))
    }
    let updates = later.enumerated().map { place, update in
      ObjectUpdates.Update(
        row: place, model: update.model, key: update.row.key, values: update.values)
    }
    let refusals = try ObjectUpdates(updates: updates, allowsUnknownCases: true).apply(to: &tx)
    if let refusal = refusals.first { throw refusal.error }
  }

  /// The values with which an object is inserted, and the references that are set when all objects are there.
  private static func split(
    _ values: [String: StoredValue], of model: StoredModel
  ) -> (first: [String: StoredValue], later: [String: StoredValue]) {
    var (first, later) = (values, [String: StoredValue]())
    for property in model.properties {
      // The properties of a struct that is nil have been dropped.
      guard let value = first[property.name] else { continue }
      if model.isMark(property) {
        // A struct that is there is written by its properties.
        first[property.name] = value == .bool(false) ? StoredValue.none : nil
        guard value == .bool(false) else { continue }
        for other in model.properties where other.name.hasPrefix(property.name + ".") {
          first[other.name] = nil
        }
      } else if property.reference != nil, !property.isPrimaryKey, value != .none,
        property.type.isOptional || property.type.collection != nil
      {
        first[property.name] = property.type.collection == nil ? StoredValue.none : .list([])
        later[property.name] = value
      }
    }
    return (first, later)
  }
}

extension StoredModel {
  /// Whether a property tells only whether a struct is there.
  func isMark(_ property: Property) -> Bool {
    property.type.kind == .bool && property.type.collection == nil
      && properties.contains { $0.name.hasPrefix(property.name + ".") }
  }

  /// Why an object cannot be inserted again; nil where it can.
  func obstacle(toInserting object: DynamicObject) -> String? {
    for (property, value) in zip(properties, object.values) where value != .none {
      if case .list([]) = value { continue }
      switch property.type.kind {
      case .coded:
        return "\(name).\(property.name) is stored as JSON, which only its program can write."
      case .compound:
        return
          "\(name).\(property.name) is a key of several properties, which only its program can write."
      default: continue
      }
    }
    return nil
  }
}

extension DynamicObject {
  /// The values by name.
  var valuesByName: [String: StoredValue] {
    Dictionary(zip(names, values)) { first, _ in first }
  }

  /// About how many bytes its values take.
  var byteCount: Int { values.reduce(0) { $0 + $1.byteCount } }
}

extension StoredValue {
  /// About how many bytes it takes.
  var byteCount: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let bytes): bytes.count
    case .list(let values): values.reduce(0) { $0 + $1.byteCount }
    case .none, .bool, .int, .uint, .double, .decimal, .date, .uuid: MemoryLayout<Self>.size
    }
  }
}
