/// How a `Maybe` ends.
@frozen
public enum MaybeEvent<Element> {
  /// With an element.
  case success(Element)
  /// With an error.
  case error(any Error)
  /// Without an element.
  case completed
}

extension MaybeEvent: Sendable where Element: Sendable {}
