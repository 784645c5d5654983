/// What the names in a condition mean: properties of a model, or of one element of a collection.
struct QueryScope {
  /// The model whose properties are named; nil for an element that is a plain value.
  let schema: Schema?
  /// The references that lead to it, of which an element's first one is the element itself.
  let links: [Int]
  /// What the paths of its properties begin with.
  let prefix: String
  /// The type of an element; nil where there is none.
  var element: StorageType?
  /// The cases of the enum whose values the elements are; empty for others.
  var elementCases: [ValueDomain.Case] = []

  /// The properties of a model itself.
  init(_ schema: Schema) {
    (self.schema, links, prefix) = (schema, [], "")
  }

  /// An element of a collection, which may refer to a model.
  init(
    elementOf storage: StorageType, referringTo target: Schema?, cases: [ValueDomain.Case] = []
  ) {
    elementCases = cases
    (schema, links, prefix) = (target, [ColumnPath.element.place], ColumnPath.element.name + ".")
    element = storage.element
  }
}

extension QueryScope {
  /// The column that a path leads to; nil for what is computed or measured, and for an element.
  private func definition(
    at path: ColumnPath
  ) -> (column: ColumnDefinition, schema: Schema)? {
    guard path.computed == nil, path.measure == nil, path != .element, var schema else {
      return nil
    }
    for link in path.links.dropFirst(links.count) {
      guard let reference = schema.columns[link].reference else { return nil }
      schema = reference.target()
    }
    return (schema.columns[path.place], schema)
  }

  /// Whether a column holds whether a struct is there, whose properties are columns of their own.
  func isStruct(_ path: ColumnPath) -> Bool {
    guard let (column, schema) = definition(at: path), column.storage.kind == .bool,
      column.storage.collection == nil
    else { return false }
    let prefix = column.name + "."
    return schema.columns.contains { $0.name.hasPrefix(prefix) }
  }

  /// The cases of the enum whose values a column or an element has; empty for others.
  func cases(of path: ColumnPath) -> [ValueDomain.Case] {
    path == .element ? elementCases : definition(at: path)?.column.domain?.cases ?? []
  }

  /// Whether names begin with that of a property or of a struct.
  func names(_ name: String) -> Bool {
    if element != nil, name.lowercased() == "it" { return true }
    return schema?.columns.contains { $0.name == name || $0.name.hasPrefix(name + ".") } ?? false
  }
}

/// A value of a query text whose names are known.
enum QueryOperand {
  /// A property or an expression, and what it refers to.
  case column(ColumnPath, StorageType, reference: ForeignKeyDefinition?)
  /// A struct without a column of its own, by its path.
  case embedded(String)
  /// The objects that refer to one.
  case referrers(ReferringColumn)
  case literal(QueryLiteral)
}
