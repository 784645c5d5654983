/// The values that stand for `$1`, `$2` and `$name` in a query text.
struct QueryParameters: Hashable, Sendable {
  private let positional: [StoredValue]
  private let named: [String: StoredValue]

  init(_ positional: [any Storable] = [], named: [String: any Storable] = [:]) {
    self.positional = positional.map { $0.stored }
    self.named = named.mapValues { $0.stored }
  }

  init(values: [String: StoredValue]) {
    positional = []
    named = values
  }

  /// The value of a parameter.
  ///
  /// - Throws: ``QueryTextError`` where there is none.
  func value(_ name: String, at position: Int) throws(QueryTextError) -> StoredValue {
    if let value = named[name] { return value }
    if let number = Int(name), positional.indices.contains(number - 1) {
      return positional[number - 1]
    }
    throw QueryTextError(
      "there is no value for $\(name): "
        + (named.isEmpty
          ? "\(positional.count) were given"
          : "given are \(named.keys.sorted().joined(separator: ", "))"),
      at: position)
  }
}
