extension ObservableType {
  /// Emits the result of a closure for each element.
  ///
  /// - Parameter transform: an error that it throws ends the sequence.
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
  ///
  /// - Parameter transform: an error that it throws ends the sequence.
  @preconcurrency
  public func compactMap<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result?
  ) -> Observable<Result> {
    asObservable().lift { CompactMapSink($0, transform) }
  }
}

private final class CompactMapSink<Input, Output>: OperatorSink<Input, Output> {
  private let transform: (Input) throws -> Output?

  init(_ down: Sink<Output>, _ transform: @escaping (Input) throws -> Output?) {
    self.transform = transform
    super.init(down)
  }

  override func next(_ element: Input) {
    if isFinished { return }
    do { if let output = try transform(element) { down.next(output) } } catch { finish(error) }
  }
}

extension ObservableType {
  /// Emits each element with its index, which counts from 0 for every subscription.
  public func enumerated() -> Observable<(index: Int, element: Element)> {
    asObservable().lift { EnumeratedSink($0) }
  }
}

private final class EnumeratedSink<Element>: OperatorSink<Element, (index: Int, element: Element)> {
  /// The index of the next element; protected by the rule that calls never overlap.
  private var index = 0

  override func next(_ element: Element) {
    let number = index
    index += 1
    down.next((number, element))
  }
}
