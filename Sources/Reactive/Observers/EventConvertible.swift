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
