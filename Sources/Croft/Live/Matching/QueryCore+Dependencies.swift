extension QueryCore {
  /// Whether the result follows from the own fields of the model's rows alone.
  var readsOwnFieldsOnly: Bool {
    condition.readsOwnFieldsOnly && order.allSatisfy { $0.path.isOwn }
      && distinct.allSatisfy(\.isOwn)
  }

  /// The numbers of the models whose rows the result follows from.
  ///
  /// - Throws: ``StoreError/unknownModel(model:)`` where the store was opened without one of them.
  func dependencies(_ table: Table, _ catalog: Catalog) throws -> Set<Int> {
    var models: Set<Int> = [table.id]
    try condition.collectModels(from: table.schema, catalog, into: &models)
    for path in order.map(\.path) + distinct {
      try path.collectModels(from: table.schema, catalog, into: &models)
    }
    return models
  }
}

extension ColumnPath {
  /// Whether the value lies in the row itself, or is made of what lies there.
  fileprivate var isOwn: Bool { links.isEmpty && measure?.source == nil }

  /// Adds the models that the path leads through.
  ///
  /// - Returns: The model whose column the path ends in.
  @discardableResult
  fileprivate func collectModels(
    from schema: Schema, _ catalog: Catalog, into models: inout Set<Int>
  ) throws -> Schema {
    var schema = schema
    for link in links {
      guard let reference = schema.columns[link].reference else { break }
      schema = reference.target()
      models.insert(try catalog.table(of: schema).id)
    }
    if let source = measure?.source { models.insert(try catalog.table(of: source.schema).id) }
    return schema
  }
}

extension Expression {
  fileprivate var readsOwnFieldsOnly: Bool {
    switch self {
    case .constant, .tooDeep: true
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _):
      path.isOwn
    case .columns(let left, _, let right): left.isOwn && right.isOwn
    case .any(let path, let condition): path.isOwn && condition.readsOwnFieldsOnly
    case .referred: false
    case .and(let terms), .or(let terms): terms.allSatisfy(\.readsOwnFieldsOnly)
    case .not(let term): term.readsOwnFieldsOnly
    }
  }

  /// Adds the models that a condition on rows of a model looks at.
  fileprivate func collectModels(
    from schema: Schema, _ catalog: Catalog, into models: inout Set<Int>
  ) throws {
    switch self {
    case .constant, .tooDeep: break
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _):
      try path.collectModels(from: schema, catalog, into: &models)
    case .columns(let left, _, let right):
      try left.collectModels(from: schema, catalog, into: &models)
      try right.collectModels(from: schema, catalog, into: &models)
    case .any(let path, let condition):
      let end = try path.collectModels(from: schema, catalog, into: &models)
      try condition.collectElementModels(of: end.columns[path.place], catalog, into: &models)
    case .referred(let link, let condition):
      models.insert(try catalog.table(of: link.schema).id)
      try condition.collectModels(from: link.schema, catalog, into: &models)
    case .and(let terms), .or(let terms):
      for term in terms { try term.collectModels(from: schema, catalog, into: &models) }
    case .not(let term): try term.collectModels(from: schema, catalog, into: &models)
    }
  }

  /// Adds the models that a condition on elements looks at, which are references if it looks at
  /// any.
  private func collectElementModels(
    of column: ColumnDefinition, _ catalog: Catalog, into models: inout Set<Int>
  ) throws {
    if readsOwnFieldsOnly { return }
    guard let reference = column.reference else { return }
    let target = reference.target()
    models.insert(try catalog.table(of: target).id)
    try behindElement.collectModels(from: target, catalog, into: &models)
  }

  /// A condition on an element that is a reference, as the object there sees it.
  private var behindElement: Expression {
    switch self {
    case .and(let terms): .and(Terms(terms.map(\.behindElement)))
    case .or(let terms): .or(Terms(terms.map(\.behindElement)))
    case .not(let term): .not(term.behindElement)
    case .columns(let left, let comparison, let right):
      .columns(left.behindElementLink, comparison, right.behindElementLink)
    case .constant, .referred, .tooDeep: self
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _),
      .any(let path, _):
      path.links.isEmpty ? .constant(true) : behindLink
    }
  }
}

extension ColumnPath {
  fileprivate var behindElementLink: ColumnPath { links.isEmpty ? self : behindLink }
}
