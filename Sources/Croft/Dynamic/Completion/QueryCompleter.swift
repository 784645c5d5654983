import CroftFoundation

/// Turns what the parser would take at the end of a text into texts, by the models of a file.
struct QueryCompleter {
  private typealias Candidate = QueryCompletion.Candidate

  private let schemas: StoredSchemas
  private let resolver: QueryResolver
  private let word: String
  private let expected: [ExpectedTokens]

  /// Reads a text, up to its last word.
  init(_ text: String, _ schemas: StoredSchemas) {
    self.schemas = schemas
    resolver = QueryResolver(
      schema: { schemas[$0] }, parameters: QueryParameters(),
      moment: QueryMoment(calendar: .current, now: Date()))
    guard let (start, word) = Self.lastWord(of: text) else {
      (self.word, expected) = ("", [])
      return
    }
    self.word = word
    expected = Self.expectations(after: String(text.unicodeScalars.prefix(start)))
  }

  /// The last word of a text, and the number of scalars before it; nil where no word may begin or continue.
  private static func lastWord(of text: String) -> (start: Int, word: String)? {
    // The error is ignored: a text that cannot be read has no completion.
    guard let tokens = try? QueryLexer.tokens(of: text), let end = tokens.last else { return nil }
    guard let last = tokens.dropLast().last, last.end == end.position else {
      return (end.position, "")
    }
    switch last.kind {
    case .name(let name): return (last.position, name)
    case .sign(let sign): return [")", "]", "}"].contains(sign) ? nil : (end.position, "")
    default: return nil
    }
  }

  /// What the parser would take after a text: as a query, as a statement, or as both.
  private static func expectations(after text: String) -> [ExpectedTokens] {
    guard var query = try? QueryParser(text) else { return [] }
    var write = query
    let isWord = DynamicStatement.Kind(query.current) != nil && query.following.kind == .end
    let isEither = query.current.kind == .end || isWord
    // The errors are ignored: they are of the end of the text, and a completion is asked for there.
    if isEither || !query.beginsWrite { _ = try? query.statement() }
    if isEither || write.beginsWrite { _ = try? write.write() }
    return [query.expected, write.expected]
  }

  /// The candidates.
  var completion: QueryCompletion {
    var found: [Candidate] = []
    for expected in expected {
      for candidate in candidates(of: expected) where !found.contains(candidate) {
        if Self.begins(candidate.text, with: word) { found.append(candidate) }
      }
    }
    return QueryCompletion(word: word, candidates: found)
  }

  /// Whether a candidate begins with a word, perhaps after its backtick.
  private static func begins(_ text: String, with word: String) -> Bool {
    let (text, word) = (text.lowercased(), word.lowercased())
    return text.hasPrefix(word) || text.hasPrefix("`" + word)
  }

  private func candidates(of expected: ExpectedTokens) -> [Candidate] {
    var (names, words): ([Candidate], [Candidate]) = ([], [])
    for (item, place) in expected.items {
      // A word such as "update" may be the name of a model, where there is one.
      if let model = place.model, schemas[model.text] == nil { continue }
      switch item {
      case .model:
        names += schemas.all.map { Candidate(text: QueryTextWriter.name($0.name), kind: .model) }
      // Conditions alone are joined and negated.
      case .keyword("and") where place.part != .condition,
        .keyword("or") where place.part != .condition,
        .keyword("not") where place.part != .condition:
        continue
      case .keyword(let keyword): words.append(Candidate(text: keyword, kind: .keyword))
      case .sign(let sign): words.append(Candidate(text: sign, kind: .sign))
      case .operand: names += operands(in: place)
      case .path(let before): names += path(after: before, in: place)
      case .operators(let value):
        let operators = operators(after: value, in: place)
        names += operators.candidates
        // A condition ends, or is joined with another one, after a truth value only.
        if operators.isMissing { return names }
      case .assigned(let before, let sign):
        names += assigned(after: before, sign, in: place, besides: expected.assigned)
      }
    }
    return names + words
  }

  /// What names mean at a place; nil where that is not known.
  private func scope(of place: ExpectedTokens.Place) -> QueryScope? {
    guard let model = place.model, let schema = schemas[model.text] else { return nil }
    var scope = QueryScope(schema)
    for value in place.quantified {
      // The error is ignored: names of an unknown collection are not completed.
      guard let inner = try? resolver.innerScope(of: value, scope) else { return nil }
      scope = inner
    }
    return scope
  }
}

// Values.
extension QueryCompleter {
  private func operands(in place: ExpectedTokens.Place) -> [Candidate] {
    guard let scope = scope(of: place) else { return [] }
    switch place.part {
    case .text: return []
    case .unit:
      return QueryResolver.unitNames.map { Candidate(text: $0, kind: .value) }
    case .literal: return literals(besides: place.compared, scope)
    case .value:
      return literals(besides: place.compared, scope) + properties(in: scope)
    case .condition, .selection, .key, .order, .argument:
      break
    }
    var functions = scope.element == nil ? QueryResolver.functionNames : []
    var words: [Candidate] = []
    if place.part == .selection {
      words.append(Candidate(text: "count", kind: .keyword))
      functions = QueryResolver.aggregateNames + functions
    }
    return properties(in: scope) + words
      + functions.map { Candidate(text: $0 + "(", kind: .function) }
  }

  /// The literals that a property may be compared with or set to.
  private func literals(besides value: QuerySyntax?, _ scope: QueryScope) -> [Candidate] {
    // The error is ignored: an unknown property has no values.
    guard let value, case .column(let path, let storage, _) = try? resolver.operand(value, scope)
    else { return [] }
    var texts = scope.cases(of: path).map(\.name).filter { !scope.names($0) }
      .map(QueryTextWriter.name)
    if scope.isStruct(path) {
      texts = []
    } else if storage.kind == .bool {
      texts += ["true", "false"]
    } else if storage.kind == .date {
      texts += ["now", "today"]
    }
    if storage.isOptional || scope.isStruct(path) { texts.append("nil") }
    return texts.map { Candidate(text: $0, kind: .value) }
  }

  /// The operators after a value, and whether a condition lacks one.
  private func operators(
    after value: QuerySyntax, in place: ExpectedTokens.Place
  ) -> (candidates: [Candidate], isMissing: Bool) {
    // The error is ignored: after an unknown name nothing is known.
    guard place.part == .condition, let scope = scope(of: place),
      let operand = try? resolver.operand(value, scope)
    else { return ([], false) }
    let equality = [("==", QueryCompletion.Kind.sign), ("!=", .sign)]
    let order = [("<", QueryCompletion.Kind.sign), ("<=", .sign), (">", .sign), (">=", .sign)]
    let lists = [("in", QueryCompletion.Kind.keyword), ("not in", .keyword)]
    let quantifiers = ["any", "all", "none"].map { ($0, QueryCompletion.Kind.keyword) }
    var texts: [(String, QueryCompletion.Kind)] = []
    var isMissing = true
    switch operand {
    case .literal(.bool): isMissing = false
    case .literal: texts = equality + order
    case .embedded: break
    case .referrers: texts = quantifiers
    case .column(let path, _, _) where scope.isStruct(path): texts = equality
    case .column(_, let storage, _) where storage.collection != nil:
      texts = [("contains", .keyword)] + quantifiers
    case .column(_, let storage, _) where storage.isComparable:
      texts = equality
      if storage.kind == .bool {
        isMissing = false
      } else {
        texts += order + lists + [("between", .keyword)]
      }
      if storage.kind == .string {
        texts += QueryParser.textTests.map { (QueryTextWriter.name(of: $0), .keyword) }
      }
    case .column(_, let storage, _): texts = storage.isOptional ? equality : []
    }
    return (texts.map { Candidate(text: $0.0, kind: $0.1) }, isMissing)
  }
}

// Names.
extension QueryCompleter {
  /// The first names of paths.
  private func properties(in scope: QueryScope) -> [Candidate] {
    var found = scope.element == nil ? [] : [Candidate(text: "it", kind: .value)]
    guard let schema = scope.schema else { return found }
    found += names(in: schema, after: "")
    guard scope.element == nil else { return found }
    for source in schemas.all {
      for column in source.columns where column.reference?.target() === schema {
        let path = [source.name] + column.name.split(separator: ".").map(String.init)
        let text = path.map(QueryTextWriter.name).joined(separator: ".")
        found.append(Candidate(text: text, kind: .reference))
      }
    }
    return found
  }

  /// The names of columns after those of the structs that they are in.
  private func names(in schema: Schema, after prefix: String) -> [Candidate] {
    var found: [Candidate] = []
    for column in schema.columns where column.name.hasPrefix(prefix) {
      let rest = column.name.dropFirst(prefix.count)
      guard let name = rest.split(separator: ".").first.map(String.init) else { continue }
      let whole = prefix + name
      let isStruct = schema.columns.contains { $0.name.hasPrefix(whole + ".") }
      let isReference = column.reference != nil && column.storage.collection == nil
      let candidate = Candidate(
        text: QueryTextWriter.name(name), kind: isStruct || isReference ? .reference : .property)
      if !found.contains(candidate) { found.append(candidate) }
    }
    return found
  }

  /// The names that continue a path, through structs and references.
  private func path(
    after names: [QuerySyntax.Name], in place: ExpectedTokens.Place
  ) -> [Candidate] {
    guard let scope = scope(of: place), var schema = scope.schema else { return [] }
    var names = names[...]
    if scope.element != nil, names.first?.text.lowercased() == "it",
      schema.place(named: "it") == nil
    {
      names = names.dropFirst()
    }
    if let first = names.first, !scope.names(first.text) {
      return scope.element == nil ? referrers(names.map(\.text), to: schema) : []
    }
    var prefix = ""
    for (offset, name) in names.enumerated() {
      let whole = prefix + name.text
      let column = schema.columns.first { $0.name == whole }
      if schema.columns.contains(where: { $0.name.hasPrefix(whole + ".") }) {
        prefix = whole + "."
        continue
      }
      guard let column else { return [] }
      if let reference = column.reference, column.storage.collection == nil {
        (schema, prefix) = (reference.target(), "")
        continue
      }
      return offset == names.count - 1 ? measures(of: column.storage) : []
    }
    return self.names(in: schema, after: prefix)
  }

  /// What continues the name of a model whose objects refer to one.
  private func referrers(_ names: [String], to schema: Schema) -> [Candidate] {
    guard let source = names.first.flatMap({ schemas[$0] }) else { return [] }
    let written = names.dropFirst().joined(separator: ".")
    let columns = source.columns.filter { $0.reference?.target() === schema }
    if columns.contains(where: { $0.name == written }) {
      return [Candidate(text: "count", kind: .property)]
    }
    let prefix = written.isEmpty ? "" : written + "."
    return columns.compactMap { column in
      guard column.name.hasPrefix(prefix) else { return nil }
      let rest = column.name.dropFirst(prefix.count).split(separator: ".")
      return rest.first.map {
        Candidate(text: QueryTextWriter.name(String($0)), kind: .reference)
      }
    }
  }

  /// What a text or a collection is measured by.
  private func measures(of storage: StorageType) -> [Candidate] {
    var names: [String] = []
    if storage.collection != nil {
      names = ["count"]
      if storage.element.isComparable { names += ["min", "max"] }
      if storage.kind.isSummable { names += ["sum", "avg"] }
    } else if storage.kind == .string {
      names = ["count"]
    }
    return names.map { Candidate(text: $0, kind: .property) }
  }

  /// The properties that a statement may set, of which each is set once.
  private func assigned(
    after names: [QuerySyntax.Name], _ sign: String, in place: ExpectedTokens.Place,
    besides assigned: Set<String>
  ) -> [Candidate] {
    guard let schema = place.model.flatMap({ schemas[$0.text] }) else { return [] }
    let prefix = names.map { $0.text + "." }.joined()
    var found: [Candidate] = []
    for column in schema.columns where column.name.hasPrefix(prefix) {
      let rest = column.name.dropFirst(prefix.count)
      guard let name = rest.split(separator: ".").first.map(String.init) else { continue }
      if assigned.contains(prefix + name) { continue }
      let isStruct = schema.columns.contains { $0.name.hasPrefix(prefix + name + ".") }
      let text = QueryTextWriter.name(name)
      let assignment = sign == ":" ? text + ":" : text + " " + sign
      let candidate = Candidate(
        text: isStruct ? text : assignment, kind: isStruct ? .reference : .property)
      if !found.contains(candidate) { found.append(candidate) }
    }
    return found
  }
}
