extension Query {
  /// Keeps the objects that come after one in the query's order, and of these the first.
  ///
  /// ```swift
  /// let list = TodoItem.where { !$0.isDone }.order(by: \.createdAt.descending)
  /// let first = try store.fetch(list.page(after: nil, 50))
  /// let second = try store.fetch(list.page(after: first.last, 50))
  /// ```
  /// The object need not be stored any more: its properties and its primary key tell the position. Objects
  /// that are inserted or deleted before it do not shift the page, as they do with an offset.
  ///
  /// - Parameters:
  ///   - object: The last object of the page before; nil for the first page.
  ///   - count: The most objects; not negative.
  /// - Returns: The narrower query; an earlier limit and offset are replaced.
  /// - Precondition: The order is of properties of the model itself, or of expressions over such, but not
  ///   of measures such as a count of elements, nor of ``SortKey/relevance``. No distinct properties
  ///   are set.
  /// - Complexity: With an index in the order's direction O(log *n* + *count*). An index in the other
  ///   direction also reads the objects that have the values of the page's ends, which are in the order of
  ///   their keys there. Without an index all objects that the condition finds are read.
  public func page(after object: M?, _ count: Int) -> Query<M> {
    precondition(
      core.distinct.isEmpty,
      "A page of distinct objects would depend on the pages before it: use limit(_:offset:).")
    precondition(
      !core.readsRelevance,
      "page(after:) cannot find a position by relevance, which other objects can move as well: use "
        + "limit(_:offset:).")
    let query = limit(count)
    guard let object else { return query }
    let position = OrderPosition(of: object, in: core.order)
    return query.changed { $0.condition = .both($0.condition, position.isBefore) }
  }
}
