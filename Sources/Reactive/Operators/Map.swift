extension ObservableType {
  /// Emits the result of a closure for each element.
  @preconcurrency
  @inlinable
  public func map<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result
  ) -> Observable<Result> {
    asObservable().lift { MapSink($0, transform) }
  }
}

// Inlinable, because allocating generic objects is only fast in code that knows their types.
@usableFromInline
final class MapSink<Input, Output>: OperatorSink<Input, Output> {
  @usableFromInline let transform: (Input) throws -> Output

  @inlinable
  init(_ down: Sink<Output>, _ transform: @escaping (Input) throws -> Output) {
    self.transform = transform
    super.init(down)
  }

  @usableFromInline
  override func next(_ element: Input) {
    if isFinished { return }
    do { down.next(try transform(element)) } catch { finish(error) }
  }
}

extension ObservableType {
  /// Emits the result of a closure for each element, unless it is nil.
  @preconcurrency
  @inlinable
  public func compactMap<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result?
  ) -> Observable<Result> {
    stateful(()) { _, element, sink in
      if let output = try transform(element) { sink.down.next(output) }
    }
  }

  /// Emits each element with its index, which counts from 0 for every subscription.
  @inlinable
  public func enumerated() -> Observable<(index: Int, element: Element)> {
    stateful(0) { index, element, sink in
      defer { index += 1 }
      sink.down.next((index, element))
    }
  }
}
