extension ObservableType {
  /// Emits the result of a closure for the latest elements of all sources.
  ///
  /// It starts once every source has emitted an element. It completes when all of them have
  /// completed, or on an element of the only source that runs while another one has completed
  /// without an element; the first error ends it. Sources that are derived from one sequence
  /// receive its elements one after the other, so the combinations in between are emitted too.
  ///
  /// - Parameters:
  ///   - source: two or more sequences, subscribed in order.
  ///   - resultSelector: an error that it throws ends the sequence.
  @preconcurrency
  @inlinable
  public static func combineLatest<each Source: ObservableType>(
    _ source: repeat each Source,
    resultSelector: @escaping @Sendable (repeat (each Source).Element) throws -> Element
  ) -> Observable<Element> {
    combiningLatest(repeat (each source).asObservable(), by: resultSelector)
  }

  /// Emits the result of a closure for the latest elements of all sources, in the sources' order.
  ///
  /// Without sources it emits the result for an empty array, and completes.
  ///
  /// - Parameters:
  ///   - collection: the sequences, subscribed in order.
  ///   - resultSelector: an error that it throws ends the sequence.
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

  /// Emits the latest elements of all sources, in the sources' order.
  public static func combineLatest<Sources: Collection>(
    _ collection: Sources
  ) -> Observable<[Element]> where Sources.Element: ObservableType<Element> {
    Observable<[Element]>.combineLatest(collection) { $0 }
  }
}

extension ObservableType where Element == Any {
  /// Emits the latest elements of all sources as a tuple.
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

/// Combines the latest elements of sources by a closure.
///
/// Inlinable, because code over parameter packs is only fast when it is specialised.
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

/// Combines one element of each of several sources: the base of `combineLatest` and `zip`.
///
/// That their events take turns is the work of ``FanInSink`` and its ``Serializer``.
@usableFromInline
final class CombiningSink<Output>: FanInSink<Never, Never, Output>, @unchecked Sendable {
  // Unchecked: as its superclass.

  /// How many sources have no element to combine.
  // The serializer makes the exclusivity checks unnecessary.
  @exclusivity(unchecked) fileprivate var missing: Int
  @exclusivity(unchecked) private var running: Int
  /// Whether an element that has to wait completes the sequence when all other sources ended.
  private let endsUnpaired: Bool
  private let combine: (CombiningSink) throws -> Output

  /// Makes a stage that emits to another one.
  ///
  /// - Parameters:
  ///   - count: how many sources there are.
  ///   - endsUnpaired: whether an element that has to wait completes the sequence when all other
  ///     sources have ended.
  ///   - combine: called when every source has an element to combine.
  @usableFromInline
  init(
    _ down: Sink<Output>, of count: Int, endsUnpaired: Bool,
    _ combine: @escaping (CombiningSink) throws -> Output
  ) {
    self.combine = combine
    self.endsUnpaired = endsUnpaired
    missing = count
    running = count
    super.init(down)
  }

  /// Subscribes one of the sources.
  @usableFromInline
  func run<Input>(_ source: Observable<Input>, into elements: CombinedElements<Input>) {
    if !isDisposed { source.run(CombinedSink(self, elements)) }
  }

  /// Emits the combination of no source at all, and completes.
  func emitOnce() {
    do { down.next(try combine(self)) } catch { return down.done(error) }
    down.done(nil)
  }

  private func accept<Input>(_ element: Input, into elements: CombinedElements<Input>) {
    if isDisposed { return }
    if elements.append(element) { missing -= 1 }
    if missing == 0 {
      do { emit(try combine(self)) } catch { finish(error) }
    } else if endsUnpaired, running == 1 {
      finish(nil)
    }
  }

  private func acceptEnd(_ error: (any Error)?) {
    running -= 1
    if error != nil || running == 0 { finish(error) }
  }

  /// One source; a side sink of its own, because each source may have another type of elements.
  private final class CombinedSink<Input>: Sink<Input> {
    private let parent: CombiningSink
    private let elements: CombinedElements<Input>
    /// The key of the source's handle; touched only by what feeds this sink.
    @exclusivity(unchecked) private var key: UInt64?

    init(_ parent: CombiningSink, _ elements: CombinedElements<Input>) {
      self.parent = parent
      self.elements = elements
    }

    override func attach(_ upstream: any Disposable) { key = parent.sides.insert(upstream) }

    override var disposalHook: DisposalHook? { parent.disposalHook }

    override var isDisposed: Bool { parent.isDisposed }

    override func next(_ element: Input) {
      if parent.serializer.tryAcquire() || parent.serializer.enqueue({ self.accept(element) }) {
        accept(element)
        parent.serializer.release()
      }
    }

    override func done(_ error: (any Error)?) {
      parent.serializer.run { [self] in
        parent.acceptEnd(error)
        parent.sides.dispose(key)
      }
    }

    private func accept(_ element: Input) { parent.accept(element, into: elements) }
  }
}

/// The elements of one source that can be combined; touched by the owner of the serializer alone.
@usableFromInline
class CombinedElements<Element> {
  /// Keeps an element; true when the source had none to combine before.
  func append(_ element: Element) -> Bool { false }
}

/// The latest element of one source, which stays when it was combined.
@usableFromInline
final class LatestElement<Element>: CombinedElements<Element> {
  // A pointer rather than an optional: code that is not specialised for the element's type would
  // instantiate the metadata of the optional at every event, which takes longer than the rest.
  // Safety: initialised exactly when isSet, and read only once every source emitted an element.
  @usableFromInline let pointer = UnsafeMutablePointer<Element>.allocate(capacity: 1)
  // The serializer makes the exclusivity check unnecessary.
  @exclusivity(unchecked) private var isSet = false

  @usableFromInline
  override init() {}

  deinit {
    if isSet { pointer.deinitialize(count: 1) }
    pointer.deallocate()
  }

  /// The element; to be read only when there is one.
  @inlinable var value: Element { pointer.pointee }

  override func append(_ element: Element) -> Bool {
    if isSet {
      pointer.pointee = element
      return false
    }
    pointer.initialize(to: element)
    isSet = true
    return true
  }
}

/// The elements of one source that wait to be paired, each of which is combined once.
@usableFromInline
final class ElementQueue<Element>: CombinedElements<Element> {
  // The serializer makes the exclusivity check unnecessary.
  @exclusivity(unchecked) private var waiting = Queue<Element>()

  @usableFromInline
  override init() {}

  /// Removes the first element; to be called only when there is one.
  @usableFromInline
  func removeFirst<Output>(for combining: CombiningSink<Output>) -> Element {
    if waiting.count == 1 { combining.missing += 1 }
    return waiting.removeFirst()
  }

  override func append(_ element: Element) -> Bool {
    defer { waiting.append(element) }
    return waiting.isEmpty
  }
}
