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
    pairing(repeat (each source).asObservable(), by: resultSelector)
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
      let tally = Tally()
      let lines = sources.map { _ in Line<Sources.Element.Element>(tally) }
      let pairing = Pairing(down, of: sources.count, tally, endsUnpaired: true) {
        try resultSelector(lines.map { $0.takeFirst() })
      }
      down.attach(pairing)
      for index in sources.indices { pairing.run(sources[index], into: lines[index]) }
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
    pairing(repeat (each source).asObservable()) { (element: repeat (each Source).Element) in
      (repeat each element)
    }
  }
}

/// Pairs sources by a closure that takes one element of each.
///
/// Inlinable, because code over packs is only fast where the types are known.
@inlinable
func pairing<each Input, Output>(
  _ source: repeat Observable<each Input>,
  by combine: @escaping (repeat each Input) throws -> Output
) -> Observable<Output> {
  let sources = (repeat each source)
  return Producer { (down: Sink<Output>) in
    let tally = Tally()
    let lines = (repeat Line<each Input>(tally))
    var count = 0
    for _ in repeat each lines { count += 1 }
    let pairing = Pairing(down, of: count, tally, endsUnpaired: false) {
      try combine(repeat (each lines).takeFirst())
    }
    down.attach(pairing)
    repeat pairing.run(each sources, into: each lines)
  }
}

/// How many lines of one pairing hold an element; touched by the owner of its drain alone.
@usableFromInline
final class Tally {
  // The check that accesses do not overlap is waived: the drain sees to that.
  @exclusivity(unchecked) fileprivate var filled = 0

  @usableFromInline
  init() {}
}

/// The elements of one source that wait for partners; touched by the drain's owner alone.
@usableFromInline
final class Line<Element> {
  private let tally: Tally
  // The check that accesses do not overlap is waived: the drain sees to that.
  @exclusivity(unchecked) private var waiting = Queue<Element>()

  @usableFromInline
  init(_ tally: Tally) {
    self.tally = tally
  }

  /// The element that waits longest; only once every line holds one.
  @usableFromInline
  func takeFirst() -> Element {
    if waiting.count == 1 { tally.filled -= 1 }
    return waiting.removeFirst()
  }

  fileprivate func append(_ element: Element) {
    if waiting.isEmpty { tally.filled += 1 }
    waiting.append(element)
  }
}

/// What the sources of one pairing share.
@usableFromInline
final class Pairing<Output>: Disposable, @unchecked Sendable {
  // Unchecked: the mutable fields are touched by the drain's owner alone.
  fileprivate let drain = Drain()
  fileprivate let down: Sink<Output>
  private let combine: () throws -> Output
  fileprivate let handles = HandleSet()
  private let count: Int
  private let tally: Tally
  private let endsUnpaired: Bool
  // The check that accesses do not overlap is waived: the drain sees to that.
  @exclusivity(unchecked) private var running: Int
  @exclusivity(unchecked) private var isFinished = false

  @usableFromInline
  init(
    _ down: Sink<Output>, of count: Int, _ tally: Tally, endsUnpaired: Bool,
    _ combine: @escaping () throws -> Output
  ) {
    self.down = down
    self.combine = combine
    self.count = count
    self.tally = tally
    self.endsUnpaired = endsUnpaired
    running = count
  }

  @usableFromInline
  func run<Input>(_ source: Observable<Input>, into line: Line<Input>) {
    if !handles.isDisposed { source.run(PairedSink(self, line)) }
  }

  @usableFromInline
  func dispose() { handles.dispose() }

  /// A line has a new element.
  fileprivate func appended() {
    if isFinished || handles.isDisposed { return }
    if tally.filled == count {
      do { down.next(try combine()) } catch { finish(error) }
    } else if endsUnpaired, running == 1 {
      finish(nil)
    }
  }

  /// A source ended.
  fileprivate func ended(_ error: (any Error)?) {
    running -= 1
    if error != nil || running == 0 { finish(error) }
  }

  private func finish(_ error: (any Error)?) {
    guard !isFinished, !handles.isDisposed else { return }
    isFinished = true
    down.done(error)
    dispose()
  }
}

/// Takes what one source of a pairing sends.
private final class PairedSink<Input, Output>: Sink<Input> {
  private let pairing: Pairing<Output>
  private let line: Line<Input>
  /// Names the handle among the pairing's; touched only by what feeds this sink.
  @exclusivity(unchecked) private var key: UInt64?

  init(_ pairing: Pairing<Output>, _ line: Line<Input>) {
    self.pairing = pairing
    self.line = line
  }

  override func attach(_ upstream: any Disposable) { key = pairing.handles.insert(upstream) }

  override var disposalHook: DisposalHook? { pairing.down.disposalHook }

  override func next(_ element: Input) {
    if pairing.drain.enter() || pairing.drain.post({ self.deliver(element) }) {
      deliver(element)
      pairing.drain.leave()
    }
  }

  override func done(_ error: (any Error)?) {
    let pairing = pairing
    if pairing.drain.enter() || pairing.drain.post({ pairing.ended(error) }) {
      pairing.ended(error)
      pairing.drain.leave()
    }
    pairing.handles.leave(key)
  }

  private func deliver(_ element: Input) {
    line.append(element)
    pairing.appended()
  }
}
