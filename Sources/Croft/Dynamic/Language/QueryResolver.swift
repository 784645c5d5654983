import CroftFoundation

/// Gives the names of a query text their meaning: conditions and values as the executor takes them.
///
/// What a name means comes from schemas, so that texts about a program's models and about a file's are read alike.
struct QueryResolver {
  /// The models by name, for the objects that refer to one; nil where none is known.
  let schema: (String) -> Schema?
  let parameters: QueryParameters
  let moment: QueryMoment
  /// What an error tells to do with a value that fits.
  var demand = "compare it with"

  /// The condition of a text.
  ///
  /// - Throws: ``QueryTextError`` for an unknown name, and for values that do not fit each other.
  func condition(_ syntax: QuerySyntax, _ scope: QueryScope) throws(QueryTextError) -> ConditionTree
  {
    switch syntax.kind {
    case .all(let terms):
      var tree = ConditionTree.constant(true)
      for term in terms { tree = .both(tree, try condition(term, scope)) }
      return tree
    case .any(let terms):
      var tree: ConditionTree?
      for term in terms {
        let next = try condition(term, scope)
        tree = tree.map { .either($0, next) } ?? next
      }
      return tree ?? .constant(false)
    case .not(let term): return .negation(of: try condition(term, scope))
    case .compare(let left, let comparison, let right):
      return try compare(left, comparison, right, scope)
    case .within(let value, let list, let isParameter):
      return try within(value, list, isParameter: isParameter, scope)
    case .text(let value, let kind, let options, let pattern):
      return try text(value, kind, options, pattern, scope, at: syntax.operatorPosition)
    case .search(let query): return try search(query, scope)
    case .quantified(let value, let quantifier, let inner):
      return try quantified(value, quantifier, inner, scope)
    case .literal(.bool(let value)): return .constant(value)
    case .path, .call:
      guard case .column(let path, let storage, _) = try operand(syntax, scope),
        storage.kind == .bool, storage.collection == nil
      else { break }
      return .compare(path, .equal, .bool(true))
    case .literal, .arithmetic, .coalesced: break
    }
    throw try conditionExpected(at: syntax, scope)
  }

  private func compare(
    _ left: QuerySyntax, _ comparison: QuerySyntax.Comparison, _ right: QuerySyntax,
    _ scope: QueryScope
  ) throws(QueryTextError) -> ConditionTree {
    switch try comparedOperands(left, right, scope) {
    case (.column(let path, let storage, let reference), .literal(let literal)):
      try checkKey(literal, path, storage, reference, at: right.position)
      return try compare(path, storage, comparison, literal, scope, at: right.position)
    case (.literal(let literal), .column(let path, let storage, let reference)):
      try checkKey(literal, path, storage, reference, at: left.position)
      return try compare(path, storage, comparison.mirrored, literal, scope, at: left.position)
    case (.column(let path, let storage, _), .column(let other, let otherStorage, _)):
      guard storage.kind == otherStorage.kind, storage.isComparable, otherStorage.isComparable
      else {
        throw QueryTextError(
          "\(path.name) is \(storage.text) and \(other.name) is \(otherStorage.text): two properties are "
            + "compared where they have one type", at: left.position)
      }
      return switch comparison {
      case .equal: .columns(path, .equal, other)
      case .unequal: .not(.columns(path, .equal, other))
      case .order(let order): .columns(path, order, other)
      }
    case (.literal, .literal):
      throw QueryTextError("one side of a comparison is a property", at: left.position)
    case (.embedded(let name), _), (_, .embedded(let name)):
      throw QueryTextError(
        "\(name) is a struct that is always there: compare a property of it", at: left.position)
    case (.referrers(let source), _), (_, .referrers(let source)):
      throw QueryTextError(
        "\(source.name) is several objects: write any (...), all (...), none (...) or .count after it",
        at: left.position)
    }
  }

  /// A property compared with a literal.
  private func compare(
    _ path: ColumnPath, _ storage: StorageType, _ comparison: QuerySyntax.Comparison,
    _ literal: QueryLiteral, _ scope: QueryScope, at position: Int
  ) throws(QueryTextError) -> ConditionTree {
    let literal = parameters.written(literal, as: storage, scope.cases(of: path))
    if try isNil(literal, at: position) {
      if case .order = comparison {
        if literal != .null { return .constant(false) }
        throw QueryTextError("nil has no order: write == nil or != nil", at: position)
      }
      let tree = try absence(
        of: path, storage, scope, isWritten: literal == .null, at: position)
      return comparison == .unequal ? .negation(of: tree) : tree
    }
    guard storage.isComparable || storage.isOneKey else {
      throw QueryTextError(
        "\(path.name) is \(storage.text), which is not compared"
          + (storage.collection == nil
            ? "" : ": write contains, any (...), all (...), none (...) or .count"),
        at: position)
    }
    try checkCase(literal, scope.cases(of: path), storage, path.shownName, at: position)
    let (order, isNegated): (ConditionTree.Comparison, Bool) =
      switch comparison {
      case .equal: (.equal, false)
      case .unequal: (.equal, true)
      case .order(let order): (order, false)
      }
    let tree: ConditionTree
    switch try stored(literal, as: storage, path.name, at: position) {
    case .none: tree = order == .equal ? .isNil(path) : .constant(false)
    case .some(.value(let value)): tree = .compare(path, order, value)
    case .some(.past(let isAbove)):
      // Equal to no value of the property, and less or greater than each.
      tree =
        switch order {
        case .equal: .constant(false)
        case .less, .lessOrEqual: isAbove ? .negation(of: .isNil(path)) : .constant(false)
        case .greater, .greaterOrEqual: isAbove ? .constant(false) : .negation(of: .isNil(path))
        }
    }
    return isNegated ? .negation(of: tree) : tree
  }

  private func isNil(_ literal: QueryLiteral, at position: Int) throws(QueryTextError) -> Bool {
    switch literal {
    case .null: return true
    case .parameter(let name): return try parameters.value(name, at: position) == .none
    default: return false
    }
  }

  /// Whether a property has no value.
  ///
  /// - Parameter isWritten: Whether the text has nil, and no parameter that is nil.
  /// - Throws: ``QueryTextError`` for nil beside a property that always has a value.
  private func absence(
    of path: ColumnPath, _ storage: StorageType, _ scope: QueryScope, isWritten: Bool,
    at position: Int
  ) throws(QueryTextError) -> ConditionTree {
    // A struct has a column of its own that holds whether it is there.
    if scope.isStruct(path) { return .not(.compare(path, .equal, .bool(true))) }
    let columns = path.computed?.expression.columns ?? [path]
    let hasReference = columns.contains { $0.links.count > scope.links.count }
    if path.measure != nil, !storage.isOptional, hasReference {
      throw QueryTextError(
        "\(path.name) is nil where the reference before it is: compare that with nil", at: position)
    }
    if isWritten, !storage.isOptional, !hasReference {
      throw QueryTextError("\(path.shownName) is never nil", at: position)
    }
    return .isNil(path)
  }

  /// A property that is one of the values of a list.
  ///
  /// - Parameter isParameter: Whether the list is a parameter as a whole, of which a text in brackets has the values.
  private func within(
    _ value: QuerySyntax, _ list: [QuerySyntax], isParameter: Bool, _ scope: QueryScope
  ) throws(QueryTextError) -> ConditionTree {
    guard case .column(let path, let storage, _) = try operand(value, scope),
      storage.isComparable || storage.isOneKey
    else {
      throw QueryTextError("\"in\" follows a property that is compared", at: value.position)
    }
    if scope.isStruct(path) {
      throw QueryTextError("a struct is compared with nil: \(path.name) == nil", at: value.position)
    }
    let cases = scope.cases(of: path)
    var values: [StoredValue] = []
    for syntax in list {
      guard case .literal(let literal) = try literal(syntax, besides: path, storage, scope) else {
        throw QueryTextError("the values after \"in\" are literals", at: syntax.position)
      }
      var elements = [
        QueryParameters.Element.literal(parameters.written(literal, as: storage, cases))
      ]
      // In a list that is written out a text in brackets is one value.
      if case .parameter(let name) = literal,
        let given = try parameters.elements(
          name, of: storage, cases, readsTexts: isParameter, at: syntax.position)
      {
        elements = given
      }
      for element in elements {
        if case .literal(let literal) = element {
          try checkCase(literal, cases, storage, path.shownName, at: syntax.position)
        }
        switch try fitting(element, to: storage, path.name, at: syntax.position) {
        case .none: values.append(.none)
        case .some(.value(let value)): values.append(value)
        case .some(.past): break
        }
      }
    }
    return .within(path, values)
  }

  private func text(
    _ value: QuerySyntax, _ kind: TextPattern.Kind, _ options: TextOptions, _ pattern: QuerySyntax,
    _ scope: QueryScope, at operatorPosition: Int
  ) throws(QueryTextError) -> ConditionTree {
    guard case .column(let path, let storage, _) = try operand(value, scope) else {
      throw QueryTextError("a property that is a text is expected here", at: value.position)
    }
    let isSearched = storage.kind == .string && storage.collection == nil
    guard isSearched || storage.collection != nil && kind == .contains && options.isEmpty else {
      let name = QueryTextWriter.name(of: kind)
      throw QueryTextError(
        "\(path.name) is \(storage.text), and \(name) is for texts: "
          + "use \(Self.operators(of: storage, scope.isStruct(path)))", at: operatorPosition)
    }
    guard case .literal(let literal) = try literal(pattern, besides: path, storage, scope) else {
      throw QueryTextError("a text is expected here: \"...\"", at: pattern.position)
    }
    if storage.collection != nil, kind == .contains, options.isEmpty {
      let element = QueryScope(
        elementOf: storage, referringTo: nil, cases: scope.cases(of: path))
      let tree = try compare(
        .element, storage.element, .equal, literal, element, at: pattern.position)
      return .any(path, meeting: tree)
    }
    guard
      case .some(.value(.string(let text))) = try stored(
        literal, as: storage, path.name, at: pattern.position)
    else { throw QueryTextError("a text is expected here: \"...\"", at: pattern.position) }
    if kind == .matches, !options.isEmpty {
      throw QueryTextError(
        "a search has no options: it ignores case and diacritics", at: pattern.position)
    }
    return .text(path, TextPattern(kind: kind, text: text, options: options))
  }

  private func search(
    _ query: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> ConditionTree {
    guard scope.links.isEmpty, let schema = scope.schema, !schema.searchedPaths.isEmpty else {
      throw QueryTextError(
        "\"matches\" follows a text here: a model's texts are searched together where the program "
          + "declares a #FullText", at: query.position)
    }
    guard case .literal(let literal) = query.kind,
      case .some(.value(.string(let text))) = try stored(
        literal, as: StorageType(.string), "the search", at: query.position)
    else { throw QueryTextError("a text is expected here: \"...\"", at: query.position) }
    return .search(
      schema.searchedPaths, TextPattern(kind: .matches, text: text, options: []))
  }

  private func quantified(
    _ value: QuerySyntax, _ quantifier: QuerySyntax.Quantifier, _ inner: QuerySyntax,
    _ scope: QueryScope
  ) throws(QueryTextError) -> ConditionTree {
    // All is: none for which it does not hold.
    func tree(_ make: (ConditionTree) -> ConditionTree, _ condition: ConditionTree) -> ConditionTree
    {
      switch quantifier {
      case .any: make(condition)
      case .none: .negation(of: make(condition))
      case .all: .negation(of: make(.negation(of: condition)))
      }
    }
    let element = try innerScope(of: value, scope)
    switch (try operand(value, scope), element) {
    case (.column(let path, _, _), let element?):
      let condition = try condition(inner, element)
      return tree({ .any(path, meeting: $0) }, condition)
    case (.referrers(let source), let element?):
      let condition = try condition(inner, element)
      return tree({ .referred(source, meeting: $0) }, condition)
    case (.column, nil), (.embedded, _), (.literal, _), (.referrers, nil):
      throw QueryTextError(
        "\"\(quantifier.rawValue)\" follows a collection, or the objects that refer to one",
        at: value.position)
    }
  }

  /// What names mean in the parentheses after "any" and its like.
  ///
  /// - Returns: Nil where the value is neither a collection nor the objects that refer to one.
  /// - Throws: ``QueryTextError`` for an unknown name.
  func innerScope(
    of value: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> QueryScope? {
    switch try operand(value, scope) {
    case .column(let path, let storage, let reference) where storage.collection != nil:
      QueryScope(
        elementOf: storage, referringTo: reference?.target(), cases: scope.cases(of: path))
    case .referrers(let source): QueryScope(source.schema)
    case .column, .embedded, .literal: nil
    }
  }
}

// Names of cases.
extension QueryResolver {
  /// The sides of a comparison, of which one may be the name of a case of the other one's enum.
  private func comparedOperands(
    _ left: QuerySyntax, _ right: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> (QueryOperand, QueryOperand) {
    if Self.caseName(right, scope) != nil,
      case .column(let path, let storage, _) = try operand(left, scope)
    {
      return (try operand(left, scope), try operand(right, besides: path, storage, scope))
    }
    if Self.caseName(left, scope) != nil,
      case .column(let path, let storage, _) = try operand(right, scope)
    {
      return (try operand(left, besides: path, storage, scope), try operand(right, scope))
    }
    if right.hyphenatedWord != nil, case .column(_, let storage, _) = try operand(left, scope) {
      try checkHyphens(right, besides: storage, scope)
    }
    return (try operand(left, scope), try operand(right, scope))
  }

  /// A literal, or the name of a case of a property's enum as the literal of its raw value.
  private func literal(
    _ syntax: QuerySyntax, besides path: ColumnPath, _ storage: StorageType, _ scope: QueryScope
  ) throws(QueryTextError) -> QuerySyntax.Kind {
    try checkHyphens(syntax, besides: storage, scope)
    guard Self.caseName(syntax, scope) != nil,
      case .literal(let literal) = try operand(syntax, besides: path, storage, scope)
    else { return syntax.kind }
    return .literal(literal)
  }

  /// The same for all parts of a text.
  private func operand(
    _ syntax: QuerySyntax, besides path: ColumnPath, _ storage: StorageType, _ scope: QueryScope
  ) throws(QueryTextError) -> QueryOperand {
    let cases = scope.cases(of: path)
    guard let name = Self.caseName(syntax, scope) else { return try operand(syntax, scope) }
    if cases.isEmpty { throw unknownWord(name, besides: path, storage, scope) }
    return .literal(try Self.literal(name, of: cases, path.name))
  }

  /// The raw value of a case.
  ///
  /// - Throws: ``QueryTextError`` that names the cases, where there is none of the name.
  static func literal(
    _ name: QuerySyntax.Name, of cases: [ValueDomain.Case], _ property: String
  ) throws(QueryTextError) -> QueryLiteral {
    if let found = cases.first(where: { $0.name == name.text }) { return found.literal }
    throw QueryTextError(
      "\(property) has no case \(name.text)" + near(name.text, among: cases.map(\.name)),
      at: name.position)
  }

  /// The name that a part of a text is, where no property is called that.
  static func caseName(_ syntax: QuerySyntax, _ scope: QueryScope) -> QuerySyntax.Name? {
    guard case .path(let names) = syntax.kind, names.count == 1, !scope.names(names[0].text)
    else { return nil }
    return names[0]
  }
}

extension ColumnPath {
  /// The name as a text has it.
  fileprivate var shownName: String { name == Self.element.name ? "it" : name }
}

extension StorageType {
  /// Whether single values of the type are compared.
  var isComparable: Bool { collection == nil && kind != .coded && kind != .compound }

  /// Whether it is a compound key, which is compared with its bytes.
  var isOneKey: Bool { collection == nil && kind == .compound }
}
