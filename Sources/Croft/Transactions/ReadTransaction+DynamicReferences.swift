internal import CroftFoundation

// The objects that an object without a type refers to.
extension ReadTransaction {
  /// Fetches the objects that a property of an object refers to, in the property's order.
  ///
  /// ```swift
  /// for item in try store.fetch(DynamicQuery("TodoItem where group != nil")) {
  ///   for group in try store.fetch("group", of: item) { print(try group["name"]) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of a property that holds a reference, or a collection of them.
  ///   - object: An object of a query that selects the property.
  /// - Returns: The objects; one that has been deleted is left out, and one that is named twice comes twice. For nil
  ///   there is none.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where the object has no such value, or its model's
  ///   property does not refer to objects; as ``fetch(_:)-(DynamicQuery)``.
  /// - Complexity: O(*k* log *n*) for *k* references.
  public mutating func fetch(_ name: String, of object: DynamicObject) throws -> [DynamicObject] {
    do {
      let value = try object[name]
      let entries = try storedModels().entries
      let field = entries.first { $0.name == object.model }?.fields.first { $0.name == name }
      guard let field, let reference = field.reference,
        let target = entries.first(where: { $0.id == reference.model })
      else {
        throw StoreError.schemaMismatch(
          model: object.model, field: name, reason: "the property does not refer to objects")
      }
      return try field.references(in: value).compactMap { key in
        try target.query(forKey: key, of: field.storage).flatMap { try fetch($0).first }
      }
    } catch { throw failing(error) }
  }
}

extension ReadableStore {
  /// Fetches the objects that a property of an object refers to, in one read transaction.
  ///
  /// - Throws: As ``ReadTransaction/fetch(_:of:)``, and for a read.
  public func fetch(_ name: String, of object: DynamicObject) throws -> [DynamicObject] {
    try read { try $0.fetch(name, of: object) }
  }
}

extension CatalogEntry.Field {
  /// The references in a value of the property, without the texts of a dictionary.
  fileprivate func references(in value: StoredValue) -> [StoredValue] {
    switch value {
    case .none: []
    case .list(let elements) where storage.collection == .dictionary:
      elements.indices.filter { !$0.isMultiple(of: 2) }.map { elements[$0] }
    case .list(let elements): elements
    default: [value]
    }
  }
}

extension CatalogEntry {
  /// The query for the object that a reference names; nil for what is no key of the model.
  fileprivate func query(forKey key: StoredValue, of type: StorageType) throws -> DynamicQuery? {
    guard key != .none else { return nil }
    let parts = keys.compactMap { id in fields.first { $0.id == id } }
    var rest = (parts.count == 1 ? [key] : key.keyParts(of: type) ?? [])[...]
    var (conditions, values) = ([String](), [String: StoredValue]())
    for part in parts {
      // A key that is a part of another one has its own parts there.
      let kinds = part.storage.keyKinds
      let own = Array(rest.prefix(parts.count == 1 ? 1 : max(1, kinds.count)))
      rest = rest.dropFirst(own.count)
      let isWhole = parts.count == 1 || kinds.isEmpty
      guard let value = isWhole ? own.first : StoredValue(keyParts: own, of: part.storage) else {
        return nil
      }
      let name = "key\(conditions.count)"
      conditions.append("\(QueryTextWriter.path(part.name)) == $\(name)")
      values[name] = value
    }
    return try DynamicQuery(
      QueryTextWriter.name(name) + " where " + conditions.joined(separator: " and "),
      QueryParameters(values: values), .current)
  }
}
