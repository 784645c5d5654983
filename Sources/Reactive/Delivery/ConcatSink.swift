/// Runs sequences one after the other; the end of each decides whether another one follows.
///
/// They are started in a loop rather than from within each other's end, so that any number of
/// them that end at once costs no stack.
final class ConcatSink<Element>: DisposableSink<Element, Element>, @unchecked Sendable {
  // Unchecked: as its superclass; what follows is asked by the serializer's owner alone.
  private let serializer = Serializer()
  private let following: (_ error: (any Error)?) throws -> Observable<Element>?

  /// Makes a stage in front of another.
  ///
  /// - Parameter following: returns the sequence that follows an end, by an error or by
  ///   completion; nil passes that end on, and an error thrown takes its place.
  init(
    _ down: Sink<Element>,
    following: @escaping (_ error: (any Error)?) throws -> Observable<Element>?
  ) {
    self.following = following
    super.init(down)
  }

  /// Starts with a sequence, or completes when there is none.
  func begin(with first: Observable<Element>?) {
    down.attach(self)
    guard let first else { return finish(nil) }
    serializer.run { first.run(self) }
  }

  override func next(_ element: Element) {
    if !isDisposed { emit(element) }
  }

  override func done(_ error: (any Error)?) { serializer.run { self.advance(after: error) } }

  private func advance(after error: (any Error)?) {
    if isDisposed { return }
    // The sequence that ended is disposed before the next one is asked for.
    disposeSource()
    let next: Observable<Element>?
    do { next = try following(error) } catch { return finish(error) }
    if let next { next.run(self) } else { finish(error) }
  }
}
