extension ColumnPath {
  /// The searches by which objects are ordered, once they are known.
  struct Relevance: Hashable, Sendable {
    struct Search: Hashable, Sendable {
      /// The places of the columns that are searched.
      let places: [Int]
      let query: String

      /// Whether it has a term that is not excluded.
      var hasTerms: Bool { SearchQuery(query).groups.joined().contains { !$0.isExcluded } }
    }

    /// The searches of the query's condition; empty in an order that has yet to be run.
    var searches: [Search] = []
  }

  /// How well an object matches the searches of the query's condition.
  static let relevance = ColumnPath(
    place: ColumnPath.element.place, name: "relevance", relevance: Relevance())
}

extension SortKey {
  /// The order by how well objects match the searches of the query, the most relevant first.
  ///
  /// ```swift
  /// let found = Article.where { $0.matches("우유") }.order(by: .relevance, \.createdAt.descending)
  /// ```
  ///
  /// It counts each `matches` of the query's condition that is not negated, in properties of the model
  /// itself: how often a term is in the texts, how rare it is among all objects, how long the texts are,
  /// and the weights that a `#FullText` gives to them. <doc:Search> has the formula. A query without such a
  /// condition throws ``StoreError/relevanceWithoutSearch(model:)`` when it is run, also to count, to
  /// change or to delete what it finds.
  ///
  /// Unlike the order of a property it begins with the greatest: ``ascending`` is the same order, and
  /// ``descending`` puts the least relevant first.
  public static let relevance = SortKey(path: .relevance, isDescending: false)
}

extension Query {
  /// Sets the order: by relevance or by an expression first, then by properties.
  ///
  /// - Parameters:
  ///   - first: The first key, such as ``SortKey/relevance``.
  ///   - keys: Key paths of the keys that decide where it is equal; the primary key decides at last.
  /// - Returns: The ordered query; an earlier order is replaced.
  public func order(by first: SortKey, _ keys: KeyPath<SortRoot<M>, SortKey>...) -> Query<M> {
    changed { $0.order = [first] + keys.map { SortRoot<M>()[keyPath: $0] } }
  }
}

extension QueryCore {
  /// Whether the order needs the relevance of objects.
  var readsRelevance: Bool { order.contains { $0.path.relevance != nil } }

  /// Whether the order needs the relevance, and the condition has no search that gives it.
  var lacksSearch: Bool { readsRelevance && condition.relevantSearches.isEmpty }

  /// The query with the searches of its condition in its order.
  ///
  /// The relevance is left out where no search has a term to be found, because all objects are equal.
  ///
  /// - Throws: ``StoreError/relevanceWithoutSearch(model:)`` where the condition has none;
  ///   ``StoreError/conditionTooDeep(model:)``.
  func resolvingRelevance(of schema: Schema) throws -> QueryCore {
    guard readsRelevance else { return self }
    let searches = condition.relevantSearches
    if searches.isEmpty {
      // The condition that was too deep may have had one.
      if case .tooDeep = condition { throw StoreError.conditionTooDeep(model: schema.name) }
      throw StoreError.relevanceWithoutSearch(model: schema.name)
    }
    var query = self
    guard searches.contains(where: \.hasTerms) else {
      query.order.removeAll { $0.path.relevance != nil }
      return query
    }
    let relevance = ColumnPath.Relevance(searches: searches)
    query.order = order.map { key in
      SortKey(path: key.path.resolving(relevance), isDescending: key.isDescending)
    }
    return query
  }
}

extension ConditionTree {
  /// The searches in the model's own columns that may make the condition hold.
  fileprivate var relevantSearches: [ColumnPath.Relevance.Search] {
    switch self {
    case .search(let paths, let pattern):
      [ColumnPath.Relevance.Search(places: paths.map(\.place), query: pattern.text)]
    case .text(let path, let pattern), .any(let path, .text(.element, let pattern)):
      pattern.kind == .matches
        ? path.ownPlace.map { [.init(places: [$0], query: pattern.text)] } ?? [] : []
    case .and(let terms), .or(let terms): terms.flatMap(\.relevantSearches)
    case .constant, .compare, .isNil, .within, .columns, .any, .referred, .not, .tooDeep: []
    }
  }
}
