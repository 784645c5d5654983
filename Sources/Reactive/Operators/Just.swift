extension ObservableType {
  /// Sends one element and completes.
  public static func just(_ element: Element) -> Observable<Element> { Just(element) }
}

private final class Just<Element>: Observable<Element> {
  private let element: Element

  init(_ element: Element) {
    self.element = element
  }

  override func run(_ sink: Sink<Element>) {
    sink.next(element)
    sink.done(nil)
  }
}

extension Just: @unchecked Sendable where Element: Sendable {}
