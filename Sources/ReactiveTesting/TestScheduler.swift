public import Reactive
import Synchronization

/// A time of the virtual clock, in its units.
public typealias TestTime = Int

/// A virtual clock for tests, with sources and observers that record times.
///
/// ```swift
/// let scheduler = TestScheduler(initialClock: 0)
/// let typed = scheduler.createHotObservable([.next(210, "a"), .next(220, "ab")])
/// let found = scheduler.start { typed.debounce(.seconds(30), scheduler: scheduler) }
/// #expect(found.events == [.next(250, "ab")])
/// ```
///
/// One unit of the clock is a second, unless another resolution is given. An action that is
/// scheduled for the current time runs one unit later, as if handling took that long; so two
/// events of which one causes the other have different times.
public final class TestScheduler: VirtualTimeScheduler, @unchecked Sendable {
  // Unchecked: as its superclass; its own field never changes.
  private let simulatesProcessingDelay: Bool

  /// Makes a scheduler whose clock does not run.
  ///
  /// - Parameters:
  ///   - initialClock: the first time of the clock.
  ///   - resolution: the number of seconds in one unit of the clock; more than 0.
  ///   - simulateProcessingDelay: whether an action that is due now runs a unit later.
  public init(
    initialClock: TestTime, resolution: Double = 1, simulateProcessingDelay: Bool = true
  ) {
    simulatesProcessingDelay = simulateProcessingDelay
    super.init(initialClock: initialClock, resolution: resolution)
  }

  /// Moves a time that has come to the next unit, or to now without a simulated delay.
  public override func adjustScheduledTime(_ time: TestTime) -> TestTime {
    let now = clock
    return time > now ? time : simulatesProcessingDelay ? now + 1 : now
  }

  /// Makes a source that emits events at absolute times, to the observers of that time.
  public func createHotObservable<Element: Sendable>(
    _ events: [Recorded<Event<Element>>]
  ) -> TestableObservable<Element> {
    let observable = TestableObservable(self, events)
    for event in events {
      scheduleAt(event.time) { observable.send(event.value) }
    }
    return observable
  }

  /// Makes a source that emits events to each observer, at times relative to the subscription.
  ///
  /// - Parameter events: their times are relative to the subscription.
  public func createColdObservable<Element: Sendable>(
    _ events: [Recorded<Event<Element>>]
  ) -> TestableObservable<Element> {
    ColdObservable(self, events)
  }

  /// Makes an observer that records events with their times.
  public func createObserver<Element: Sendable>(
    _ type: Element.Type
  ) -> TestableObserver<Element> {
    TestableObserver(self)
  }

  /// Runs an action at a time.
  @preconcurrency
  public func scheduleAt(_ time: TestTime, action: @escaping @Sendable () -> Void) {
    _ = scheduleAbsoluteVirtual((), time: time) {
      action()
      return Disposables.create()
    }
  }

  /// Runs the clock with one subscription and returns the observer that recorded its events.
  ///
  /// - Parameters:
  ///   - created: the time at which the sequence is made.
  ///   - subscribed: the time at which it is subscribed.
  ///   - disposed: the time at which the subscription is disposed.
  ///   - create: makes the sequence.
  @preconcurrency
  public func start<Source: ObservableConvertibleType & SendableMetatype>(
    created: TestTime = 100, subscribed: TestTime = 200, disposed: TestTime = 1000,
    create: @escaping @Sendable () -> Source
  ) -> TestableObserver<Source.Element> where Source.Element: Sendable {
    let observer = createObserver(Source.Element.self)
    let source = Handover<Observable<Source.Element>>()
    let subscription = SingleAssignmentDisposable()
    scheduleAt(created) { source.fill(create().asObservable()) }
    scheduleAt(subscribed) {
      if let source = source.take() { subscription.setDisposable(source.subscribe(observer)) }
    }
    scheduleAt(disposed) { subscription.dispose() }
    start()
    return observer
  }
}

/// Passes a value from one scheduled action to a later one.
private final class Handover<Value: Sendable>: Sendable {
  private let content = Mutex<Value?>(nil)

  func fill(_ value: Value) { content.withLock { $0 = value } }

  /// Removes and returns the value, so that the chain is deallocated with its subscription.
  func take() -> Value? {
    content.withLock { content in
      defer { content = nil }
      return content
    }
  }
}
