extension ObservableType {
  /// Emits one element and completes.
  @inlinable
  public static func just(_ element: Element) -> Observable<Element> { Just(element) }
}

@usableFromInline
final class Just<Element>: Observable<Element> {
  @usableFromInline let element: Element

  @inlinable
  init(_ element: Element) {
    self.element = element
  }

  @usableFromInline
  override func run(_ sink: Sink<Element>) {
    sink.next(element)
    if !sink.isDisposed { sink.done(nil) }
  }
}

// Unchecked: the element is set once and never changed.
extension Just: @unchecked Sendable where Element: Sendable {}

extension ObservableType where Element: Sendable {
  /// Emits one element and completes, each in a step of its own on a scheduler.
  public static func just(
    _ element: Element, scheduler: any ImmediateSchedulerType
  ) -> Observable<Element> {
    from(CollectionOfOne(element), scheduler: scheduler)
  }
}
