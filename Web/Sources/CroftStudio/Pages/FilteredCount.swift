import Croft

/// How many objects a filter finds.
struct FilteredCount {
  /// How long a count may take that the page with the objects waits for.
  static let limitOnPage = Duration.milliseconds(20)

  /// The query for the objects.
  let query: DynamicQuery
  private let model: StoredModel
  private let filter: String

  /// Makes the count of the objects that a condition of the query language finds, all of them where it is empty.
  ///
  /// - Throws: ``FilterProblem``; an error of the store.
  init(of model: StoredModel, filter: String, in tx: inout ReadTransaction) throws {
    try ObjectGrid.check(filter, of: model, in: &tx)
    (self.model, self.filter) = (model, filter)
    query = try DynamicQuery(model.name.asQueryName + (filter.isEmpty ? "" : " where (\(filter))"))
  }

  /// The number where an index or the primary key alone gives it; nil elsewhere.
  ///
  /// - Complexity: O(log *n*), and O(pages) of the index, for which ``limitOnPage`` is enough.
  func known(in tx: inout ReadTransaction) throws -> Int? {
    if filter.isEmpty { return model.objectCount }
    let plan = try tx.explain(query)
    guard plan.residual == nil else { return nil }
    switch plan.access {
    case .nothing, .scan, .primaryKeyRange, .indexEquality, .indexRange, .indexOrder:
      return try QueryProgress.part(upTo: Self.limitOnPage) { try tx.count(query) }
    case .primaryKeys, .union, .intersection: return nil
    }
  }

  /// The number, for which objects may be read until the time of the query is over; nil then.
  func counted(in tx: inout ReadTransaction) throws -> Int? {
    if filter.isEmpty { return model.objectCount }
    do {
      return try tx.count(query)
    } catch QueryProgress.Stop.tooSlow {
      return nil
    }
  }
}
