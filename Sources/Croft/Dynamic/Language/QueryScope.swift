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

  /// The properties of a model itself.
  init(_ schema: Schema) {
    (self.schema, links, prefix) = (schema, [], "")
  }

  /// An element of a collection, which may refer to a model.
  init(elementOf storage: StorageType, referringTo target: Schema?) {
    (schema, links, prefix) = (target, [ColumnPath.element.place], ColumnPath.element.name + ".")
    element = storage.element
  }
}

extension QueryScope {
  /// Whether a column holds whether a struct is there, whose properties are columns of their own.
  func isStruct(_ path: ColumnPath) -> Bool {
    guard path.computed == nil, path.measure == nil, path != .element, var schema else {
      return false
    }
    for link in path.links.dropFirst(links.count) {
      guard let reference = schema.columns[link].reference else { return false }
      schema = reference.target()
    }
    let column = schema.columns[path.place]
    if column.storage.kind != .bool || column.storage.collection != nil { return false }
    let prefix = column.name + "."
    return schema.columns.contains { $0.name.hasPrefix(prefix) }
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
