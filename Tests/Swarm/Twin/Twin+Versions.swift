/// What becomes of a store that is opened with other versions of its models.
enum Adoption: Hashable, Sendable {
  case opens
  /// A property's type does not fit, and no migration names it.
  case mismatch
  /// An object refers to one that is not there.
  case dangling
  /// Objects have the same values in a list that is to be unique from now on.
  case clash
  /// A migration gives two objects one primary key.
  case duplicate
}

extension Twin {
  /// What the store remembers of a model.
  struct Memory: Sendable {
    /// Lists of properties whose values no two objects share; texts with `*` have their case folded.
    var uniques: [[String]] = []
    /// The versions that it met, the first one first.
    var versions: [String] = []
    /// The names of the migrations that were made.
    var migrations: Set<String> = []
    /// How wide properties are by now, where they were widened.
    var widths: [String: Int] = [:]
    /// What nil is read as, for each field that some versions need a value of.
    var nils: [String: Nil] = [:]
  }

  /// What a nil of a field is to versions that need a value.
  struct Nil: Sendable {
    /// Whether objects may hold nil.
    var isOptional = false
    /// The default of the first version that needed a value.
    var preset: Value?
    /// Whether a newer version has made the field optional since.
    var isRetired = false

    mutating func require(_ value: Value?, isKnown: Bool) {
      guard preset == nil || isOptional && isRetired else { return }
      if !isKnown || preset != value { isRetired = false }
      preset = value
    }
  }

  /// How many versions the store has met.
  var knownVersions: Int { memory[models.shapes[0].name]?.versions.count ?? 0 }

  /// Continues with other versions of the models, or stays the same.
  mutating func adopt(_ models: Models) -> Adoption {
    for change in models.changes where isRefused(change, models) { return .mismatch }
    let (next, clashing) = settled(models)
    if next.hasCollided { return .duplicate }
    guard clashing.isEmpty else { return .clash }
    for shape in models.shapes {
      let rows = next.tables[shape.name]?.rows.values
      if rows?.contains(where: { next.dangles($0, shape) }) ?? false { return .dangling }
    }
    self = next
    return .opens
  }

  /// The store as a program sees it that has it open with a version; nil where that is refused.
  func continued(with models: Models) -> Twin? {
    var next = self
    guard isCertain(of: models), next.adopt(models.continued) == .opens else { return nil }
    next.models = models
    return next
  }

  /// Whether values tell which type each field has that a version replaces by a migration.
  ///
  /// Nil is a value of both types.
  func isCertain(of models: Models) -> Bool {
    models.changes.allSatisfy { change in
      guard case .replace(let model, let field, _) = change, count(model) > 0 else { return true }
      return tables[model]?.rows.values.contains { ($0[field] ?? .null) != .null } ?? true
    }
  }

  /// Records the changes that stay of versions whose unique indexes were refused in the end.
  ///
  /// An index over many objects is built when the rest is committed, and taken out again. Whether the
  /// store did so it tells by the generation of its catalog.
  mutating func abandon(_ models: Models) {
    var (next, clashing) = settled(models)
    for shape in clashing {
      next.memory[shape.name]?.uniques.removeAll(where: shape.uniques.contains)
      _ = next.index(shape)
    }
    next.models = self.models
    self = next
  }

  /// The twin with all that other versions change, and the models whose values clash there.
  private func settled(_ models: Models) -> (next: Twin, clashing: [any Shape]) {
    var next = self
    // A store is new to models that it does not hold yet.
    for shape in models.shapes where tables[shape.name] == nil {
      next.tables[shape.name] = TwinTable()
    }
    next.models = models
    var clashing: [any Shape] = []
    for shape in models.shapes {
      next.settle(shape, models.changes)
      if !next.index(shape) { clashing.append(shape) }
    }
    return (next, clashing)
  }

  /// Makes a version's changes of a model, and notes what it says of unique values.
  ///
  /// The word of a version that the store does not know is final; a known one undoes nothing.
  private mutating func settle(_ shape: any Shape, _ changes: [Models.Change]) {
    let (name, version) = (shape.name, String(reflecting: shape.type))
    let done = memory[name]?.migrations
    var isRewritten = changes.contains { $0.model == name && isDue($0, shape) }
    revealNils(name)
    for change in changes where change.model == name {
      if make(change, isRewritten), change.rewrites { isRewritten = true }
    }
    var memory = memory[name] ?? Memory()
    let isKnown = memory.versions.contains(version) && memory.migrations == done
    let kept = isKnown ? memory.uniques : []
    memory.uniques = kept + shape.uniques.filter { !kept.contains($0) }
    if !memory.versions.contains(version) { memory.versions.append(version) }
    let most = thresholds["Croft.knownSchemasPerModel"] ?? 256
    memory.versions.removeFirst(max(0, memory.versions.count - most))
    self.memory[name] = memory
  }

  private func isKnown(_ shape: any Shape) -> Bool {
    memory[shape.name]?.versions.contains(String(reflecting: shape.type)) ?? false
  }

  /// Whether a field needs a value that no default gives, or that must be another one for each object.
  private func isDue(_ change: Models.Change, _ shape: any Shape) -> Bool {
    guard case .require(let model, let field, let value, _) = change, count(model) > 0,
      let memory = memory[model], var nils = memory.nils[field], nils.isOptional
    else { return false }
    nils.require(value, isKnown: isKnown(shape))
    let uniques = shape.uniques + (isKnown(shape) ? memory.uniques : [])
    return nils.preset == nil || uniques.contains { $0.contains(field) }
  }

  private static let mark = "?"

  /// An object after it was written: a value that was read as a default is stored.
  static func written(_ row: Fields) -> Fields { row.filter { !$0.key.hasSuffix(mark) } }

  /// Removes the defaults of a version from objects that it has not written.
  private mutating func revealNils(_ model: String) {
    for (key, row) in tables[model]?.rows ?? [:] {
      let marks = row.keys.filter { $0.hasSuffix(Self.mark) }
      if marks.isEmpty { continue }
      var row = Self.written(row)
      for mark in marks { row[String(mark.dropLast())] = .null }
      _ = tables[model]?.put(row, at: key)
    }
  }

  private func isRefused(_ change: Models.Change, _ models: Models) -> Bool {
    func has(_ model: String, _ isRefused: (Fields) -> Bool) -> Bool {
      tables[model]?.rows.values.contains(where: isRefused) ?? false
    }
    switch change {
    case .refuse(let model, let field, let isOther):
      return has(model) { isOther($0[field] ?? .null) }
    case .widen(let model, let field, let width, _):
      return has(model) { _ in true } && memory[model]?.widths[field] ?? 0 > width
    case .require(let model, _, _, let migration):
      return migration == nil && isDue(change, models.shape(model))
    case .add, .replace, .once, .relax: return false
    }
  }

  /// Makes a change; whether there was something to change.
  private mutating func make(_ change: Models.Change, _ isRewritten: Bool) -> Bool {
    func map(_ body: (Fields) -> Fields?) -> Bool {
      let rows = (tables[change.model]?.rows.values).map(Array.init) ?? []
      tables[change.model] = TwinTable()
      let shape = models.shape(change.model)
      let new = rows.compactMap(body)
      for row in new { _ = tables[change.model]?.put(row, at: shape.key(of: row).identity) }
      if new.count > count(change.model) { hasCollided = true }
      return !rows.isEmpty
    }
    switch change {
    case .add(let model, let field, let value):
      if defaults[model]?[field] == nil { defaults[model, default: [:]][field] = value }
      let value = defaults[model]?[field] ?? value
      return map { row in row[field] == nil ? row.merging([field: value]) { $1 } : row }
    case .replace(let model, let field, let change):
      let rows = tables[model]?.rows.values
      guard rows?.contains(where: { $0[field].flatMap(change) != nil }) ?? false else {
        return false
      }
      return map { row in
        guard let value = row[field], let new = change(value) else { return row }
        return row.merging([field: new]) { $1 }
      }
    case .widen(let model, let field, let width, let change):
      memory[model, default: Memory()].widths[field] = width
      return map { row in row.merging([field: change(row[field] ?? .null)]) { $1 } }
    case .once(let model, let name, let change):
      guard memory[model, default: Memory()].migrations.insert(name).inserted else { return false }
      return map(change)
    case .require(let model, let field, let value, let migration):
      let isKnown = isKnown(models.shape(model))
      var nils = memory[model]?.nils[field] ?? Nil()
      nils.require(value, isKnown: isKnown)
      nils.isOptional = nils.isOptional && !isRewritten && count(model) > 0
      memory[model, default: Memory()].nils[field] = nils
      return map { row in
        guard row[field] ?? .null == .null else { return row }
        if isRewritten {
          return row.merging([field: migration?(row) ?? nils.preset ?? .null]) { $1 }
        }
        return row.merging([field: nils.preset ?? .null, field + Self.mark: .null]) { $1 }
      }
    case .relax(let model, let field):
      let isKnown = isKnown(models.shape(model))
      var nils = memory[model]?.nils[field] ?? Nil()
      nils.isOptional = true
      if !isKnown, nils.preset != nil { nils.isRetired = true }
      memory[model, default: Memory()].nils[field] = nils
      return false
    case .refuse: return false
    }
  }
}

extension Models.Change {
  var model: String {
    switch self {
    case .add(let model, _, _), .replace(let model, _, _), .refuse(let model, _, _),
      .widen(let model, _, _, _), .once(let model, _, _), .require(let model, _, _, _),
      .relax(let model, _):
      model
    }
  }

  /// Whether it writes all objects again.
  fileprivate var rewrites: Bool {
    switch self {
    case .replace, .once: true
    case .add, .refuse, .widen, .require, .relax: false
    }
  }
}
