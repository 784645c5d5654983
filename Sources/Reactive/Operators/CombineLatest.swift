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
    combination(repeat (each source).asObservable(), by: resultSelector)
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
      let latest = sources.map { _ in Latest<Sources.Element.Element>() }
      let combination = Combination(down, of: sources.count) {
        try resultSelector(latest.map(\.value))
      }
      if sources.isEmpty { return combination.sendOnce() }
      down.attach(combination)
      for (source, latest) in Swift.zip(sources, latest) { combination.run(source, into: latest) }
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
    combination(repeat (each source).asObservable()) { (element: repeat (each Source).Element) in
      (repeat each element)
    }
  }
}

/// Combines sources by a closure that takes one element of each.
///
/// Inlinable, because code over packs is only fast where the types are known.
@inlinable
func combination<each Input, Output>(
  _ source: repeat Observable<each Input>,
  by combine: @escaping (repeat each Input) throws -> Output
) -> Observable<Output> {
  let sources = (repeat each source)
  return Producer { (down: Sink<Output>) in
    let latest = (repeat Latest<each Input>())
    var count = 0
    for _ in repeat each latest { count += 1 }
    let combination = Combination(down, of: count) { try combine(repeat (each latest).value) }
    down.attach(combination)
    repeat combination.run(each sources, into: each latest)
  }
}

/// The latest element of one source; touched by the owner of its combination's drain alone.
@usableFromInline
final class Latest<Element> {
  // A place of its own rather than an optional: code that does not know the element's type would
  // look up the optional's at every event, for longer than all the rest takes.
  // Safety: initialised exactly when isSet, and read only once every source sent something.
  @usableFromInline let place = UnsafeMutablePointer<Element>.allocate(capacity: 1)
  // The check that accesses do not overlap is waived: the drain sees to that.
  @exclusivity(unchecked) private var isSet = false

  @usableFromInline
  init() {}

  deinit {
    if isSet { place.deinitialize(count: 1) }
    place.deallocate()
  }

  /// The element; only once there is one.
  @inlinable var value: Element { place.pointee }

  /// Keeps an element; true when it is the first one.
  func set(_ element: Element) -> Bool {
    if isSet {
      place.pointee = element
      return false
    }
    place.initialize(to: element)
    isSet = true
    return true
  }
}

/// What the sources of one combination share.
@usableFromInline
final class Combination<Output>: Disposable, @unchecked Sendable {
  // Unchecked: the mutable fields are touched by the drain's owner alone.
  let drain = Drain()
  fileprivate let down: Sink<Output>
  private let combine: () throws -> Output
  fileprivate let handles = HandleSet()
  // The check that accesses do not overlap is waived: the drain sees to that.
  @exclusivity(unchecked) private var silent: Int
  @exclusivity(unchecked) private var running: Int
  @exclusivity(unchecked) private var isFinished = false

  @usableFromInline
  init(_ down: Sink<Output>, of count: Int, _ combine: @escaping () throws -> Output) {
    self.down = down
    self.combine = combine
    silent = count
    running = count
  }

  @usableFromInline
  func run<Input>(_ source: Observable<Input>, into latest: Latest<Input>) {
    if !handles.isDisposed { source.run(CombinedSink(self, latest)) }
  }

  @usableFromInline
  func dispose() { handles.dispose() }

  /// The combination of no source at all.
  func sendOnce() {
    do { down.next(try combine()) } catch { return down.done(error) }
    down.done(nil)
  }

  /// A source has a new latest element.
  func changed(isFirst: Bool) {
    if isFinished || handles.isDisposed { return }
    if isFirst { silent -= 1 }
    if silent == 0 {
      do { down.next(try combine()) } catch { finish(error) }
    } else if running == 1 {
      finish(nil)
    }
  }

  /// A source ended.
  func ended(_ error: (any Error)?) {
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

/// Takes what one source of a combination sends.
private final class CombinedSink<Input, Output>: Sink<Input> {
  private let combination: Combination<Output>
  private let latest: Latest<Input>
  /// Names the handle among the combination's; touched only by what feeds this sink.
  @exclusivity(unchecked) private var key: UInt64?

  init(_ combination: Combination<Output>, _ latest: Latest<Input>) {
    self.combination = combination
    self.latest = latest
  }

  override func attach(_ upstream: any Disposable) { key = combination.handles.insert(upstream) }

  override var disposalHook: DisposalHook? { combination.down.disposalHook }

  override func next(_ element: Input) {
    if combination.drain.enter() || combination.drain.post({ self.deliver(element) }) {
      deliver(element)
      combination.drain.leave()
    }
  }

  override func done(_ error: (any Error)?) {
    let combination = combination
    if combination.drain.enter() || combination.drain.post({ combination.ended(error) }) {
      combination.ended(error)
      combination.drain.leave()
    }
    combination.handles.leave(key)
  }

  private func deliver(_ element: Input) {
    combination.changed(isFirst: latest.set(element))
  }
}
