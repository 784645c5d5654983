/// An event that an observer receives: any number of elements, and then at most one end.
@frozen
public enum Event<Element> {
  /// An element.
  case next(Element)
  /// The sequence failed; no event follows.
  case error(any Error)
  /// The sequence completed; no event follows.
  case completed
}

extension Event: Sendable where Element: Sendable {}

extension Event {
  /// The element; nil for an end.
  public var element: Element? {
    if case .next(let element) = self { element } else { nil }
  }

  /// The error; nil for an element and a completion.
  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }

  /// Whether it is a completion.
  public var isCompleted: Bool {
    if case .completed = self { true } else { false }
  }

  /// Whether it is an end, so that no event follows.
  public var isStopEvent: Bool {
    if case .next = self { false } else { true }
  }

  /// The same event with its element transformed; an error that the closure throws replaces it.
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
  /// The event as text: `next(1)`, `error(notFound)` or `completed`.
  public var debugDescription: String {
    switch self {
    case .next(let element): "next(\(element))"
    case .error(let error): "error(\(error))"
    case .completed: "completed"
    }
  }
}

/// A type that converts to an event.
public protocol EventConvertible<Element> {
  /// The type of the event's element.
  associatedtype Element

  /// The event.
  var event: Event<Element> { get }
}

extension Event: EventConvertible {
  /// The event itself.
  public var event: Event<Element> { self }
}
