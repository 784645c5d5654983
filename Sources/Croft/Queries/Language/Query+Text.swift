public import CroftFoundation

extension Query {
  /// Makes a query of a text, whose names are those of the model's stored properties.
  ///
  /// ```swift
  /// let old = try Query<Book>("year < $1 and author.name beginsWith \"A\" sort by title", 1900)
  /// ```
  ///
  /// The text is a condition, and after it `distinct by`, `sort by` and `limit`, as <doc:QueryTexts> has them; it may
  /// also be those alone. For texts that users type, and for saved searches.
  ///
  /// - Parameters:
  ///   - text: The query; the name of the model may be left out.
  ///   - parameters: The values of `$1`, `$2` and so on.
  ///   - calendar: Its time zone has the dates of the text that name none, and `year` and its like.
  /// - Throws: ``QueryTextError`` for a text that is not a query, names a property that the model does not have, or
  ///   compares one with a value of another type. Objects that refer to one are asked for with
  ///   ``QueryColumn/referrers(by:)`` alone.
  public init(
    _ text: String, _ parameters: any Storable..., calendar: Calendar = .current
  ) throws(QueryTextError) {
    try self.init(text, QueryParameters(parameters), calendar)
  }

  /// Makes a query of a text whose parameters have names.
  ///
  /// - Parameters:
  ///   - text: The query; the name of the model may be left out.
  ///   - named: The values of `$name` by name.
  ///   - calendar: Its time zone has the dates of the text that name none, and `year` and its like.
  /// - Throws: ``QueryTextError``, as for parameters without names.
  public init(
    _ text: String, named: [String: any Storable], calendar: Calendar = .current
  ) throws(QueryTextError) {
    try self.init(text, QueryParameters(named: named), calendar)
  }

  private init(
    _ text: String, _ parameters: QueryParameters, _ calendar: Calendar
  ) throws(QueryTextError) {
    do {
      var parser = try QueryParser(text)
      let statement = try parser.condition(of: M._schema.erased.name)
      let resolver = QueryResolver(
        schema: { _ in nil }, parameters: parameters,
        moment: QueryMoment(calendar: calendar, now: Date()))
      var core = QueryCore()
      try core.resolve(statement, resolver, QueryScope(M._schema.erased))
      self.init(core)
    } catch {
      throw error.inText(text)
    }
  }
}

extension QueryCore {
  /// Takes up the condition, the distinct values, the order and the limit of a statement about objects.
  mutating func resolve(
    _ statement: QueryStatement, _ resolver: QueryResolver, _ scope: QueryScope
  ) throws(QueryTextError) {
    if let selection = statement.selections.first {
      throw QueryTextError("a typed query selects whole objects", at: selection.value.position)
    }
    if let group = statement.groups.first {
      throw QueryTextError("a typed query has no groups", at: group.position)
    }
    if let syntax = statement.condition { condition = try resolver.condition(syntax, scope) }
    for syntax in statement.distinct { distinct.append(try resolver.key(syntax, scope)) }
    for item in statement.order {
      order.append(
        SortKey(path: try resolver.orderKey(item.value, scope), isDescending: item.isDescending))
    }
    (limit, offset) = try resolver.page(of: statement)
  }
}
