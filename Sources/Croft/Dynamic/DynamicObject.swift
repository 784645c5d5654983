/// An object, or a row of aggregates, whose values are read by name.
///
/// ```swift
/// for item in try store.fetch(DynamicQuery("TodoItem where isDone == false")) {
///   print(try item["title", as: String.self])
/// }
/// ```
public struct DynamicObject: Sendable, Hashable {
  /// The name of the model; of aggregates that of the model whose objects were read.
  public let model: String
  /// The names of the values, in order: properties, or what the query selects.
  public let names: [String]
  /// The values, in the order of the names.
  public let values: [StoredValue]

  /// The value of a name.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where there is no such name.
  public subscript(name: String) -> StoredValue {
    get throws {
      guard let place = names.firstIndex(of: name) else {
        throw StoreError.schemaMismatch(
          model: model, field: name,
          reason: "the query selects no such value; it has \(names.joined(separator: ", "))")
      }
      return values[place]
    }
  }

  /// The value of a name as a type that has an order, such as a number, a text or a date.
  ///
  /// - Parameters:
  ///   - name: The name of the value.
  ///   - type: The type to read it as, which is optional where the value may be nil.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where there is no such name, or the
  ///   value is not of the type.
  public subscript<V: OrderedStorable>(name: String, as type: V.Type = V.self) -> V {
    get throws { try typed(self[name], name) }
  }

  /// The elements of an array, or those of a set in the order of their keys.
  ///
  /// - Parameters:
  ///   - name: The name of the value.
  ///   - type: The type to read it as; that of its elements is optional where they may be nil.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where there is no such name, or the
  ///   value is not a collection of such elements.
  public subscript<V: OrderedStorable>(name: String, as type: [V].Type = [V].self) -> [V] {
    get throws {
      switch try self[name] {
      case .list(let elements): return try elements.map { try typed($0, name) }
      case .data(let bytes) where V.self == UInt8.self:
        return try bytes.map { try typed(.uint(UInt64($0)), name) }
      case let value:
        throw StoreError.schemaMismatch(
          model: model, field: name, reason: "\(value.text) is not a collection")
      }
    }
  }

  private func typed<V: OrderedStorable>(_ stored: StoredValue, _ name: String) throws -> V {
    let layout = RecordLayout(
      schema: Schema(
        name: model, columns: [ColumnDefinition(name: name, storage: V.storage, isKey: true)]),
      columns: [ColumnDefinition(name: name, storage: V.storage)], keyWidth: nil, id: 1)
    return try V.value(stored, ColumnPath(place: 0, name: name), layout)
  }
}
