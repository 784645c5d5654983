/// The values that stand for `$1`, `$2` and `$name` in a query text.
struct QueryParameters: Hashable, Sendable {
  private let positional: [StoredValue]
  private let named: [String: StoredValue]
  /// Values as texts, whose types follow from where they are used.
  private var texts: [String: String] = [:]

  init(_ positional: [any Storable] = [], named: [String: any Storable] = [:]) {
    self.positional = positional.map { $0.stored }
    self.named = named.mapValues { $0.stored }
  }

  init(values: [String: StoredValue]) {
    positional = []
    named = values
  }

  init(texts: [String: String]) {
    self.init(values: [:])
    self.texts = texts
  }

  /// A literal in place of a parameter that was given as a text, by the type that it is used with.
  ///
  /// A text that is not a literal of that type stays a text, so that an error names what fits.
  ///
  /// - Parameter cases: The cases of the enum that it is used with; empty for others.
  func written(
    _ literal: QueryLiteral, as storage: StorageType, _ cases: [ValueDomain.Case] = []
  ) -> QueryLiteral {
    guard case .parameter(let name) = literal, let text = texts[name] else { return literal }
    return Self.literal(text, storage, cases)
  }

  /// The literal that a person means with a text.
  private static func literal(
    _ text: String, _ storage: StorageType, _ cases: [ValueDomain.Case]
  ) -> QueryLiteral {
    // A raw value that is a text may be the name of another case.
    if cases.contains(where: { $0.literal == .text(text) }) { return .text(text) }
    if let named = cases.first(where: { $0.name == text }) { return named.literal }
    if storage.kind == .string { return .text(text) }
    // The errors are ignored: such a text is not a literal.
    guard var parser = try? QueryParser(text), case .single(let syntax)? = try? parser.wholeValue(),
      case .literal(let written) = syntax.kind
    else { return .text(text) }
    if case .parameter = written { return .text(text) }
    return written
  }

  /// An element of a parameter that is a list.
  enum Element {
    case value(StoredValue)
    /// As it is written in a text in brackets.
    case literal(QueryLiteral)
  }

  /// The elements of a parameter that is a list; nil for other parameters.
  ///
  /// - Parameters:
  ///   - cases: The cases of the enum of which the elements are; empty for others.
  ///   - readsTexts: Whether a text in brackets is a list as well, and not one value.
  /// - Throws: ``QueryTextError`` where there is no such parameter, and for a text in brackets that is not a list of
  ///   literals and names.
  func elements(
    _ name: String, of element: StorageType, _ cases: [ValueDomain.Case], readsTexts: Bool,
    at position: Int
  ) throws(QueryTextError) -> [Element]? {
    if case .list(let values) = try value(name, at: position) { return values.map(Element.value) }
    guard readsTexts else { return nil }
    return try literals(name, of: element, cases, at: position)?.map(Element.literal)
  }

  /// The elements of a parameter that was given as a text in brackets; nil for other parameters.
  private func literals(
    _ name: String, of element: StorageType, _ cases: [ValueDomain.Case], at position: Int
  ) throws(QueryTextError) -> [QueryLiteral]? {
    guard let text = texts[name], text.first(where: { !$0.isWhitespace }) == "[" else { return nil }
    let mismatch = QueryTextError(
      "the value of $\(name) is not a list: write it as [1, 2] or [\"a\", \"b\"]", at: position)
    // The errors are ignored: such a text is not a list.
    guard var parser = try? QueryParser(text), case .list(let items, _)? = try? parser.wholeValue()
    else { throw mismatch }
    var literals: [QueryLiteral] = []
    for item in items {
      switch item.kind {
      case .literal(.parameter): throw mismatch
      case .literal(.text(let text)) where !cases.isEmpty:
        literals.append(Self.literal(text, element, cases))
      case .literal(let literal): literals.append(literal)
      // As a text of its own it would need no quotes either.
      case .path(let names) where names.count == 1:
        literals.append(Self.literal(names[0].text, element, cases))
      default: throw mismatch
      }
    }
    return literals
  }

  /// The texts and values of a parameter that was given as a text of such; nil for other parameters.
  func pairs(_ name: String) -> WriteStatement.Value? {
    // The errors are ignored: such a text has no pairs.
    guard let text = texts[name], var parser = try? QueryParser(text),
      let value = try? parser.wholeValue(), case .pairs = value
    else { return nil }
    return value
  }

  /// The text that a literal or a parameter is; nil for other values.
  func text(of literal: QueryLiteral) -> String? {
    switch literal {
    case .text(let text): return text
    case .parameter(let name):
      // The error is ignored: it is thrown where the value is needed.
      guard case .string(let text)? = try? value(name, at: 0) else { return nil }
      return text
    default: return nil
    }
  }

  /// The value of a parameter.
  ///
  /// - Throws: ``QueryTextError`` where there is none.
  func value(_ name: String, at position: Int) throws(QueryTextError) -> StoredValue {
    if let value = named[name] { return value }
    if let text = texts[name] { return .string(text) }
    if let number = Int(name), positional.indices.contains(number - 1) {
      return positional[number - 1]
    }
    throw QueryTextError(
      "there is no value for $\(name): "
        + (named.isEmpty && texts.isEmpty
          ? "\(positional.count) were given"
          : "given are \((Array(named.keys) + Array(texts.keys)).sorted().joined(separator: ", "))"),
      at: position)
  }
}
