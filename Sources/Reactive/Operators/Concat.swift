extension ObservableType {
  /// Appends another sequence to this one: `first.concat(second)`.
  ///
  /// This is a callable value and not a method, because with a method of that name Swift 6 cannot
  /// infer the element of `Observable.concat(a, b)`.
  public var concat: Concatenating<Element> { Concatenating(first: asObservable()) }

  /// Emits the elements of each source, one source after the other.
  ///
  /// Each source is subscribed when the one before it has completed. The first error ends it.
  public static func concat(_ sources: Observable<Element>...) -> Observable<Element> {
    inOrder(sources, afterErrors: false)
  }

  /// Emits the elements of each source of an array, one source after the other.
  public static func concat(_ sources: [Observable<Element>]) -> Observable<Element> {
    inOrder(sources, afterErrors: false)
  }

  /// Emits the elements of each source, which is taken from a sequence when its turn comes.
  @preconcurrency
  public static func concat<Sources: Sequence & Sendable>(
    _ sequence: Sources
  ) -> Observable<Element> where Sources.Element == Observable<Element> {
    inOrder(sequence, afterErrors: false)
  }

  /// Runs sequences one after the other, each after the completion or after the error of another.
  static func inOrder<Sources: Sequence>(
    _ sequence: Sources, afterErrors: Bool
  ) -> Observable<Element> where Sources.Element == Observable<Element> {
    Producer { down in
      var sources = sequence.makeIterator()
      let first = sources.next()
      ConcatSink(down) { error in (error != nil) == afterErrors ? sources.next() : nil }
        .begin(with: first)
    }
  }
}

/// Concatenates sequences; the value of the property `concat` of the first.
public struct Concatenating<Element> {
  fileprivate let first: Observable<Element>

  /// Emits the elements of the source, and those of another sequence after its completion.
  public func callAsFunction<Source: ObservableConvertibleType>(
    _ second: Source
  ) -> Observable<Element> where Source.Element == Element {
    .concat([first, second.asObservable()])
  }
}

extension Concatenating where Element: ObservableConvertibleType {
  /// Emits the elements of each inner sequence, one sequence after the other.
  ///
  /// Each is subscribed when the one before it has completed. The queue of those that wait is
  /// unbounded, and its length costs no stack.
  public func callAsFunction() -> Observable<Element.Element> {
    flatten(first, limit: 1) { $0.asObservable() }
  }
}

extension ObservableType {
  /// Emits the elements first, and then subscribes the source.
  public func startWith(_ elements: Element...) -> Observable<Element> {
    handled(by: { PassingSink($0) }) { sink in
      for element in elements where !sink.isDisposed { sink.emit(element) }
    }
  }
}

/// Runs sequences one after the other; the end of each decides whether another one follows.
///
/// They are started in a loop rather than from within each other's end, so that any number of
/// them that end at once costs no stack.
final class ConcatSink<Element>: DisposableSink<Element, Element>, @unchecked Sendable {
  // Unchecked: as its superclass; what follows is asked by one sequence after the other.
  private let serializer = Serializer()
  private let following: (_ error: (any Error)?) throws -> Observable<Element>?

  /// Makes a stage that emits to another one.
  ///
  /// - Parameter following: returns the sequence that follows an end, by an error or by
  ///   completion; nil passes that end on, and an error thrown replaces it.
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

  // The last end is emitted at once, not in turn, so that the teardown of its sequence follows it.
  override func done(_ error: (any Error)?) {
    if isDisposed { return }
    let next: Observable<Element>?
    do { next = try following(error) } catch { return finish(error) }
    guard let next else { return finish(error) }
    serializer.run { [self] in
      // The sequence that ended is disposed before the next one is subscribed.
      disposeSource()
      if !isDisposed { next.run(self) }
    }
  }
}
