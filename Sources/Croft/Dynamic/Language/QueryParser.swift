/// Reads the statement of a query text: its clauses; conditions and values are in `QueryParser+Values.swift`.
struct QueryParser {
  /// How deep parentheses may be nested, because they are read recursively.
  static let depthMax = 32
  /// How deep conditions and values may be within each other, because they are given their meaning recursively.
  static let partsMax = 40

  let scalars: [Unicode.Scalar]
  let tokens: [QueryToken]
  private var place = 0
  var depth = 0
  /// What would fit at the end of the text.
  var expected = ExpectedTokens()

  /// Splits a text into tokens.
  ///
  /// - Throws: ``QueryTextError``.
  init(_ text: String) throws(QueryTextError) {
    scalars = Array(text.unicodeScalars)
    tokens = try QueryLexer.tokens(of: text)
  }

  /// Reads a whole query, which begins with the name of a model.
  ///
  /// - Throws: ``QueryTextError``.
  mutating func statement() throws(QueryTextError) -> QueryStatement {
    var statement = QueryStatement()
    note(.model)
    statement.model = try name("a query begins with the name of a model")
    expected.place.model = statement.model
    try clauses(of: &statement)
    return statement
  }

  /// Reads a condition, and the clauses after it that a query of a known model may have.
  ///
  /// - Parameter model: The name of the model, which may come first.
  /// - Throws: ``QueryTextError``.
  mutating func condition(of model: String) throws(QueryTextError) -> QueryStatement {
    var statement = QueryStatement()
    let isNamed = current.kind == .name(model) || current.kind == .quotedName(model)
    if isNamed, following.kind == .end || following.keyword == "where" || isClause(at: place + 1) {
      advance()
    }
    if current.keyword == "where" { advance() }
    if !isClause(at: place), current.kind != .end { statement.condition = try value() }
    try clauses(of: &statement)
    return statement
  }

  /// Whether a clause after the condition begins at a token; `order > 5` is a condition on a property.
  private func isClause(at place: Int) -> Bool {
    guard place + 1 < tokens.count else { return false }
    switch tokens[place].keyword {
    case "sort", "order", "distinct": return tokens[place + 1].keyword == "by"
    case "limit": return tokens[place + 1].isNumberOrParameter
    default: return false
    }
  }

  private mutating func clauses(of statement: inout QueryStatement) throws(QueryTextError) {
    // The first word of the clause that was read last.
    var last: String? = statement.condition == nil ? nil : "where"
    while true {
      noteClauses(missingIn: statement)
      if current.kind == .end { return }
      let clause = current
      defer { last = clause.keyword }
      switch clause.keyword {
      case "where" where statement.condition == nil:
        advance()
        statement.condition = try value(in: .condition)
      case "select" where statement.selections.isEmpty:
        advance()
        statement.selections = try selections()
      case "group" where statement.groups.isEmpty:
        advance()
        try expect("by")
        statement.groups = try list { (parser) throws(QueryTextError) in
          try parser.value(in: .key)
        }
      case "distinct" where statement.distinct.isEmpty && !isForeignSelect(of: statement):
        advance()
        try expect("by")
        statement.distinct = try list { (parser) throws(QueryTextError) in
          try parser.value(in: .key)
        }
      case "sort" where statement.order.isEmpty, "order" where statement.order.isEmpty:
        advance()
        try expect("by")
        statement.order = try list { (parser) throws(QueryTextError) in try parser.order() }
      case "limit" where statement.limit == nil:
        advance()
        statement.limit = try count()
        if takesKeyword("offset") { statement.offset = try count() }
      default: throw misplacedToken(in: statement, after: last)
      }
    }
  }

  /// Notes the clauses that a statement lacks, each of which may follow.
  private mutating func noteClauses(missingIn statement: QueryStatement) {
    if statement.condition == nil { note(.keyword("where")) }
    if statement.selections.isEmpty { note(.keyword("select")) }
    if statement.groups.isEmpty { note(.keyword("group by")) }
    if statement.distinct.isEmpty { note(.keyword("distinct by")) }
    if statement.order.isEmpty { note(.keyword("sort by")) }
    if statement.limit == nil { note(.keyword("limit")) }
  }

  private mutating func selections() throws(QueryTextError) -> [QueryStatement.Selection] {
    let distinct = isForeignDistinct ? current : nil
    if distinct != nil { advance() }
    let start = current.position
    let selections = try list { (parser) throws(QueryTextError) in try parser.selection() }
    if let distinct { throw misplacedDistinct(at: distinct, before: start..<lastEnd) }
    return selections
  }

  private mutating func selection() throws(QueryTextError) -> QueryStatement.Selection {
    let start = current.position
    let value = try value(in: .selection)
    var name = String(String.UnicodeScalarView(scalars[start..<lastEnd]))
    if takesKeyword("as") {
      name = try self.name("a name follows \"as\"").text
    }
    return QueryStatement.Selection(value: value, name: name)
  }

  private mutating func order() throws(QueryTextError) -> QueryStatement.Order {
    var order = QueryStatement.Order(value: try value(in: .order))
    note(.keyword("desc"))
    note(.keyword("asc"))
    switch current.keyword {
    case "desc", "descending": order.isDescending = true
    case "asc", "ascending": break
    default: return order
    }
    advance()
    return order
  }

  private mutating func count() throws(QueryTextError) -> QueryStatement.Count {
    let token = current
    let count: QueryStatement.Count? =
      switch token.kind {
      case .number(let digits): Int(digits).map { .number($0) }
      case .parameter(let name): .parameter(QuerySyntax.Name(text: name, position: token.position))
      default: nil
      }
    guard let count else {
      throw QueryTextError(
        "a count is a whole number, such as 20, or a parameter, such as $1", at: token.position)
    }
    advance()
    return count
  }

  private mutating func list<Element>(
    _ element: (inout QueryParser) throws(QueryTextError) -> Element
  ) throws(QueryTextError) -> [Element] {
    var elements = [try element(&self)]
    while takes(",") { elements.append(try element(&self)) }
    return elements
  }
}

// Tokens.
extension QueryParser {
  var current: QueryToken { tokens[place] }
  var following: QueryToken { tokens[Swift.min(place + 1, tokens.count - 1)] }
  /// The token after the following one.
  var third: QueryToken { tokens[Swift.min(place + 2, tokens.count - 1)] }

  /// Where the last token ended that was read.
  private var lastEnd: Int { place > 0 ? tokens[place - 1].end : 0 }

  mutating func advance() { if place + 1 < tokens.count { place += 1 } }

  /// Reads a sign, if it is next.
  mutating func takes(_ sign: String) -> Bool {
    guard current.kind == .sign(sign) else { return false }
    advance()
    return true
  }

  /// Reads a keyword, if it is next.
  mutating func takesKeyword(_ keyword: String) -> Bool {
    note(.keyword(keyword))
    guard current.keyword == keyword else { return false }
    advance()
    return true
  }

  /// Notes something that would fit here, where the text ends.
  mutating func note(_ item: ExpectedTokens.Item) {
    if current.kind == .end { expected.add(item) }
  }

  mutating func expectSign(_ sign: String) throws(QueryTextError) {
    note(.sign(sign))
    guard takes(sign) else {
      throw QueryTextError("\"\(sign)\" is missing before \(current.shown)", at: current.position)
    }
  }

  mutating func expect(_ keyword: String) throws(QueryTextError) {
    guard takesKeyword(keyword) else {
      throw QueryTextError(
        "\"\(keyword)\" is missing before \(current.shown)", at: current.position)
    }
  }

  mutating func name(_ need: String) throws(QueryTextError) -> QuerySyntax.Name {
    switch current.kind {
    case .name(let text), .quotedName(let text):
      let name = QuerySyntax.Name(text: text, position: current.position)
      advance()
      return name
    default: throw QueryTextError("\(need), not with \(current.shown)", at: current.position)
    }
  }
}
