/// What an observer hears: any number of elements, then at most one end.
@frozen
public enum Event<Element> {
  /// An element was sent.
  case next(Element)
  /// The sequence failed; nothing follows.
  case error(any Error)
  /// The sequence ended well; nothing follows.
  case completed
}

extension Event: Sendable where Element: Sendable {}

extension Event {
  /// The element, when there is one.
  public var element: Element? {
    if case .next(let element) = self { element } else { nil }
  }

  /// The error, when it is one.
  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }

  /// Whether the sequence ended well with it.
  public var isCompleted: Bool {
    if case .completed = self { true } else { false }
  }

  /// Whether nothing follows it.
  public var isStopEvent: Bool {
    if case .next = self { false } else { true }
  }

  /// The same event with its element transformed; an error thrown becomes the event.
  public func map<Result>(_ transform: (Element) throws -> Result) -> Event<Result> {
    switch self {
    case .next(let element):
      do { return .next(try transform(element)) } catch { return .error(error) }
    case .error(let error): return .error(error)
    case .completed: return .completed
    }
  }
}

extension Event: CustomDebugStringConvertible {
  /// The event in words: `next(1)`, `error(notFound)` or `completed`.
  public var debugDescription: String {
    switch self {
    case .next(let element): "next(\(element))"
    case .error(let error): "error(\(error))"
    case .completed: "completed"
    }
  }
}

/// Something that can be seen as an event.
public protocol EventConvertible<Element> {
  /// The element that the event may carry.
  associatedtype Element

  /// The event.
  var event: Event<Element> { get }
}

extension Event: EventConvertible {
  /// The event itself.
  public var event: Event<Element> { self }
}
