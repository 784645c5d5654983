public import Reactive
import Synchronization

/// A time of the virtual clock, in its own units.
public typealias TestTime = Int

/// A virtual clock for tests, with sources and observers that keep times.
///
///     let scheduler = TestScheduler(initialClock: 0)
///     let typed = scheduler.createHotObservable([.next(210, "a"), .next(220, "ab")])
///     let found = scheduler.start { typed.debounce(.seconds(30), scheduler: scheduler) }
///     #expect(found.events == [.next(250, "ab")])
///
/// One unit of the clock is a second unless the resolution says otherwise. Work that is
/// scheduled for now runs one unit later, as if handling took that long; so each of two events
/// that depend on each other has a time of its own.
public final class TestScheduler: VirtualTimeScheduler, @unchecked Sendable {
  // Unchecked: as its superclass; what is its own never changes.
  private let simulatesProcessingDelay: Bool

  /// Makes a scheduler whose clock stands still.
  ///
  /// - Parameters:
  ///   - initialClock: what the clock says at first.
  ///   - resolution: how many seconds one unit of the clock stands for; more than 0.
  ///   - simulateProcessingDelay: whether work that is scheduled for now runs a unit later.
  public init(
    initialClock: TestTime, resolution: Double = 1, simulateProcessingDelay: Bool = true
  ) {
    simulatesProcessingDelay = simulateProcessingDelay
    super.init(initialClock: initialClock, resolution: resolution)
  }

  /// Puts work off that would run now or in the past.
  public override func adjustScheduledTime(_ time: TestTime) -> TestTime {
    let now = clock
    return time > now ? time : simulatesProcessingDelay ? now + 1 : now
  }

  /// Makes a source that sends these events at their times, to whoever is subscribed then.
  public func createHotObservable<Element: Sendable>(
    _ events: [Recorded<Event<Element>>]
  ) -> TestableObservable<Element> {
    let observable = TestableObservable(self, events)
    for event in events {
      scheduleAt(event.time) { observable.send(event.value) }
    }
    return observable
  }

  /// Makes a source that sends these events to everybody who subscribes.
  ///
  /// - Parameter events: their times count from the subscription.
  public func createColdObservable<Element: Sendable>(
    _ events: [Recorded<Event<Element>>]
  ) -> TestableObservable<Element> {
    ColdObservable(self, events)
  }

  /// Makes an observer that keeps what it is sent, with the times.
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

  /// Runs the clock with one subscription and returns what that was sent.
  ///
  /// - Parameters:
  ///   - created: when the sequence is made.
  ///   - subscribed: when it is subscribed.
  ///   - disposed: when the subscription is disposed.
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

/// Hands a value from one scheduled action to a later one.
private final class Handover<Value: Sendable>: Sendable {
  private let content = Mutex<Value?>(nil)

  func fill(_ value: Value) { content.withLock { $0 = value } }

  /// Takes the value out, so that the chain goes away with its subscription.
  func take() -> Value? {
    content.withLock { content in
      defer { content = nil }
      return content
    }
  }
}
