extension ObservableType {
  /// Sends what all of the sources send, as it comes.
  ///
  /// It completes when all of them completed; the first error ends all of it.
  public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
    merge(sources)
  }

  /// Sends what all of the sources send, as it comes.
  ///
  /// They are subscribed in order. It completes when all of them completed; the first error
  /// ends all of it.
  public static func merge<Sources: Collection>(_ sources: Sources) -> Observable<Element>
  where Sources.Element == Observable<Element> {
    flatten(Observable<Observable<Element>>.from(sources), limit: .max) { $0 }
  }
}

extension ObservableType where Element: ObservableConvertibleType {
  /// Sends what all of the inner sequences send, as it comes.
  public func merge() -> Observable<Element.Element> {
    flatten(asObservable(), limit: .max) { $0.asObservable() }
  }

  /// Sends what the inner sequences send, with no more than so many subscribed at a time.
  ///
  /// - Parameter maxConcurrent: at least 1; further inner sequences wait, in order.
  public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
    precondition(maxConcurrent > 0, "maxConcurrent is at least 1: with 0 nothing would run.")
    return flatten(asObservable(), limit: maxConcurrent) { $0.asObservable() }
  }
}
