/// A model with a `#FullText`, all of whose texts can be searched at once.
///
/// ``Model()`` adds the conformance.
public protocol SearchableModel: Model {}

extension QueryColumn where M == Value, Value: SearchableModel {
  /// Holds where the texts of the `#FullText` match a search, each term in any of them.
  ///
  /// ```swift
  /// let found = try store.fetch(Article.where { $0.matches("우유 -쿠폰") })
  /// ```
  ///
  /// A term that is excluded must be in none of them. A term has to be in one text, and each element of
  /// a collection is a text.
  ///
  /// - Parameters:
  ///   - query: The search as people type it; see ``TextSearch``.
  ///   - input: Whether the last term is still being typed.
  public func matches(
    _ query: String, _ input: TextSearch.Input = .complete
  ) -> QueryCondition<M> {
    matches(TextSearch(query, input))
  }

  /// Holds where the texts of the `#FullText` match a search, each term in any of them.
  ///
  /// A query with more than ``TextSearch/termsMax`` terms throws ``StoreError/searchTooLong(model:)``.
  public func matches(_ search: TextSearch) -> QueryCondition<M> {
    QueryCondition(.search(M._schema.erased.searchedPaths, TextPattern(search)))
  }
}

extension SearchableModel {
  /// The objects whose texts match a search, the most relevant first.
  ///
  /// ```swift
  /// let page = try store.fetch(Article.search("우유 sale* -쿠폰").limit(20))
  /// ```
  ///
  /// It is `where { $0.matches(query) }` with the order ``SortKey/relevance``; of equally relevant objects
  /// the one with the smaller primary key is the first.
  ///
  /// - Parameters:
  ///   - query: The search as people type it; see ``TextSearch``. A blank one finds all objects.
  ///   - input: Whether the last term is still being typed.
  public static func search(
    _ query: String, _ input: TextSearch.Input = .complete
  ) -> Query<Self> {
    search(TextSearch(query, input))
  }

  /// The objects whose texts match a search, the most relevant first.
  ///
  /// A query with more than ``TextSearch/termsMax`` terms throws ``StoreError/searchTooLong(model:)``.
  public static func search(_ search: TextSearch) -> Query<Self> {
    Self.where { $0.matches(search) }.order(by: .relevance)
  }
}

extension Schema {
  /// The texts of the index for searches; none where there is no such index.
  var searchedPaths: [ColumnPath] {
    let index = indexes.first(where: \.isText)
    return (index?.columns.flatMap(\.places) ?? []).map {
      ColumnPath(place: $0, name: columns[$0].name)
    }
  }
}
