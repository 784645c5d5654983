/// Names running work, so that later work can take its place or stop it.
public struct EffectID: Hashable, @unchecked Sendable {
  // Unchecked: it is made of a Sendable value and never changes.
  private let value: AnyHashable

  /// Makes a name of any value, such as an id or a case of an enumeration.
  public init(_ value: some Hashable & Sendable) {
    self.value = AnyHashable(value)
  }
}

extension EffectID: ExpressibleByStringLiteral {
  /// Makes a name of a word.
  public init(stringLiteral word: String) {
    self.init(word)
  }
}
