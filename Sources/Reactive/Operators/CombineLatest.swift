extension ObservableType {
  /// Sends what a closure makes of the latest element of each source.
  ///
  /// It starts once every source sent something. It completes when all of them did, or when an
  /// element still leaves a source silent while all others completed; the first error ends it.
  /// Sources that stem from one sequence are told one after the other, so the combinations in
  /// between are sent too.
  ///
  /// - Parameters:
  ///   - source: two or more sequences, subscribed in order.
  ///   - resultSelector: what it throws ends the sequence.
  @preconcurrency
  @inlinable
  public static func combineLatest<each Source: ObservableType>(
    _ source: repeat each Source,
    resultSelector: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    combiningLatest(repeat (each source).asObservable(), by: resultSelector)
  }

  /// Sends what a closure makes of the latest element of each source, in the sources' order.
  ///
  /// Without sources it sends what the closure makes of nothing, and completes.
  ///
  /// - Parameters:
  ///   - collection: the sequences, subscribed in order.
  ///   - resultSelector: what it throws ends the sequence.
  @preconcurrency
  public static func combineLatest<Sources: Collection>(
    _ collection: Sources,
    resultSelector: @escaping @Sendable ([Sources.Element.Element]) throws -> Element
  ) -> Observable<Element> where Sources.Element: ObservableType {
    let sources = collection.map { $0.asObservable() }
    return Producer { down in
      let latest = sources.map { _ in LatestElement<Sources.Element.Element>() }
      let sink = CombiningSink(down, of: sources.count, endsUnpaired: true) { _ in
        try resultSelector(latest.map(\.value))
      }
      if sources.isEmpty { return sink.emitOnce() }
      down.attach(sink)
      for (source, latest) in Swift.zip(sources, latest) { sink.run(source, into: latest) }
    }
  }

  /// Sends the latest element of each source, in the sources' order.
  public static func combineLatest<Sources: Collection>(
    _ collection: Sources
  ) -> Observable<[Element]> where Sources.Element: ObservableType<Element> {
    Observable<[Element]>.combineLatest(collection) { $0 }
  }
}

extension ObservableType where Element == Any {
  /// Sends the latest element of each source as a tuple.
  @inlinable
  public static func combineLatest<each Source: ObservableType>(
    _ source: repeat each Source
  ) -> Observable<(repeat (each Source).Element)> {
    combiningLatest(repeat (each source).asObservable()) {
      (element: repeat (each Source).Element) in
      (repeat each element)
    }
  }
}

/// Combines sources by a closure that takes one element of each.
///
/// Inlinable, because code over packs is only fast where the types are known.
@inlinable
func combiningLatest<each Input, Output>(
  _ source: repeat Observable<each Input>,
  by combine: @escaping (repeat each Input) throws -> Output
) -> Observable<Output> {
  let sources = (repeat each source)
  return Producer { (down: Sink<Output>) in
    let latest = (repeat LatestElement<each Input>())
    var count = 0
    for _ in repeat each latest { count += 1 }
    let sink = CombiningSink(down, of: count, endsUnpaired: true) { _ in
      try combine(repeat (each latest).value)
    }
    down.attach(sink)
    repeat sink.run(each sources, into: each latest)
  }
}
