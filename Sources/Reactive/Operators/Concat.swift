extension ObservableType {
  /// Puts another sequence behind this one: `first.concat(second)`.
  ///
  /// A value to be called and not a method, because beside a method of that name Swift 6 cannot
  /// infer the element of `Observable.concat(a, b)`.
  public var concat: Concatenating<Element> { Concatenating(first: asObservable()) }

  /// Sends what each of the sources sends, one after the other.
  ///
  /// The next one is subscribed when the one before completed. The first error ends all of it.
  public static func concat(_ sources: Observable<Element>...) -> Observable<Element> {
    concatenating(sources)
  }

  /// Sends what each of the sources sends, one after the other.
  ///
  /// The next one is subscribed when the one before completed. The first error ends all of it.
  public static func concat(_ sources: [Observable<Element>]) -> Observable<Element> {
    concatenating(sources)
  }

  /// Sends what each of the sources sends, one after the other.
  ///
  /// The next one is taken from the sequence and subscribed when the one before completed. The
  /// first error ends all of it.
  ///
  /// - Parameter sequence: `Sendable`, because several threads may subscribe at a time, and each
  ///   iterates it.
  @preconcurrency
  public static func concat<Sources: Sequence & Sendable>(
    _ sequence: Sources
  ) -> Observable<Element> where Sources.Element == Observable<Element> {
    concatenating(sequence)
  }

  private static func concatenating<Sources: Sequence>(_ sequence: Sources) -> Observable<Element>
  where Sources.Element == Observable<Element> {
    Producer { down in
      var sources = sequence.makeIterator()
      let first = sources.next()
      ConcatSink(down) { error in error == nil ? sources.next() : nil }.begin(with: first)
    }
  }
}

/// Puts sequences one behind the other; made by calling `concat` on one.
public struct Concatenating<Element> {
  fileprivate let first: Observable<Element>

  /// Sends what the source sends, and when that completed what another sequence sends.
  public func callAsFunction<Source: ObservableConvertibleType>(
    _ second: Source
  ) -> Observable<Element> where Source.Element == Element {
    .concat([first, second.asObservable()])
  }
}

extension Concatenating where Element: ObservableConvertibleType {
  /// Sends what each of the inner sequences sends, one after the other.
  ///
  /// The next one is subscribed when the one before completed. The queue of those that wait has
  /// no bound, and its length costs no stack.
  public func callAsFunction() -> Observable<Element.Element> {
    flatten(first, limit: 1) { $0.asObservable() }
  }
}
