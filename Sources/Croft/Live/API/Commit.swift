/// A commit, and what it did to the objects of each model.
public struct Commit: Sendable {
  /// The commit's number; the last one's where several were put together.
  public let sequence: UInt64
  private let catalog: Catalog?
  /// By the model's number; nil where anything may have changed.
  private let changes: [Int: TableDelta]?

  init(sequence: UInt64, _ catalog: Catalog?, _ changes: [Int: TableDelta]?) {
    self.sequence = sequence
    self.catalog = catalog
    self.changes = changes
  }

  /// Whether objects of a model may have changed.
  ///
  /// - Parameter model: The model's type.
  public func concerns<M: Model>(_ model: M.Type) -> Bool {
    guard let changes else { return true }
    return change(of: model, in: changes) != nil
  }

  /// What was done to each object of a model that changed.
  ///
  /// - Parameter model: The model's type.
  /// - Returns: The objects before and after, ascending by primary key; each once. Nil where it
  ///   is not known: another process or another ``Store`` of the file committed, more was changed
  ///   than is kept, or the reader is so slow that commits were put together.
  /// - Throws: ``StoreError`` for a row that cannot be read as an object.
  /// - Complexity: O(*n*) for *n* changed objects, which are made.
  public func changes<M: Model>(of model: M.Type) throws -> [ObjectDelta<M>]? {
    guard let changes else { return nil }
    guard let change = change(of: model, in: changes) else { return [] }
    guard case .rows(let rows) = change, rows.allSatisfy(\.isOldKnown) else { return nil }
    return try rows.map { row in
      ObjectDelta(old: try row.old?.object(as: M.self), new: try row.new?.object(as: M.self))
    }
  }

  private func change<M: Model>(
    of model: M.Type, in changes: [Int: TableDelta]
  ) -> TableDelta? {
    // A model that the store was not opened with has no number, and no changes.
    guard let table = try? catalog?.table(of: M.schema) else { return nil }
    return changes[table.id]
  }
}

extension Commit: CustomStringConvertible {
  /// The commit's number, and how many objects of each model changed: none of the objects.
  public var description: String {
    guard let changes, let catalog else { return "commit \(sequence): anything" }
    let models = catalog.all.compactMap { table in
      changes[table.id].map { "\($0.countText) of \(table.schema.name)" }
    }
    return "commit \(sequence): " + (models.isEmpty ? "nothing" : models.joined(separator: ", "))
  }
}

extension TableDelta {
  /// How many rows changed, as far as that is known.
  fileprivate var countText: String {
    switch self {
    case .rows(let rows): "\(rows.count)"
    case .keys(let keys): "\(keys.count)"
    case .unknown: "any number"
    }
  }
}
