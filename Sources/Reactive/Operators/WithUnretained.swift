extension ObservableType {
  /// Combines each element with an object that is held weakly; completes when it is deallocated.
  ///
  /// The completion is emitted on the first element after the deallocation.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - resultSelector: combines the two; an error that it throws ends the sequence.
  @preconcurrency
  public func withUnretained<Object: AnyObject, Result>(
    _ object: Object, resultSelector: @escaping @Sendable (Object, Element) throws -> Result
  ) -> Observable<Result> {
    let weakly = Weak(object)
    return asObservable().lift { WithUnretainedSink($0, weakly, resultSelector) }
  }

  /// Pairs each element with an object that is held weakly; completes when it is deallocated.
  public func withUnretained<Object: AnyObject>(
    _ object: Object
  ) -> Observable<(Object, Element)> {
    withUnretained(object) { ($0, $1) }
  }
}

private struct Weak<Object: AnyObject> {
  private(set) weak var object: Object?

  init(_ object: Object) {
    self.object = object
  }
}

private final class WithUnretainedSink<Object: AnyObject, Input, Output>:
  OperatorSink<Input, Output>
{
  private let weakly: Weak<Object>
  private let selector: (Object, Input) throws -> Output

  init(
    _ down: Sink<Output>, _ weakly: Weak<Object>,
    _ selector: @escaping (Object, Input) throws -> Output
  ) {
    self.weakly = weakly
    self.selector = selector
    super.init(down)
  }

  override func next(_ element: Input) {
    if isFinished { return }
    guard let object = weakly.object else { return finish() }
    do { down.next(try selector(object, element)) } catch { finish(error) }
  }
}
