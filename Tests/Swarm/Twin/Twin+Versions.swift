/// What becomes of a store that is opened with other versions of its models.
enum Adoption: Hashable, Sendable {
  case opens
  /// A property's type does not fit, and no migration names it.
  case mismatch
  /// Objects have the same values in a list that is to be unique from now on.
  case clash
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
  }

  /// Goes on with other versions of the models, or stays as it is.
  mutating func adopt(_ models: Models) -> Adoption {
    for change in models.changes where isRefused(change) { return .mismatch }
    var next = self
    // A store is new to models that it does not hold yet.
    for shape in models.shapes where tables[shape.name] == nil {
      next.tables[shape.name] = TwinTable()
    }
    next.models = models
    var clashing: [(shape: any Shape, isDeferred: Bool)] = []
    for shape in models.shapes {
      let count = tables[shape.name]?.rows.count ?? 0
      let isRewritten = next.settle(shape, models.changes) && count > 0
      if !next.index(shape) {
        let isDeferred = !isRewritten && count > thresholds["Croft.rowsIndexedAtOnce"] ?? 1 << 16
        clashing.append((shape, isDeferred))
      }
    }
    if clashing.isEmpty {
      self = next
      return .opens
    }
    // An index over many objects is built when all else is settled, and taken out again.
    if clashing.allSatisfy(\.isDeferred) {
      for (shape, _) in clashing {
        next.memory[shape.name]?.uniques.removeAll(where: shape.uniques.contains)
        _ = next.index(shape)
      }
      next.models = self.models
      self = next
    }
    return .clash
  }

  /// Makes a version's changes of a model, and notes what it says of unique values.
  ///
  /// The word of a version that the store does not know is final; a known one undoes nothing.
  ///
  /// - Returns: Whether all objects are written anew.
  private mutating func settle(_ shape: any Shape, _ changes: [Models.Change]) -> Bool {
    let (name, version) = (shape.name, String(reflecting: shape.type))
    let done = memory[name]?.migrations
    var isRewritten = false
    for change in changes where change.model == name {
      if make(change), change.rewrites { isRewritten = true }
    }
    var memory = memory[name] ?? Memory()
    let isKnown = memory.versions.contains(version) && memory.migrations == done
    let kept = isKnown ? memory.uniques : []
    memory.uniques = kept + shape.uniques.filter { !kept.contains($0) }
    if !memory.versions.contains(version) { memory.versions.append(version) }
    let most = thresholds["Croft.formsPerModel"] ?? 256
    memory.versions.removeFirst(max(0, memory.versions.count - most))
    self.memory[name] = memory
    return isRewritten
  }

  private func isRefused(_ change: Models.Change) -> Bool {
    func has(_ model: String, _ isRefused: (Fields) -> Bool) -> Bool {
      tables[model]?.rows.values.contains(where: isRefused) ?? false
    }
    switch change {
    case .refuse(let model, let field, let isOther):
      return has(model) { isOther($0[field] ?? .null) }
    case .widen(let model, let field, let width, _):
      return has(model) { _ in true } && memory[model]?.widths[field] ?? 0 > width
    case .add, .replace, .once: return false
    }
  }

  /// Makes a change; whether there was something to change.
  private mutating func make(_ change: Models.Change) -> Bool {
    func map(_ body: (Fields) -> Fields?) -> Bool {
      let rows = (tables[change.model]?.rows.values).map(Array.init) ?? []
      tables[change.model] = TwinTable()
      let shape = models.shape(change.model)
      for row in rows {
        guard let row = body(row) else { continue }
        _ = tables[change.model]?.put(row, at: shape.key(of: row).identity)
      }
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
    case .refuse: return false
    }
  }
}

extension Models.Change {
  var model: String {
    switch self {
    case .add(let model, _, _), .replace(let model, _, _), .refuse(let model, _, _),
      .widen(let model, _, _, _), .once(let model, _, _):
      model
    }
  }

  /// Whether it writes all objects anew.
  fileprivate var rewrites: Bool {
    switch self {
    case .replace, .once: true
    case .add, .refuse, .widen: false
    }
  }
}
