extension ObservableType {
  /// Sends what all of the sources send, as it comes.
  ///
  /// It completes when all of them completed; the first error ends all of it.
  public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
    merge(sources)
  }

  /// Sends what all of the sources send, as it comes.
  ///
  /// It completes when all of them completed; the first error ends all of it.
  public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
    flatten(Observable<Observable<Element>>.from(sources), limit: .max) { $0 }
  }

  /// Sends what all of the sources send, as it comes.
  ///
  /// They are subscribed in order. It completes when all of them completed; the first error
  /// ends all of it.
  public static func merge<Sources: Collection>(_ sources: Sources) -> Observable<Element>
  where Sources.Element == Observable<Element> {
    merge(Array(sources))
  }
}

extension ObservableType where Element: ObservableConvertibleType {
  /// Merges the inner sequences: `sources.merge()` or `sources.merge(maxConcurrent: 4)`.
  ///
  /// A value to be called and not a method, because beside a method of that name Swift 6 cannot
  /// infer the element of `Observable.merge(a, b)`.
  public var merge: Merging<Element.Element> {
    let inners = asObservable()
    return Merging { limit in flatten(inners, limit: limit) { $0.asObservable() } }
  }
}

/// Merges the sequences that a sequence sends; made by calling `merge` on it.
public struct Merging<Element> {
  fileprivate let merged: (_ limit: Int) -> Observable<Element>

  /// Sends what all of the inner sequences send, as it comes.
  public func callAsFunction() -> Observable<Element> { merged(.max) }

  /// Sends what the inner sequences send, with no more than so many subscribed at a time.
  ///
  /// - Parameter maxConcurrent: at least 1; further inner sequences wait, in order.
  public func callAsFunction(maxConcurrent: Int) -> Observable<Element> {
    precondition(maxConcurrent > 0, "maxConcurrent is at least 1: with 0 nothing would run.")
    return merged(maxConcurrent)
  }
}
