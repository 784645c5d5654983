extension ObservableType {
  /// Emits the elements of all sources as they arrive.
  ///
  /// The sources are subscribed in order. It completes when all of them have completed; the first
  /// error ends it.
  public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
    merge(sources)
  }

  /// Emits the elements of all sources of an array as they arrive.
  public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
    flatten(Observable<Observable<Element>>.from(sources), limit: .max) { $0 }
  }

  /// Emits the elements of all sources of a collection as they arrive.
  public static func merge<Sources: Collection>(_ sources: Sources) -> Observable<Element>
  where Sources.Element == Observable<Element> {
    merge(Array(sources))
  }
}

extension ObservableType where Element: ObservableConvertibleType {
  /// Merges the inner sequences: `sources.merge()` or `sources.merge(maxConcurrent: 4)`.
  ///
  /// This is a callable value and not a method, because with a method of that name Swift 6 cannot
  /// infer the element of `Observable.merge(a, b)`.
  public var merge: Merging<Element.Element> {
    let inners = asObservable()
    return Merging { limit in flatten(inners, limit: limit) { $0.asObservable() } }
  }
}

/// Merges the inner sequences of a sequence; the value of its property `merge`.
public struct Merging<Element> {
  fileprivate let merged: (_ limit: Int) -> Observable<Element>

  /// Emits the elements of all inner sequences as they arrive.
  public func callAsFunction() -> Observable<Element> { merged(.max) }

  /// Emits the elements of the inner sequences, with a limit on how many are subscribed at a time.
  ///
  /// - Parameter maxConcurrent: at least 1; further inner sequences wait, in order.
  public func callAsFunction(maxConcurrent: Int) -> Observable<Element> {
    precondition(maxConcurrent > 0, "maxConcurrent is at least 1: with 0 nothing would run.")
    return merged(maxConcurrent)
  }
}
