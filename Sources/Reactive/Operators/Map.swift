extension ObservableType {
  /// Sends what a closure makes of each element.
  ///
  /// - Parameter transform: what it throws ends the sequence.
  @preconcurrency
  @inlinable
  public func map<Result>(
    _ transform: @escaping @Sendable (Element) throws -> Result
  ) -> Observable<Result> {
    asObservable().lift { MapSink($0, transform) }
  }
}

// Inlinable up to here, because making objects is only fast where the types are known.
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
  /// Sends what a closure makes of each element, unless that is nil.
  ///
  /// - Parameter transform: what it throws ends the sequence.
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
  /// Sends each element with its number, which counts from 0 for every subscription.
  public func enumerated() -> Observable<(index: Int, element: Element)> {
    asObservable().lift { EnumeratedSink($0) }
  }
}

private final class EnumeratedSink<Element>: OperatorSink<Element, (index: Int, element: Element)> {
  /// The number of the next one; protected by the rule that calls never overlap.
  private var index = 0

  override func next(_ element: Element) {
    let number = index
    index += 1
    down.next((number, element))
  }
}
