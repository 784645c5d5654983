// What errors tell of tokens that do not fit: what to write in their place.
extension QueryParser {
  private static let operatorSigns: Set<String> = [
    "==", "=", "!=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "??",
  ]
  private static let quantifierNames = ["any", "all", "none"]
  /// The operators that are words.
  private static let operatorNames =
    ["in", "between"] + textTests.map { QueryTextWriter.name(of: $0) } + quantifierNames
  /// Words that may follow a value in a condition.
  private static let wordsAfterValues = [
    "and", "or", "where", "select", "group", "distinct", "sort", "order", "limit", "set",
  ]
  /// The clauses by their first words.
  private static let clauseNames = [
    ("where", "where"), ("select", "select"), ("group", "group by"), ("distinct", "distinct by"),
    ("sort", "sort by"), ("order", "sort by"), ("limit", "limit"),
  ]

  // MARK: - Operators

  /// The error of a token after a value of a condition that would be an operator; nil for others.
  func misreadOperator(after left: QuerySyntax) -> QueryTextError? {
    guard expected.place.part == .condition else { return nil }
    switch left.kind {
    case .path, .call, .literal, .arithmetic, .coalesced: break
    default: return nil
    }
    let token = current
    func error(_ reason: String) -> QueryTextError {
      QueryTextError(reason, at: token.position)
    }
    if case .literal(.parameter(let name)) = left.kind, token.kind == .sign(".") {
      return QueryTextError(
        "a property is named alone: leave out \"$\(name).\"", at: left.position)
    }
    switch token.kind {
    case .parameter(let name):
      let advice = ForeignQueryWords.operators[name.lowercased()] ?? Self.allOperators
      return error("\"$\(name)\" is not an operator: \(advice)")
    case .sign("["):
      return error("elements have no numbers: write contains, or any (...)")
    case .sign("("):
      return error("a function comes before its property: lower(title)")
    case .name: break
    default: return nil
    }
    guard let word = token.keyword, !Self.wordsAfterValues.contains(word) else { return nil }
    if case .path(let names) = left.kind, names.count == 1, let first = names.first,
      Self.quantifierNames.contains(first.text.lowercased())
    {
      let collection = current.text
      return QueryTextError(
        "\"\(first.text)\" follows the collection: "
          + "\(collection) \(first.text.lowercased()) (it == ...)", at: first.position)
    }
    switch word {
    case "is":
      let isNegated = following.keyword == "not"
      let value = isNegated ? third : following
      if ["null", "nil", "none"].contains(value.keyword ?? "") {
        return error("\"\(token.text)\" is not an operator: use \(isNegated ? "!=" : "==") nil")
      }
      return error("\"\(token.text)\" is not an operator: use \(isNegated ? "!=" : "==")")
    case "not":
      if ["null", "nil"].contains(following.keyword ?? "") {
        return error("\"\(token.text)\" is not an operator: use != nil")
      }
      return error("\"\(token.text)\" comes before the property: not title like \"a*\"")
    default: break
    }
    let near = QueryResolver.alike(word, among: Self.operatorNames)
    let advice =
      ForeignQueryWords.operators[word] ?? near.first.map { "use \($0)" } ?? Self.allOperators
    return error("\"\(token.text)\" is not an operator: \(advice)")
  }

  private static let allOperators =
    "there are ==, !=, <, <=, >, >=, in and between; of texts contains, beginsWith, endsWith, "
    + "like, equals and matches; of collections contains, any, all and none"

  /// The error of what follows "in" and is not a list.
  func missingList(after left: QuerySyntax) -> QueryTextError {
    if case .literal = left.kind, case .name(let name) = current.kind {
      return QueryTextError(
        "\"in\" follows a property: write contains after a collection, as in "
          + "\(name) contains \(text(from: left.position))", at: current.position)
    }
    return QueryTextError("values follow \"in\": [1, 2, 3]", at: current.position)
  }

  /// The text from a position to the end of the literal that begins there.
  private func text(from position: Int) -> String {
    let token = tokens.first { $0.position == position }
    return String(String.UnicodeScalarView(scalars[position..<(token?.end ?? position)]))
  }

  // MARK: - Values

  /// The error of a sign, or of the end, where a value would begin.
  func missingValue(at token: QueryToken) -> QueryTextError {
    let part = expected.place.part
    let reason =
      switch token.kind {
      case .sign("*") where part == .selection:
        "all properties are there without select: leave it out, or name some"
      case .sign("*") where part == .argument: "a count of objects has no \"*\": write count alone"
      case .sign("{") where part == .condition:
        "a condition is not in braces: write it as in year > 2000"
      case .sign("[") where part == .value: listAdvice
      case .sign(let sign)
      where Self.operatorSigns.contains(sign) && !expected.place.quantified.isEmpty
        && part == .condition:
        "an element is called it: write any (it \(sign) ...)"
      default: "a property or a value is missing before \(token.shown)"
      }
    return QueryTextError(reason, at: token.position)
  }

  /// What to write in place of a list that a property is compared with.
  private var listAdvice: String {
    let start = "a collection is not compared as a whole: write "
    guard case .path(let names)? = expected.place.compared?.kind,
      let comparison = tokens.last(where: { $0.position < current.position })
    else { return start + "contains, any (...), all (...), none (...) or .count" }
    let path = names.map { QueryTextWriter.name($0.text) }.joined(separator: ".")
    let isEmpty = following.kind == .sign("]") || following.kind == .sign(":")
    if isEmpty, case .sign(let sign) = comparison.kind, ["==", "=", "!=", "<>"].contains(sign) {
      return start + "\(path).count \(sign) 0"
    }
    return start + "contains, any (...), all (...), none (...) or .count, or of one value "
      + "\(path) in [1, 2]"
  }

  /// The error of a minus before anything but a number.
  func missingNumber(after sign: QueryToken) -> QueryTextError {
    if expected.place.part == .order, case .name(let name) = current.kind {
      return QueryTextError(
        "the direction follows the property: sort by \(name) desc", at: sign.position)
    }
    return QueryTextError("a number follows \"-\"", at: current.position)
  }

  // MARK: - Clauses

  /// The error of a token with which no clause begins that is still missing.
  ///
  /// - Parameter last: The first word of the clause before it; nil right after the model.
  func misplacedToken(in statement: QueryStatement, after last: String?) -> QueryTextError {
    let token = current
    if last == nil, let model = statement.model,
      let error = foreignStart(model) ?? misspeltStart(model)
    {
      return error
    }
    func error(_ reason: String) -> QueryTextError {
      QueryTextError(reason, at: token.position)
    }
    if let keyword = token.keyword {
      if keyword == "where", statement.condition != nil {
        return error("there is one \"where\": join conditions with and or or")
      }
      if let name = Self.clauseNames.first(where: { $0.0 == keyword })?.1 {
        return error("\"\(name)\" is there already: each clause is given once")
      }
      if let advice = ForeignQueryWords.clauses[keyword] {
        return error("\"\(token.text)\" does not fit here: \(advice)")
      }
    }
    switch (last, token.kind) {
    case ("where"?, .sign(",")):
      return error("conditions are joined with and or or, and not with a comma")
    case ("limit"?, .sign(",")):
      return error("a comma does not fit here: write limit 10 offset 20")
    case ("where"?, .sign(let sign)) where Self.operatorSigns.contains(sign):
      return error("a comparison has two sides: join comparisons with and")
    case ("sort"?, .name), ("order"?, .name), ("select"?, .name), ("group"?, .name),
      ("distinct"?, .name):
      if Self.near(token).isEmpty {
        return error("\(token.shown) does not fit here: write a comma before it")
      }
    default: break
    }
    if let near = Self.near(token).first {
      return error("\(token.shown) does not fit here: write \(near)")
    }
    let missing = missingClauses(in: statement)
    let joints = last == "where" ? ["and", "or"] : []
    let fitting = (joints + missing).joined(separator: ", ")
    return error(
      "\(token.shown) does not fit here: "
        + (fitting.isEmpty ? "the query is complete before it" : "what may follow is \(fitting)"))
  }

  /// Whether a word after select is that of SQL, and no property is called so.
  var isForeignDistinct: Bool {
    guard current.keyword == "distinct" else { return false }
    switch following.kind {
    case .quotedName, .sign("("): return true
    case .name: return !(Self.wordsAfterValues + ["as", "by"]).contains(following.keyword ?? "")
    default: return false
    }
  }

  /// Whether a word follows the select of SQL, with which a text begins.
  func isForeignSelect(of statement: QueryStatement) -> Bool {
    isForeignDistinct && statement.model?.text.lowercased() == "select"
      && statement.model?.position == tokens[0].position && current == tokens[1]
  }

  /// The error of `distinct` before what is selected.
  ///
  /// - Parameter range: The scalars of the selected values.
  func misplacedDistinct(at distinct: QueryToken, before range: Range<Int>) -> QueryTextError {
    let hasNames = tokens.contains { range.contains($0.position) && $0.keyword == "as" }
    let text = String(String.UnicodeScalarView(scalars[range]))
    return QueryTextError(
      "\(distinct.shown) does not fit here: "
        + (hasNames
          ? "write distinct by and the same values after what is selected"
          : "write select \(text) distinct by \(text)"),
      at: distinct.position)
  }

  /// The clauses that a word was meant for.
  private static func near(_ token: QueryToken) -> [String] {
    guard let word = token.keyword else { return [] }
    return QueryResolver.alike(word, among: clauseNames.map(\.0)).compactMap { near in
      clauseNames.first { $0.0 == near }?.1
    }
  }

  private func missingClauses(in statement: QueryStatement) -> [String] {
    let isMissing = [
      "where": statement.condition == nil, "select": statement.selections.isEmpty,
      "group": statement.groups.isEmpty, "distinct": statement.distinct.isEmpty,
      "sort": statement.order.isEmpty, "limit": statement.limit == nil,
    ]
    return Self.clauseNames.filter { isMissing[$0.0] == true }.map(\.1)
  }

  /// The error of a text that begins as those of other languages do; nil for others.
  private func foreignStart(_ model: QuerySyntax.Name) -> QueryTextError? {
    let token = current
    func error(_ reason: String, at position: Int? = nil) -> QueryTextError {
      QueryTextError(reason, at: position ?? token.position)
    }
    switch model.text.lowercased() {
    case "select":
      let start = "a query begins with the name of its model, and select comes after it"
      guard let from = tokens.firstIndex(where: { $0.keyword == "from" }), from + 1 < tokens.count,
        case .name(let name) = tokens[from + 1].kind
      else { return error(start + ": write it as in Book select title", at: model.position) }
      let isDistinct = isForeignDistinct && following.keyword != "from"
      let first = isDistinct ? following.position : token.position
      let selected = scalars[first..<max(first, tokens[from - 1].end)]
      let isAll = selected.isEmpty || Array(selected) == ["*"]
      let text = String(String.UnicodeScalarView(selected)).replacing("(*)", with: "")
      if isAll { return error("\(start): write \(name)", at: model.position) }
      let query = "\(name) select \(text)"
      if !isDistinct { return error("\(start): write \(query)", at: model.position) }
      let hasNames = tokens[..<from].contains { $0.keyword == "as" }
      let values = hasNames ? "and the same values, without their names" : text
      return error("\(start): write \(query) distinct by \(values)", at: model.position)
    case "count":
      return countedModel().map {
        error("a count is selected of a model: write \($0)", at: model.position)
      }
    case "from", "find", "get", "show", "list":
      guard case .name(let name) = token.kind else { break }
      return error(
        "a query begins with the name of its model: leave out \"\(model.text)\" before \(name)",
        at: model.position)
    default: break
    }
    let condition = "a condition follows where, as in \(model.text) where year > 2000"
    switch token.kind {
    case .sign("."), .sign("{"), .sign("("), .sign("["):
      let isDatabase = model.text.lowercased() == "db"
      return error(
        "\(token.shown) does not fit here: "
          + (isDatabase ? "begin with the name of a model, and write where" : condition))
    case .name, .quotedName:
      let isCondition: Bool =
        switch following.kind {
        case .sign(let sign): Self.operatorSigns.contains(sign) || sign == "." || sign == "["
        case .name(let name): Self.operatorNames.contains { $0.lowercased() == name.lowercased() }
        default: false
        }
      guard isCondition, Self.near(token).isEmpty else { return nil }
      return error("\(token.shown) does not fit here: write where before a condition")
    default: return nil
    }
  }

  /// The query that counts what follows `count`, as in `count Book where year > 2000`; nil for other texts.
  private func countedModel() -> String? {
    var start = current
    if start.kind == .sign("(") { start = following }
    guard case .name(let name) = start.kind, let last = tokens.last(where: { $0.kind != .end })
    else { return nil }
    let count = "select count"
    if start == current {
      let text = String(String.UnicodeScalarView(scalars[start.position..<last.end]))
      // The error is ignored: of a text that is wrong elsewhere, too, the model alone is counted.
      if var parser = try? QueryParser("\(text) \(count)"), (try? parser.statement()) != nil {
        return "\(text) \(count)"
      }
    }
    return "\(name) \(count)"
  }

  // MARK: - Misspelt words

  /// The words with which statements begin.
  private static let statementWords = DynamicStatement.Kind.allCases.map(\.rawValue)
  /// The words that users of other languages begin a query with.
  private static let queryWords = ["select", "count"]

  /// The error of a misspelt first word before the name of a model; nil for others.
  private func misspeltStart(_ model: QuerySyntax.Name) -> QueryTextError? {
    let token = current
    // A model may be called nearly as a clause is, such as Coat, which is near sort.
    guard QueryResolver.meant(by: token.keyword ?? "", among: Self.clauseNames.map(\.0)) == nil,
      let word = QueryResolver.meant(
        by: model.text, among: Self.statementWords + Self.queryWords),
      word != model.text.lowercased()
    else { return nil }
    if Self.queryWords.contains(word) {
      return foreignStart(QuerySyntax.Name(text: word, position: model.position))
    }
    switch token.kind {
    case .name, .quotedName:
      return QueryTextError(
        "\"\(model.text)\" does not fit here: write \(word)", at: model.position)
    default: return nil
    }
  }

  /// What to write in place of the first word of a query that names no model; nil for a word that
  /// resembles none with which a text begins.
  static func advice(onFirstWord word: String, models: [String]) -> String? {
    guard let meant = QueryResolver.meant(by: word, among: statementWords + queryWords) else {
      return nil
    }
    if statementWords.contains(meant) { return "write \(meant) and the name of a model" }
    guard let model = models.first else { return nil }
    return meant == "count"
      ? "a count is selected of a model, as in \(QueryTextWriter.name(model)) select count"
      : "select comes after the model, as in \(QueryTextWriter.name(model)) select count"
  }

  // MARK: - Statements

  /// The error of a word that other languages have before the model; nil for others.
  func foreignWord(before model: QuerySyntax.Name, of kind: DynamicStatement.Kind)
    -> QueryTextError?
  {
    let words: [DynamicStatement.Kind: String] = [.insert: "into", .delete: "from"]
    guard model.text.lowercased() == words[kind], case .name(let name) = current.kind,
      current.keyword != "where"
    else { return nil }
    return QueryTextError(
      "the model follows \"\(kind.rawValue)\": leave out \"\(model.text)\" before \(name)",
      at: model.position)
  }
}

// Where the parts of a statement are.
extension QueryParser {
  /// The most characters of a statement that an error writes in another order.
  private static let scalarsRewritten = 200

  /// The error of an insert that is written as in SQL; nil for others.
  func missingBraces(of statement: WriteStatement) -> QueryTextError? {
    guard current.kind == .sign("(") || ["set", "values", "select"].contains(current.keyword ?? "")
    else { return nil }
    let model = QueryTextWriter.name(statement.model.text)
    return QueryTextError(
      "\(current.shown) does not fit here: properties and values are in braces, as in "
        + "insert \(model) {id: 1}", at: current.position)
  }

  /// The error of a condition after the model, without "where"; nil for other texts.
  func missingWhere(in statement: WriteStatement) -> QueryTextError? {
    guard statement.condition == nil, current.keyword != "set" else { return nil }
    switch current.kind {
    case .name, .quotedName, .sign("("): break
    default: return nil
    }
    if let word = current.keyword, Self.clauseNames.contains(where: { $0.0 == word }) { return nil }
    if Self.near(current).first == "where" {
      return QueryTextError("\(current.shown) does not fit here: write where", at: current.position)
    }
    // An update without "set" may lack that alone.
    let hasSet = tokens.contains { $0.position > current.position && $0.keyword == "set" }
    guard statement.kind == .delete || hasSet else { return nil }
    return QueryTextError(
      "\(current.shown) does not fit here: write where before a condition", at: current.position)
  }

  /// The error of a condition after what is set, as SQL has it; nil for other texts.
  func misplacedWhere(in statement: WriteStatement) -> QueryTextError? {
    guard statement.kind == .update, current.keyword == "where" else { return nil }
    let position = current.position
    if statement.condition != nil {
      return QueryTextError(
        "there is one \"where\", before set: join conditions with and or or", at: position)
    }
    let start = "where comes before set"
    guard let set = tokens.first(where: { $0.keyword == "set" && $0.position < position }),
      scalars.count <= Self.scalarsRewritten
    else { return QueryTextError(start, at: position) }
    func text(_ range: Range<Int>) -> String {
      let part = scalars[range].drop { $0.properties.isWhitespace }
      let end = part.lastIndex { !$0.properties.isWhitespace }.map { $0 + 1 } ?? part.startIndex
      return String(String.UnicodeScalarView(part[..<end]))
    }
    let parts = [0..<set.position, position..<scalars.count, set.position..<position].map(text)
    let rewritten = parts.joined(separator: " ")
    // The error is ignored: a text that is wrong elsewhere, too, is not written in another order.
    guard var parser = try? QueryParser(rewritten), (try? parser.write()) != nil else {
      return QueryTextError(start, at: position)
    }
    return QueryTextError("\(start): write \(rewritten)", at: position)
  }
}

extension QueryToken {
  /// The text of a name; empty for other tokens.
  fileprivate var text: String {
    switch kind {
    case .name(let name), .quotedName(let name): name
    default: ""
    }
  }
}
