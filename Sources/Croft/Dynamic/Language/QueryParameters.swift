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
  func written(_ literal: QueryLiteral, as storage: StorageType) -> QueryLiteral {
    guard case .parameter(let name) = literal, let text = texts[name] else { return literal }
    if storage.kind == .string { return .text(text) }
    // The errors are ignored: such a text is not a literal.
    guard var parser = try? QueryParser(text), case .single(let syntax)? = try? parser.wholeValue(),
      case .literal(let written) = syntax.kind
    else { return .text(text) }
    if case .parameter = written { return .text(text) }
    return written
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
