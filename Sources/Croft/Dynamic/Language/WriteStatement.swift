/// A text that inserts, updates or deletes objects, as its parts.
struct WriteStatement: Hashable, Sendable {
  /// A property and what it is set to.
  struct Assignment: Hashable, Sendable {
    /// The name, with dots inside structs.
    let name: QuerySyntax.Name
    let value: Value
  }

  /// The value of an assignment, before it is known of which type it must be.
  enum Value: Hashable, Sendable {
    /// A text of a dictionary and its value.
    struct Pair: Hashable, Sendable {
      let key: QuerySyntax
      let value: QuerySyntax
    }

    case single(QuerySyntax)
    case list([QuerySyntax], position: Int)
    case pairs([Pair], position: Int)

    /// Where it begins, as a number of scalars.
    var position: Int {
      switch self {
      case .single(let syntax): syntax.position
      case .list(_, let position), .pairs(_, let position): position
      }
    }
  }

  let kind: DynamicStatement.Kind
  let model: QuerySyntax.Name
  var condition: QuerySyntax?
  var assignments: [Assignment] = []
}

// Statements, whose conditions and values are those of queries.
extension QueryParser {
  /// Whether the text is a statement, and not a query about a model of such a name.
  var beginsWrite: Bool {
    guard DynamicStatement.Kind(current) != nil else { return false }
    switch following.keyword {
    case nil: if case .quotedName = following.kind { return true } else { return false }
    case "where", "select": return false
    case "group", "distinct", "sort", "order": return third.keyword != "by"
    case "limit": return !third.isNumberOrParameter
    default: return true
    }
  }

  /// Reads a whole statement.
  ///
  /// - Throws: ``QueryTextError``.
  mutating func write() throws(QueryTextError) -> WriteStatement {
    for kind in DynamicStatement.Kind.allCases { note(.keyword(kind.rawValue)) }
    guard let kind = DynamicStatement.Kind(current) else {
      throw QueryTextError(
        "a statement begins with insert, update or delete, not with \(current.shown)",
        at: current.position)
    }
    advance()
    note(.model)
    var statement = WriteStatement(
      kind: kind, model: try name("a statement continues with the name of a model"))
    expected.place.model = statement.model
    if let error = foreignWord(before: statement.model, of: kind) { throw error }
    switch kind {
    case .insert:
      if let error = missingBraces(of: statement) { throw error }
      try expectSign("{")
      if !takes("}") {
        repeat { statement.assignments.append(try assignment(":")) } while takes(",")
        try expectSign("}")
      }
    case .update:
      try readCondition(of: &statement)
      if let error = missingWhere(in: statement) { throw error }
      try expect("set")
      repeat { statement.assignments.append(try assignment("=")) } while takes(",")
    case .delete:
      try readCondition(of: &statement)
      if let error = missingWhere(in: statement) { throw error }
    }
    guard current.kind == .end else {
      if let error = misplacedWhere(in: statement) { throw error }
      throw QueryTextError(
        "\(current.shown) does not fit here: the statement is complete before it",
        at: current.position)
    }
    return statement
  }

  /// Reads a text that is one value of an assignment.
  ///
  /// - Throws: ``QueryTextError``.
  mutating func wholeValue() throws(QueryTextError) -> WriteStatement.Value {
    let value = try assignedValue()
    guard current.kind == .end else {
      throw QueryTextError(
        "\(current.shown) does not fit here: the value is complete before it",
        at: current.position)
    }
    return value
  }

  private mutating func readCondition(
    of statement: inout WriteStatement
  ) throws(QueryTextError) {
    guard takesKeyword("where") else { return }
    statement.condition = try value(in: .condition)
  }

  private mutating func assignment(
    _ sign: String
  ) throws(QueryTextError) -> WriteStatement.Assignment {
    note(.assigned(after: [], sign))
    let first = try name("an assignment begins with the name of a property")
    var names = [first]
    while takes(".") {
      note(.assigned(after: names, sign))
      names.append(try name("a path continues with a name"))
    }
    let text = names.map(\.text).joined(separator: ".")
    expected.assigned.insert(text)
    if current.kind == .sign("==") {
      throw QueryTextError(
        "\"==\" compares: write \(sign) between a property and its value", at: current.position)
    }
    try expectSign(sign)
    let outer = expected.place
    expected.place.part = .literal
    expected.place.compared = QuerySyntax(kind: .path(names), position: first.position)
    let value = try assignedValue()
    expected.place = outer
    return WriteStatement.Assignment(
      name: QuerySyntax.Name(text: text, position: first.position), value: value)
  }

  private mutating func assignedValue() throws(QueryTextError) -> WriteStatement.Value {
    let start = current.position
    guard takes("[") else { return .single(try value()) }
    if takes("]") { return .list([], position: start) }
    if takes(":") {
      try expectSign("]")
      return .pairs([], position: start)
    }
    var items = [try value()]
    guard takes(":") else {
      while takes(",") { items.append(try value()) }
      try expectSign("]")
      return .list(items, position: start)
    }
    var pairs = [WriteStatement.Value.Pair(key: items[0], value: try value())]
    while takes(",") {
      let key = try value()
      try expectSign(":")
      pairs.append(WriteStatement.Value.Pair(key: key, value: try value()))
    }
    try expectSign("]")
    return .pairs(pairs, position: start)
  }
}

extension DynamicStatement.Kind {
  init?(_ token: QueryToken) {
    guard let keyword = token.keyword else { return nil }
    self.init(rawValue: keyword)
  }
}
