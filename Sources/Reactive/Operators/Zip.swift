extension ObservableType {
  /// Emits the result of a closure for the first elements of all sources, the second, and so on.
  ///
  /// An element waits until every source has emitted the element of the same index. It completes
  /// when all sources have completed; the first error ends it.
  ///
  /// - Parameters:
  ///   - source: two or more sequences, subscribed in order.
  ///   - resultSelector: an error that it throws ends the sequence.
  @preconcurrency
  @inlinable
  public static func zip<each Source: ObservableType>(
    _ source: repeat each Source,
    resultSelector: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    zipping(repeat (each source).asObservable(), by: resultSelector)
  }

  /// Emits the result of a closure for the elements of each index, in the sources' order.
  ///
  /// It also completes on an element that has to wait when all other sources have completed.
  /// Without sources it completes at once.
  ///
  /// - Parameters:
  ///   - collection: the sequences, subscribed in order.
  ///   - resultSelector: an error that it throws ends the sequence.
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

  /// Emits the elements of each index as an array, in the sources' order.
  public static func zip<Sources: Collection>(
    _ collection: Sources
  ) -> Observable<[Element]> where Sources.Element: ObservableType<Element> {
    Observable<[Element]>.zip(collection) { $0 }
  }
}

extension ObservableType where Element == Any {
  /// Emits the elements of each index as a tuple.
  @inlinable
  public static func zip<each Source: ObservableType>(
    _ source: repeat each Source
  ) -> Observable<(repeat (each Source).Element)> {
    zipping(repeat (each source).asObservable()) { (element: repeat (each Source).Element) in
      (repeat each element)
    }
  }
}

/// Combines the elements of sources that have the same index by a closure.
///
/// Inlinable, because code over parameter packs is only fast when it is specialised.
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
