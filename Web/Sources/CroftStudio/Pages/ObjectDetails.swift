import Croft

/// All values of one object, and how many objects refer to it.
struct ObjectDetails {
  /// The values, for the template.
  let values: [[String: Any]]
  /// The references to the object by model and property, for the template.
  let links: [[String: Any]]

  /// Reads an object; nil where there is none with the key.
  ///
  /// - Complexity: O(log n), and for each property that refers to the model the cost of counting by it: where
  ///   it has an index, O(log n + k).
  /// - Throws: An error of the store.
  init?(of model: StoredModel, _ key: ObjectKey, in tx: inout ReadTransaction) throws {
    guard let object = try key.object(of: model, in: &tx) else { return nil }
    let cells = ValueCell.cells(of: object, key, model, charactersMax: nil)
    values = zip(model.properties, cells).map { property, cell in
      var values = cell
      values["name"] = property.name
      values["type"] = property.typeName
      values["isKey"] = property.isPrimaryKey
      return values
    }
    links = try Self.links(to: object, of: model, in: &tx)
  }

  private static func links(
    to object: DynamicObject, of model: StoredModel, in tx: inout ReadTransaction
  ) throws -> [[String: Any]] {
    // A key of several properties is no literal of the query language.
    guard model.primaryKey.count == 1, let name = model.primaryKey.first,
      let literal = ValueText.literal(try object[name])
    else { return [] }
    var links: [[String: Any]] = []
    for other in try tx.models() {
      for property in other.properties where property.reference?.model == model.name {
        let filter =
          property.type.collection == nil
          ? "\(property.name.asQueryName) == \(literal)"
          : "\(property.name.asQueryName) contains \(literal)"
        let count = try tx.count(DynamicQuery("\(other.name) where \(filter)"))
        links.append([
          "model": other.name, "property": property.name, "count": count,
          "path": StudioPath.grid(other.name, filter: filter),
        ])
      }
    }
    return links
  }
}
