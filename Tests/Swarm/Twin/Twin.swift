import Foundation

/// Why a statement is refused.
enum Refusal: String, Hashable, Sendable, Codable {
  case duplicateKey, uniqueViolation, danglingReference, denied, overflow, keyChanged, keyTooLong
}

/// What a statement does.
enum Outcome: Hashable, Sendable {
  case done(Int?)
  case refused(Set<Refusal>)
}

/// What a store must hold, in arrays and dictionaries.
struct Twin: Sendable {
  var tables: [String: TwinTable] = [:]
  var models: Models
  /// What the store remembers of each model.
  var memory: [String: Memory] = [:]
  /// The thresholds that are not at their standard, of which some decide what is remembered.
  var thresholds: [String: Int] = [:]
  /// What objects get that a program inserts which does not know the field: by model and field.
  var defaults: [String: Fields] = [:]
  /// Whether a change of a version gave two objects one primary key.
  var hasCollided = false

  init(_ models: Models) {
    self.models = models
    for shape in models.shapes { tables[shape.name] = TwinTable() }
  }

  func count(_ model: String) -> Int { tables[model]?.rows.count ?? 0 }

  /// A model's rows by their primary keys, ascending.
  func rows(_ model: String) -> [(key: Value, row: Fields)] {
    tables[model]?.sorted(models.shape(model)) ?? []
  }

  func row(_ model: String, _ key: Value) -> Fields? { tables[model]?.rows[key.identity] }

  /// Puts rows in place of all that a model has; for other versions of it.
  mutating func replace(_ model: String, by rows: [Fields]) {
    tables[model] = TwinTable()
    let shape = models.shape(model)
    for row in rows { put(row, at: shape.key(of: row).identity, shape) }
  }

  private mutating func put(_ row: Fields?, at key: Value, _ shape: any Shape) {
    let old = tables[shape.name, default: TwinTable()].put(row, at: key, shape)
    for unique in uniques(of: shape) {
      for values in old.map({ values(of: $0, unique, shape) }) ?? [] {
        tables[shape.name]?.owners[values] = nil
      }
      for values in row.map({ values(of: $0, unique, shape) }) ?? [] {
        tables[shape.name]?.owners[values] = key
      }
    }
  }

  /// Lists of properties whose values no two objects share, whichever version says so.
  func uniques(of shape: any Shape) -> [[String]] { memory[shape.name]?.uniques ?? shape.uniques }

  /// Notes who has the values that must be unique; false where two objects have the same.
  mutating func index(_ shape: any Shape) -> Bool {
    var owners: [[Value]: Value] = [:]
    for (key, row) in tables[shape.name]?.rows ?? [:] {
      for unique in uniques(of: shape) {
        for values in values(of: row, unique, shape) {
          if let owner = owners.updateValue(key, forKey: values), owner != key { return false }
        }
      }
    }
    tables[shape.name]?.owners = owners
    return true
  }

  /// Puts back what was before a statement that is refused.
  private mutating func undo(_ changes: [(key: Value, old: Fields?)], _ shape: any Shape) {
    for change in changes.reversed() { put(change.old, at: change.key, shape) }
  }

  /// The value of a property, stored or a part of a struct.
  func value(_ field: String, of row: Fields, _ shape: any Shape) -> Value {
    guard let info = shape.info(field), let derived = info.derived else {
      return row[field] ?? .null
    }
    if let calculation = info.calculation { return calculation(row[derived.from] ?? .null) }
    guard case .parts(let parts) = row[derived.from] ?? .null else { return .null }
    return parts[derived.place]
  }

  // Statements.

  /// Does a statement, or nothing where it is refused.
  public mutating func run(_ statement: Statement) -> Outcome {
    switch statement {
    case .insert(let model, let row): return insert([row], model)
    case .insertAll(let model, let rows): return insert(rows, model)
    case .upsert(let model, let row): return upsert(row, model)
    case .merge(let model, let original, let row):
      guard let old = self.row(model, models.shape(model).key(of: row)) else {
        return upsert(row, model)
      }
      var merged = old
      for (field, value) in row where !(original[field] ?? .null).isSame(as: value) {
        merged[field] = value
      }
      return upsert(merged, model)
    case .update(let model, let key, let changes):
      guard row(model, key) != nil else { return .done(0) }
      return update([key], model, changes)
    case .updateAll(let question, let changes):
      return update(keys(of: question), question.model, changes)
    case .set(let question, let field, let value):
      return update(keys(of: question), question.model, [field: value])
    case .delete(let model, let key):
      guard case .done(let count) = delete([key], model) else { return .refused([.denied]) }
      return .done(min(count ?? 0, 1))
    case .deleteAll(let question): return delete(keys(of: question), question.model)
    case .deleteEvery(let model): return delete(rows(model).map(\.key), model)
    case .savepoint(let statements, let fails):
      var inner = self
      for statement in statements { _ = inner.run(statement) }
      if !fails { self = inner }
      return .done(nil)
    case .check: return .done(nil)
    }
  }

  private mutating func insert(_ rows: [Fields], _ model: String) -> Outcome {
    let shape = models.shape(model)
    var changes: [(key: Value, old: Fields?)] = []
    var refusals: Set<Refusal> = []
    for row in rows.map({ whole($0, model) }) {
      let key = shape.key(of: row)
      if tables[model]?.rows[key.identity] != nil { refusals.insert(.duplicateKey) }
      if clashes(row, key, shape) { refusals.insert(.uniqueViolation) }
      if !refusals.isEmpty { break }
      put(row, at: key.identity, shape)
      changes.append((key.identity, nil))
    }
    // Another object of the statement may be what a refused one refers to.
    if refusals.isEmpty {
      for row in rows where dangles(row, shape) { refusals.insert(.danglingReference) }
    } else if rows.contains(where: { dangles($0, shape) }) {
      refusals.insert(.danglingReference)
    }
    if refusals.isEmpty { return .done(nil) }
    undo(changes, shape)
    return .refused(refusals)
  }

  private mutating func upsert(_ row: Fields, _ model: String) -> Outcome {
    let shape = models.shape(model)
    let key = shape.key(of: row)
    let whole = self.row(model, key)?.merging(row) { $1 } ?? whole(row, model)
    return change([(key, whole)], shape) ?? .done(nil)
  }

  /// An object with the fields that its program does not know.
  private func whole(_ row: Fields, _ model: String) -> Fields {
    (defaults[model] ?? [:]).merging(row) { $1 }
  }

  private mutating func update(_ keys: [Value], _ model: String, _ changes: Fields) -> Outcome {
    let shape = models.shape(model)
    let rows = keys.compactMap { key in
      row(model, key).map { (key, $0.merging(changes) { $1 }) }
    }
    return change(rows, shape) ?? .done(keys.count)
  }

  /// Puts rows one after the other; why they are refused, if they are.
  private mutating func change(_ rows: [(Value, Fields)], _ shape: any Shape) -> Outcome? {
    var changes: [(key: Value, old: Fields?)] = []
    for (key, row) in rows {
      var refusals: Set<Refusal> = []
      if clashes(row, key, shape) { refusals.insert(.uniqueViolation) }
      if refusals.isEmpty {
        let old = tables[shape.name]?.rows[key.identity]
        changes.append((key.identity, old))
        // An object that stays equal is not written.
        put(row == old ? row : Self.written(row), at: key.identity, shape)
      }
      if dangles(row, shape) { refusals.insert(.danglingReference) }
      guard refusals.isEmpty else {
        undo(changes, shape)
        return .refused(refusals.union([.uniqueViolation, .danglingReference]))
      }
    }
    return nil
  }

  /// Whether another object has a row's values in a list that must be unique.
  private func clashes(_ row: Fields, _ key: Value, _ shape: any Shape) -> Bool {
    uniques(of: shape).contains { unique in
      values(of: row, unique, shape).contains { values in
        let owner = tables[shape.name]?.owners[values]
        return owner != nil && owner != key.identity
      }
    }
  }

  /// The values that an object has in a list, after the list's name: one for each element of a
  /// collection, none where one is nil.
  private func values(of row: Fields, _ unique: [String], _ shape: any Shape) -> [[Value]] {
    var all: [[Value]] = [[.text(unique.joined(separator: ","))]]
    for field in unique {
      let isFolded = field.hasSuffix("*")
      let name = isFolded ? String(field.dropLast()) : field
      let value = value(name, of: row, shape)
      let kind = shape.info(name)?.kind ?? .bool
      let own = kind.element == nil ? [value] : Self.elements(value, kind)
      let codes = own.filter { $0 != .null }.map { value -> Value in
        guard isFolded, case .text(let text) = value else { return value.identity }
        return .text(Folding.folded(text, options: 1))
      }
      all = all.flatMap { values in codes.map { values + [$0] } }
    }
    return all
  }

  // References.

  /// The keys that a property refers to.
  static func references(_ value: Value, _ kind: Kind) -> [Value] {
    switch (value, kind) {
    case (.null, _): []
    case (_, .optional(let kind)): references(value, kind)
    case (.list(let list), .dictionary):
      list.compactMap { if case .parts(let pair) = $0, pair[1] != .null { pair[1] } else { nil } }
    case (.list(let list), _): list.filter { $0 != .null }
    default: [value]
    }
  }

  func dangles(_ row: Fields, _ shape: any Shape) -> Bool {
    shape.infos.contains { info in
      guard let target = info.kind.target else { return false }
      return Self.references(row[info.name] ?? .null, info.kind)
        .contains { tables[target]?.rows[$0.identity] == nil }
    }
  }

  private mutating func delete(_ keys: [Value], _ model: String) -> Outcome {
    var doomed: [String: Set<Value>] = [
      model: Set(keys.filter { row(model, $0) != nil }.map(\.identity))
    ]
    // What cascades reach, until nothing more is.
    var hasGrown = true
    while hasGrown {
      hasGrown = false
      forEachReference { shape, info, key, row in
        guard rule(shape, info) == .cascade, refers(row, info, doomed),
          doomed[shape.name, default: []].insert(key).inserted
        else { return }
        hasGrown = true
      }
    }
    var isDenied = false
    var nullified: [(String, Value, Fields)] = []
    forEachReference { shape, info, key, row in
      guard refers(row, info, doomed), !doomed[shape.name, default: []].contains(key) else {
        return
      }
      switch rule(shape, info) {
      case .deny: isDenied = true
      case .nullify: nullified.append((shape.name, key, row))
      case .cascade: break
      }
    }
    if isDenied { return .refused([.denied]) }
    for (name, key, _) in nullified {
      guard var row = tables[name]?.rows[key] else { continue }
      for info in models.shape(name).infos {
        guard let target = info.kind.target, let gone = doomed[target],
          rule(models.shape(name), info) == .nullify
        else { continue }
        row[info.name] = Self.without(gone, row[info.name] ?? .null, info.kind)
      }
      put(Self.written(row), at: key, models.shape(name))
    }
    for (name, keys) in doomed { for key in keys { put(nil, at: key, models.shape(name)) } }
    return .done(doomed[model]?.count ?? 0)
  }

  private func forEachReference(
    _ body: (any Shape, FieldInfo, Value, Fields) -> Void
  ) {
    for shape in models.shapes {
      for info in shape.infos where info.kind.target != nil {
        for (key, row) in tables[shape.name]?.rows ?? [:] { body(shape, info, key, row) }
      }
    }
  }

  private func refers(_ row: Fields, _ info: FieldInfo, _ doomed: [String: Set<Value>]) -> Bool {
    guard let target = info.kind.target, let keys = doomed[target] else { return false }
    return Self.references(row[info.name] ?? .null, info.kind).contains {
      keys.contains($0.identity)
    }
  }

  private func rule(_ shape: any Shape, _ info: FieldInfo) -> Rule {
    if let rule = shape.rules[info.name] { return rule }
    if case .reference = info.kind { return .deny }
    return .nullify
  }

  private static func without(_ gone: Set<Value>, _ value: Value, _ kind: Kind) -> Value {
    guard case .list(let list) = value else {
      return gone.contains(value.identity) ? .null : value
    }
    return .list(
      list.filter { element in
        if case .dictionary = kind.unwrapped, case .parts(let pair) = element {
          return !gone.contains(pair[1].identity)
        }
        return !gone.contains(element.identity)
      })
  }
}
