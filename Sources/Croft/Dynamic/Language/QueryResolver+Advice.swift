// What errors tell of names and values that do not fit each other.
extension QueryResolver {
  /// The operators of conditions on a type, for errors.
  static func operators(of storage: StorageType, _ isStruct: Bool) -> String {
    if isStruct { return "== nil or != nil" }
    if storage.collection != nil { return "contains, any (...), all (...), none (...) or .count" }
    switch storage.kind {
    case .bool, .compound: return "== or !="
    case .coded: return storage.isOptional ? "== nil or != nil" : "a property that has operators"
    default: return "==, !=, <, <=, >, >=, in or between"
    }
  }

  /// The error of a word beside a property that has no cases, and that names no property.
  func unknownWord(
    _ name: QuerySyntax.Name, besides path: ColumnPath, _ storage: StorageType, _ scope: QueryScope
  ) -> QueryTextError {
    let owner = scope.schema?.name ?? "an element"
    let names = scope.schema?.columns.map(\.name) ?? []
    var advice = ""
    if ["none", "null", "undefined"].contains(name.text.lowercased()) {
      advice = "write nil for no value"
    } else if !Self.alike(name.text, among: names).isEmpty {
      let quoted = storage.kind == .string ? "; a text is in quotes, \"\(name.text)\"" : ""
      return QueryTextError(
        "\(owner) has no property \(name.text)" + Self.near(name.text, among: names) + quoted,
        at: name.position)
    } else if storage.kind == .string {
      advice = "put a text into quotes, \"\(name.text)\""
    } else {
      advice = "\(demand) \(Self.example(of: storage.kind))"
    }
    return QueryTextError(
      "\(owner) has no property \(name.text), and \(path.name) is \(storage.text): \(advice)",
      at: name.position)
  }

  /// Refuses a text with hyphens that has no quotes, and would be read as a difference.
  ///
  /// - Throws: ``QueryTextError`` where a part of it names no property.
  func checkHyphens(
    _ syntax: QuerySyntax, besides storage: StorageType, _ scope: QueryScope
  ) throws(QueryTextError) {
    guard storage.kind == .string, let word = syntax.hyphenatedWord,
      word.split(separator: "-").contains(where: {
        $0.first?.isNumber == false && !scope.names(String($0))
      })
    else { return }
    throw Self.missingQuotes(of: word, at: syntax.position)
  }

  /// The error of a text with hyphens that has no quotes.
  static func missingQuotes(of word: String, at position: Int) -> QueryTextError {
    QueryTextError(
      "\(word) without quotes is a difference: put the text into quotes, '\(word)'", at: position)
  }

  /// The error of a value where a condition must be.
  func conditionExpected(
    at syntax: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> QueryTextError {
    let start = "a condition is expected here"
    guard case .path = syntax.kind else {
      return QueryTextError("\(start), such as a comparison", at: syntax.position)
    }
    let advice: String
    switch try operand(syntax, scope) {
    case .column(let path, let storage, _):
      advice =
        ", and \(path.name) is \(storage.text): "
        + "use \(Self.operators(of: storage, scope.isStruct(path)))"
    case .referrers: advice = ": write any (...), all (...), none (...) or .count"
    case .embedded(let name): advice = ", and \(name) is a struct: compare a property of it"
    case .literal: advice = ", such as a comparison"
    }
    return QueryTextError(start + advice, at: syntax.position)
  }

  /// Refuses a text beside a reference to objects with keys of another type.
  ///
  /// - Throws: ``QueryTextError`` that names a property of the object that is referred to.
  func checkKey(
    _ literal: QueryLiteral, _ path: ColumnPath, _ storage: StorageType,
    _ reference: ForeignKeyDefinition?, at position: Int
  ) throws(QueryTextError) {
    guard case .text = literal, let reference, storage.collection == nil,
      ![.string, .uuid, .date].contains(storage.kind)
    else { return }
    let target = reference.target()
    let named = target.columns.first { $0.storage == StorageType(.string) }?.name
    throw QueryTextError(
      "\(path.name) refers to \(target.name): \(demand) its key"
        + (named.map { ", or write \(path.name).\($0)" } ?? ""), at: position)
  }
}
