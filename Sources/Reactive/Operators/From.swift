extension ObservableType {
  /// Sends these elements in order and completes.
  public static func of(_ elements: Element...) -> Observable<Element> { from(elements) }

  /// Sends the elements of a sequence in order and completes.
  ///
  /// All of them are sent before the subscription returns. The sequence is iterated once per
  /// subscription, and no further than the subscriber wants.
  public static func from<Elements: Sequence>(_ sequence: Elements) -> Observable<Element>
  where Elements.Element == Element {
    Producer { down in
      let stop = BooleanDisposable()
      down.attach(stop)
      for element in sequence {
        if stop.isDisposed { return }
        down.next(element)
      }
      if !stop.isDisposed { down.done(nil) }
    }
  }

  /// Sends the element if there is one, and completes.
  public static func from(optional: Element?) -> Observable<Element> {
    optional.map { just($0) } ?? empty()
  }
}
