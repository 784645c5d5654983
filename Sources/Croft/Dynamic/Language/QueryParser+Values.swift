// Conditions and values, from the operators that bind least to those that bind most.
extension QueryParser {
  /// Reads a condition or a value of a part of the text.
  ///
  /// - Throws: ``QueryTextError``.
  mutating func value(
    in part: ExpectedTokens.Part
  ) throws(QueryTextError) -> QuerySyntax {
    let outer = expected.place
    expected.place.part = part
    expected.place.compared = nil
    let value = try value()
    expected.place = outer
    return value
  }

  /// Reads a condition or a value.
  ///
  /// - Throws: ``QueryTextError``.
  mutating func value() throws(QueryTextError) -> QuerySyntax {
    depth += 1
    defer { depth -= 1 }
    // The first is not in parentheses.
    if depth > Self.depthMax + 1 {
      throw QueryTextError(
        "parentheses are nested deeper than \(Self.depthMax) levels", at: current.position)
    }
    let start = current.position
    var terms = [try conjunction()]
    while takesKeyword("or") || takes("||") { terms.append(try conjunction()) }
    let value = terms.count == 1 ? terms[0] : QuerySyntax(kind: .any(terms), position: start)
    if value.depth > Self.partsMax {
      throw QueryTextError(
        "conditions and values are within each other by more than \(Self.partsMax) levels",
        at: start)
    }
    return value
  }

  private mutating func conjunction() throws(QueryTextError) -> QuerySyntax {
    let start = current.position
    var terms = [try negation()]
    while takesKeyword("and") || takes("&&") { terms.append(try negation()) }
    return terms.count == 1 ? terms[0] : QuerySyntax(kind: .all(terms), position: start)
  }

  private mutating func negation() throws(QueryTextError) -> QuerySyntax {
    let start = current.position
    var isNegated = false
    while takesKeyword("not") || takes("!") { isNegated.toggle() }
    let term = try comparison()
    return isNegated ? QuerySyntax(kind: .not(term), position: start) : term
  }

  private mutating func comparison() throws(QueryTextError) -> QuerySyntax {
    if current.keyword == "matches", following.isTextOrParameter {
      let start = current.position
      advance()
      return QuerySyntax(kind: .search(try sum()), position: start)
    }
    let left = try sum()
    note(.operators(after: left))
    let operatorPosition = current.position
    func syntax(_ kind: QuerySyntax.Kind) -> QuerySyntax {
      QuerySyntax(kind: kind, position: left.position, operatorPosition: operatorPosition)
    }
    if case .sign(let sign) = current.kind, let comparison = Self.comparisons[sign] {
      advance()
      return syntax(.compare(left, comparison, try sum(comparedWith: left)))
    }
    guard let keyword = current.keyword else {
      if let error = misreadOperator(after: left) { throw error }
      return left
    }
    if keyword == "not", following.keyword == "in" || following.kind == .end {
      advance()
      try expect("in")
      return syntax(.not(syntax(try within(left))))
    }
    switch keyword {
    case "in":
      advance()
      return syntax(try within(left))
    case "between":
      advance()
      let low = try sum(comparedWith: left)
      try expect("and")
      return syntax(
        .all([
          syntax(.compare(left, .order(.greaterOrEqual), low)),
          syntax(.compare(left, .order(.lessOrEqual), try sum(comparedWith: left))),
        ]))
    default: break
    }
    if let quantifier = QuerySyntax.Quantifier(rawValue: keyword) {
      advance()
      try expectSign("(")
      expected.place.quantified.append(left)
      let condition = try value(in: .condition)
      expected.place.quantified.removeLast()
      try expectSign(")")
      return syntax(.quantified(left, quantifier, condition))
    }
    guard let kind = Self.textTestsByKeyword[keyword] else {
      if let error = misreadOperator(after: left) { throw error }
      return left
    }
    advance()
    let options = try textOptions()
    return syntax(.text(left, kind, options, try sum(in: .text)))
  }

  /// Reads a value that is compared with another one.
  private mutating func sum(
    comparedWith other: QuerySyntax? = nil, in part: ExpectedTokens.Part = .value
  ) throws(QueryTextError) -> QuerySyntax {
    let outer = expected.place
    (expected.place.part, expected.place.compared) = (part, other)
    let value = try sum()
    expected.place = outer
    return value
  }

  private static let comparisons: [String: QuerySyntax.Comparison] = [
    "==": .equal, "=": .equal, "!=": .unequal, "<>": .unequal, "<": .order(.less),
    "<=": .order(.lessOrEqual), ">": .order(.greater), ">=": .order(.greaterOrEqual),
  ]

  /// The tests of texts, by the names of their operators.
  static let textTests: [TextPattern.Kind] = [
    .contains, .hasPrefix, .hasSuffix, .like, .matches, .equal,
  ]
  private static let textTestsByKeyword = Dictionary(
    uniqueKeysWithValues: textTests.map { (QueryTextWriter.name(of: $0).lowercased(), $0) })

  /// Reads `[c]`, `[d]` or `[cd]`, where that is next.
  private mutating func textOptions() throws(QueryTextError) -> TextOptions {
    guard current.kind == .sign("["), let letters = following.keyword, third.kind == .sign("]")
    else {
      return []
    }
    let position = following.position
    guard letters.allSatisfy({ $0 == "c" || $0 == "d" }) else {
      throw QueryTextError(
        "the options of a text are c for case and d for diacritics: [cd]", at: position)
    }
    for _ in 0..<3 { advance() }
    var options: TextOptions = []
    if letters.contains("c") { options.insert(.caseInsensitive) }
    if letters.contains("d") { options.insert(.diacriticInsensitive) }
    return options
  }

  /// Reads the list that a value is one of, after "in".
  private mutating func within(_ value: QuerySyntax) throws(QueryTextError) -> QuerySyntax.Kind {
    let isParameter = if case .parameter = current.kind { true } else { false }
    return .within(value, try list(comparedWith: value), isParameter: isParameter)
  }

  private mutating func list(
    comparedWith other: QuerySyntax
  ) throws(QueryTextError) -> [QuerySyntax] {
    note(.sign("["))
    if case .parameter(let name) = current.kind {
      let syntax = QuerySyntax(kind: .literal(.parameter(name)), position: current.position)
      advance()
      return [syntax]
    }
    let ends = ["[": "]", "{": "}", "(": ")"]
    guard case .sign(let sign) = current.kind, let end = ends[sign] else {
      throw missingList(after: other)
    }
    advance()
    var values: [QuerySyntax] = []
    if takes(end) { return values }
    repeat { values.append(try sum(comparedWith: other, in: .literal)) } while takes(",")
    try expectSign(end)
    return values
  }

  private mutating func sum() throws(QueryTextError) -> QuerySyntax {
    var left = try product()
    var links = 0
    while case .sign(let sign) = current.kind, sign == "+" || sign == "-" {
      try count(&links)
      advance()
      if case .duration(let count, let unit) = current.kind,
        case .literal(.now(let isToday, let offsets)) = left.kind
      {
        let offset = QueryLiteral.Offset(count: sign == "-" ? -count : count, unit: unit)
        advance()
        left = QuerySyntax(
          kind: .literal(.now(isToday: isToday, offsets + [offset])), position: left.position)
        continue
      }
      let operation: ColumnExpression.Operation = sign == "+" ? .plus : .minus
      left = QuerySyntax(
        kind: .arithmetic(left, operation, try product()), position: left.position)
    }
    return left
  }

  private mutating func product() throws(QueryTextError) -> QuerySyntax {
    var left = try operand()
    var links = 0
    while case .sign(let sign) = current.kind, ["*", "/", "%", "??"].contains(sign) {
      try count(&links)
      advance()
      let right = try operand()
      let kind: QuerySyntax.Kind =
        if let operation = ColumnExpression.Operation(rawValue: sign) {
          .arithmetic(left, operation, right)
        } else {
          .coalesced(left, right)
        }
      left = QuerySyntax(kind: kind, position: left.position)
    }
    return left
  }

  /// Counts one more operator of a chain, each of which is a level deeper than the one before.
  private func count(_ links: inout Int) throws(QueryTextError) {
    links += 1
    if links <= Self.depthMax { return }
    throw QueryTextError(
      "a value has at most \(Self.depthMax) operators in a row", at: current.position)
  }

  private mutating func operand() throws(QueryTextError) -> QuerySyntax {
    note(.operand)
    let token = current
    func literal(_ literal: QueryLiteral) -> QuerySyntax {
      advance()
      return QuerySyntax(kind: .literal(literal), position: token.position)
    }
    switch token.kind {
    case .number(let text): return literal(.number(text))
    case .text(let text): return literal(.text(text))
    case .bytes(let bytes): return literal(.bytes(bytes))
    case .moment(let text): return literal(.moment(text))
    case .uuid(let text): return literal(.uuid(text))
    case .parameter(let name): return literal(.parameter(name))
    case .sign("-"):
      advance()
      guard case .number(let text) = current.kind else {
        throw missingNumber(after: token)
      }
      return literal(.number("-" + text))
    case .sign("("):
      advance()
      let inner = try value()
      try expectSign(")")
      return inner
    case .name, .quotedName: return try named()
    case .duration:
      throw QueryTextError(
        "a length of time is added to now or today: now - 7d", at: token.position)
    case .sign, .end: throw missingValue(at: token)
    }
  }

  /// Reads a word: a literal such as `true`, a call of a function, or a path.
  private mutating func named() throws(QueryTextError) -> QuerySyntax {
    let start = current
    let literal: QueryLiteral? =
      switch start.keyword {
      case "true": .bool(true)
      case "false": .bool(false)
      case "nil", "null": .null
      case "now": .now(isToday: false, [])
      case "today": .now(isToday: true, [])
      default: nil
      }
    if let literal {
      advance()
      if case .now = literal, current.kind == .sign("(") {
        throw QueryTextError(
          "\(start.shown) has no parentheses: write it alone", at: current.position)
      }
      return QuerySyntax(kind: .literal(literal), position: start.position)
    }
    var names = [try name("a path begins with a name")]
    if names.count == 1, start.keyword != nil, takes("(") {
      var arguments: [QuerySyntax] = []
      if !takes(")") {
        repeat {
          let isUnit = names[0].text.lowercased() == "start" && arguments.count == 1
          arguments.append(try value(in: isUnit ? .unit : .argument))
        } while takes(",")
        try expectSign(")")
      }
      return QuerySyntax(kind: .call(names[0], arguments), position: start.position)
    }
    while takes(".") {
      // Conditions through references are tested recursively.
      if names.count == Self.depthMax {
        throw QueryTextError("a path has at most \(Self.depthMax) names", at: current.position)
      }
      note(.path(after: names))
      names.append(try name("a path continues with a name"))
    }
    return QuerySyntax(kind: .path(names), position: start.position)
  }
}
