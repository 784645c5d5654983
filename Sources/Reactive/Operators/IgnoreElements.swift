extension ObservableType {
  /// Drops all elements and sends the end alone.
  public func ignoreElements() -> Observable<Never> {
    asObservable().lift { IgnoreElementsSink($0) }
  }
}

private final class IgnoreElementsSink<Element>: OperatorSink<Element, Never> {}
