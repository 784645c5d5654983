extension ObservableType {
  /// Emits a default element when the source completes without one.
  ///
  /// - Parameter element: not emitted when the source fails.
  @inlinable
  public func ifEmpty(default element: Element) -> Observable<Element> {
    stateful(true, completion: { if $0 { $1.next(element) } }) { isEmpty, element, sink in
      isEmpty = false
      sink.down.next(element)
    }
  }

  /// Subscribes another sequence when the source completes without an element.
  ///
  /// - Parameter other: subscribed after the source was disposed; not subscribed after an error.
  public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
    let source = asObservable()
    return Producer { down in
      var isEmpty = true
      let watched = source.stateful(()) { _, element, sink in
        isEmpty = false
        sink.down.next(element)
      }
      ConcatSink(down) { error in
        guard isEmpty, error == nil else { return nil }
        isEmpty = false
        return other
      }.begin(with: watched)
    }
  }
}
