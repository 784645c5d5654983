import Croft
import PageServer

/// All values of one object, and how many objects refer to it.
struct ObjectDetails {
  /// The values, for the template.
  let values: [[String: Any]]
  /// The references to the object by model and property, for the template.
  let links: [[String: Any]]

  /// How long references are counted on a page, all of them together.
  static let countLimit = Duration.seconds(1)

  /// Reads an object; nil where there is none with the key.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - key: The primary key.
  ///   - countLimit: How long references are counted; nil where there shall be none.
  ///   - tx: The transaction.
  /// - Complexity: O(log n), and for each property that refers to the model the cost of counting by it: where
  ///   it has an index, O(log n + k).
  /// - Throws: An error of the store.
  init?(
    of model: StoredModel, _ key: ObjectKey, countLimit: Duration? = countLimit,
    in tx: inout ReadTransaction
  ) throws {
    guard let object = try key.object(of: model, in: &tx) else { return nil }
    let cells = ValueCell.cells(of: object, key, model, .page)
    values = zip(model.properties, cells).map { property, cell in
      var values = cell
      values["name"] = property.name
      values["type"] = property.typeName
      values["isKey"] = property.isPrimaryKey
      return values
    }
    links =
      try countLimit.map { try Self.links(to: key, of: model, until: .now + $0, in: &tx) } ?? []
  }

  private static func links(
    to key: ObjectKey, of model: StoredModel, until end: ContinuousClock.Instant,
    in tx: inout ReadTransaction
  ) throws -> [[String: Any]] {
    var links: [[String: Any]] = []
    for other in try tx.models() {
      for property in other.properties where property.reference?.model == model.name {
        guard let value = key.reference(property.type, to: model),
          let literal = ValueText.literal(value)
        else { continue }
        let sign = property.type.collection == nil ? "==" : "contains"
        let filter = "\(property.name.asQueryName) \(sign) \(literal)"
        let query = try DynamicQuery("\(other.name.asQueryName) where \(filter)")
        links.append([
          "model": other.name, "property": property.name,
          "count": try count(query, until: end, in: &tx),
          "path": StudioPath.grid(other.name, ObjectGrid.Request(filter: filter)),
        ])
      }
    }
    return links
  }

  /// How many objects refer, or why they were not counted: one count does not take the page down.
  private static func count(
    _ query: DynamicQuery, until end: ContinuousClock.Instant, in tx: inout ReadTransaction
  ) throws -> String {
    do {
      let rest = ContinuousClock.now.duration(to: end)
      let count = try QueryProgress.part(upTo: rest) { try tx.count(query) }
      return count.map { "\($0)" } ?? "not counted, because it takes too long"
    } catch let error as StoreError {
      return "not counted. \(error.pageText)".shown
    }
  }
}
