/// Takes elements and sends them on, and never ends: what sequences can be bound to.
public protocol RelayType<Element>: ObservableType {
  /// Takes an element.
  func accept(_ event: Element)
}
