extension ObservableType {
  /// Sends what a closure makes of the first elements of each source, then of the second, and so on.
  ///
  /// Elements wait until every source has sent its own of the same number. It completes when all
  /// sources did; the first error ends it.
  ///
  /// - Parameters:
  ///   - source: two or more sequences, subscribed in order.
  ///   - resultSelector: what it throws ends the sequence.
  @preconcurrency
  @inlinable
  public static func zip<each Source: ObservableType>(
    _ source: repeat each Source,
    resultSelector: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    zipping(repeat (each source).asObservable(), by: resultSelector)
  }

  /// Sends what a closure makes of the elements of one number, in the sources' order.
  ///
  /// It also completes on an element that finds no partner while all other sources completed.
  /// Without sources it completes at once.
  ///
  /// - Parameters:
  ///   - collection: the sequences, subscribed in order.
  ///   - resultSelector: what it throws ends the sequence.
  @preconcurrency
  public static func zip<Sources: Collection>(
    _ collection: Sources,
    resultSelector: @escaping @Sendable ([Sources.Element.Element]) throws -> Element
  ) -> Observable<Element> where Sources.Element: ObservableType {
    let sources = collection.map { $0.asObservable() }
    if sources.isEmpty { return .empty() }
    return Producer { down in
      let queues = sources.map { _ in ElementQueue<Sources.Element.Element>() }
      let sink = CombiningSink(down, of: sources.count, endsUnpaired: true) { sink in
        try resultSelector(queues.map { $0.removeFirst(for: sink) })
      }
      down.attach(sink)
      for (source, queue) in Swift.zip(sources, queues) { sink.run(source, into: queue) }
    }
  }

  /// Sends the elements of one number, in the sources' order.
  public static func zip<Sources: Collection>(
    _ collection: Sources
  ) -> Observable<[Element]> where Sources.Element: ObservableType<Element> {
    Observable<[Element]>.zip(collection) { $0 }
  }
}

extension ObservableType where Element == Any {
  /// Sends the elements of one number as a tuple.
  @inlinable
  public static func zip<each Source: ObservableType>(
    _ source: repeat each Source
  ) -> Observable<(repeat (each Source).Element)> {
    zipping(repeat (each source).asObservable()) { (element: repeat (each Source).Element) in
      (repeat each element)
    }
  }
}

/// Pairs sources by a closure that takes one element of each.
///
/// Inlinable, because code over packs is only fast where the types are known.
@inlinable
func zipping<each Input, Output>(
  _ source: repeat Observable<each Input>,
  by combine: @escaping (repeat each Input) throws -> Output
) -> Observable<Output> {
  let sources = (repeat each source)
  return Producer { (down: Sink<Output>) in
    let queues = (repeat ElementQueue<each Input>())
    var count = 0
    for _ in repeat each queues { count += 1 }
    let sink = CombiningSink(down, of: count, endsUnpaired: false) { sink in
      try combine(repeat (each queues).removeFirst(for: sink))
    }
    down.attach(sink)
    repeat sink.run(each sources, into: each queues)
  }
}
