extension ObservableType {
  /// Emits the elements in order and completes.
  public static func of(_ elements: Element...) -> Observable<Element> { from(elements) }

  /// Emits the elements of an array in order and completes.
  ///
  /// All of them are emitted before the subscription returns.
  public static func from(_ array: [Element]) -> Observable<Element> { iterating(array) }

  /// Emits the elements of a sequence in order and completes.
  ///
  /// All of them are emitted before the subscription returns. The sequence is iterated once per
  /// subscription, until it is disposed.
  ///
  /// - Parameter sequence: `Sendable`, because several threads may subscribe at a time, and each
  ///   iterates it.
  @preconcurrency
  public static func from<Elements: Sequence & Sendable>(
    _ sequence: Elements
  ) -> Observable<Element> where Elements.Element == Element {
    iterating(sequence)
  }

  private static func iterating<Elements: Sequence>(_ sequence: Elements) -> Observable<Element>
  where Elements.Element == Element {
    Producer { down in
      let stop = BooleanDisposable()
      down.attach(stop)
      for element in sequence {
        if stop.isDisposed { return }
        down.next(element)
      }
      if !stop.isDisposed { down.done(nil) }
    }
  }

  /// Emits the element if it is not nil, and completes.
  public static func from(optional: Element?) -> Observable<Element> {
    optional.map { just($0) } ?? empty()
  }
}

extension ObservableType where Element: Sendable {
  /// Emits the elements and completes, each in a step of its own on a scheduler.
  public static func of(
    _ elements: Element..., scheduler: any ImmediateSchedulerType
  ) -> Observable<Element> {
    from(elements, scheduler: scheduler)
  }

  /// Emits the elements of a sequence and completes, each in a step of its own on a scheduler.
  ///
  /// - Parameters:
  ///   - sequence: may be endless.
  ///   - scheduler: emits the elements.
  @preconcurrency
  public static func from<Elements: Sequence & Sendable>(
    _ sequence: Elements, scheduler: any ImmediateSchedulerType
  ) -> Observable<Element> where Elements.Element == Element {
    stepping(on: scheduler) {
      var iterator = sequence.makeIterator()
      return { iterator.next() }
    }
  }

  /// Emits the results of a function until it returns nil, each in a step of its own.
  static func stepping(
    on scheduler: any ImmediateSchedulerType, _ makeNext: @escaping () -> () -> Element?
  ) -> Observable<Element> {
    Producer { down in
      let source = SequenceSource(down, makeNext())
      down.attach(source.steps)
      source.start(scheduler)
    }
  }

  /// Emits the element if it is not nil, and completes, on a scheduler.
  public static func from(
    optional: Element?, scheduler: any ImmediateSchedulerType
  ) -> Observable<Element> {
    from(optional.map { [$0] } ?? [], scheduler: scheduler)
  }
}

/// Emits the elements of an iterator, one per step.
private final class SequenceSource<Element: Sendable>: @unchecked Sendable {
  // Unchecked: the iterator and the next stage are only used by the steps, each of which
  // begins when the one before asked for it.
  private let down: Sink<Element>
  private let nextElement: () -> Element?
  let steps = SingleAssignmentDisposable()

  init(_ down: Sink<Element>, _ nextElement: @escaping () -> Element?) {
    self.down = down
    self.nextElement = nextElement
  }

  func start(_ scheduler: any ImmediateSchedulerType) {
    steps.setDisposable(
      scheduler.scheduleRecursive(()) { [self] _, recurse in
        if steps.isDisposed { return }
        guard let element = nextElement() else { return down.done(nil) }
        down.next(element)
        recurse(())
      })
  }
}
