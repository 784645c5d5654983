/// A query whose live result stands in sections, one for each value of a property.
///
/// ```swift
/// store.observe(TodoItem.all.order(by: \.createdAt).sections(by: \.priority)) { change in ... }
/// ```
public struct SectionedQuery<M: Model, Key: Ordered>: Hashable, Sendable {
  /// The query, with the sections' property first in its order.
  let core: QueryCore

  init(_ query: QueryCore, _ key: SortKey) {
    var core = query
    core.order.insert(key, at: 0)
    self.core = core
  }

  /// Finds the section in a row's code.
  var code: SectionCode {
    SectionCode(
      storage: Key.storage, isDescending: core.order[0].isDescending,
      column: core.order[0].path.place)
  }
}

extension Query {
  /// Puts the live result in sections, one for each value of a property.
  ///
  /// - Parameters:
  ///   - property: The property; texts are equal as in Swift, and nil is a value of its own.
  ///   - isDescending: Whether the greatest value comes first.
  /// - Returns: What `store.observe` and `store.changes` take: sections by their keys, and in
  ///   each the objects in this query's order. Offset and limit count over all sections.
  /// - Precondition: The property is stored.
  public func sections<Key: Ordered>(
    by property: KeyPath<M, Key>, isDescending: Bool = false
  ) -> SectionedQuery<M, Key> {
    SectionedQuery(core, SortKey(path: ColumnPath(property), isDescending: isDescending))
  }
}
