extension StorageType {
  /// The set of some elements, as rows have it: each once, in the order of the key codes.
  ///
  /// Elements in that order are taken unchanged: of NaN there may be several.
  func set(of elements: [StoredValue]) -> StoredValue {
    func code(_ element: StoredValue) -> [UInt8] {
      element == .none ? [0] : [1] + element.keyCode(kind: kind)
    }
    let codes = elements.map(code)
    if zip(codes, codes.dropFirst()).allSatisfy({ !$1.lexicographicallyPrecedes($0) }) {
      return .list(elements)
    }
    let distinct = Dictionary(
      elements.map { (code($0), $0) }, uniquingKeysWith: { first, _ in first })
    return .list(distinct.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value))
  }

  /// The dictionary of some pairs, as rows have it: texts in the order of their key codes, each before its value.
  func dictionary(of pairs: [(key: String, value: StoredValue)]) -> StoredValue {
    let sorted = pairs.map { (code: $0.key.keyCode, pair: $0) }
      .sorted { $0.code.lexicographicallyPrecedes($1.code) }
    return .list(sorted.flatMap { [.string($0.pair.key), $0.pair.value] })
  }
}
