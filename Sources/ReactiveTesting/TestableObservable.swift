public import Reactive
import Synchronization

/// A source of recorded events, which records when it was subscribed and disposed.
///
/// An operator, and a subscription by closures, ignore what is recorded after an end. An observer
/// that is subscribed directly receives it, as in RxTest, and stays subscribed until it is disposed.
public class TestableObservable<Element: Sendable>: Observable<Element> {
  private struct State {
    var subscriptions: [Subscription] = []
    /// The subscriptions that last, in order.
    var active: [TestableSubscription<Element>] = []
  }

  /// The events that it emits.
  public let recordedEvents: [Recorded<Event<Element>>]
  // Weak: the scheduler retains the actions that emit for this.
  private weak let scheduler: TestScheduler?
  private let state = Mutex(State())

  init(_ scheduler: TestScheduler, _ events: [Recorded<Event<Element>>]) {
    self.scheduler = scheduler
    recordedEvents = events
  }

  /// The times of all subscriptions, in order.
  public var subscriptions: [Subscription] { state.withLock { $0.subscriptions } }

  /// Records a subscription and emits to it from now on.
  public override func run(_ sink: Sink<Element>) { sink.attach(open(sink)) }

  final var liveScheduler: TestScheduler {
    guard let scheduler else {
      preconditionFailure("The scheduler is gone: keep it as long as its sources are used.")
    }
    return scheduler
  }

  final func open(_ sink: Sink<Element>) -> TestableSubscription<Element> {
    let now = liveScheduler.clock
    let direct = hasEventsAfterEnd ? sink as? any UncheckedObserverSink : nil
    direct?.passEventsAfterEnd()
    return state.withLock { state in
      let subscription = TestableSubscription(
        sink, self, number: state.subscriptions.count, passesEventsAfterEnd: direct != nil)
      state.subscriptions.append(Subscription(now))
      state.active.append(subscription)
      return subscription
    }
  }

  private var hasEventsAfterEnd: Bool {
    // Sorting is stable, as the clock is: events of one time are emitted in their order here.
    recordedEvents.sorted { $0.time < $1.time }.dropLast().contains { $0.value.isStopEvent }
  }

  final func send(_ event: Event<Element>) {
    for subscription in state.withLock({ $0.active }) { subscription.send(event) }
  }

  final func close(_ number: Int) {
    let now = liveScheduler.clock
    // Released here and not under the lock, because it holds a chain.
    _ = state.withLock { state in
      state.subscriptions[number] = Subscription(state.subscriptions[number].subscribe, now)
      defer { state.active.removeAll { $0.number == number } }
      return state.active.first { $0.number == number }
    }
  }
}

// Unchecked: as every observable; the lock guards what changes.
extension TestableObservable: @unchecked Sendable {}

/// Emits its events to each observer, at times relative to the subscription.
final class ColdObservable<Element: Sendable>: TestableObservable<Element>, @unchecked Sendable {
  // Unchecked: as its superclass.

  override func run(_ sink: Sink<Element>) {
    let subscription = open(sink)
    sink.attach(subscription)
    for event in recordedEvents where !subscription.isDisposed {
      subscription.keep(
        liveScheduler.scheduleRelativeVirtual((), dueTime: event.time) {
          subscription.send(event.value)
          return Disposables.create()
        })
    }
  }
}

/// One subscription of a testable observable, and its handle.
final class TestableSubscription<Element: Sendable>: Disposable, @unchecked Sendable {
  // Unchecked: the virtual clock alone emits, one action at a time; the rest guards itself.
  let number: Int
  private let passesEventsAfterEnd: Bool
  private let sink: Sink<Element>
  private weak let observable: TestableObservable<Element>?
  private let isOver = Atomic<Bool>(false)
  /// Whether the end was emitted; touched when the clock emits.
  private var hasEnded = false
  /// The timers of the events that a cold source still has to emit.
  private let timers = CompositeDisposable()

  init(
    _ sink: Sink<Element>, _ observable: TestableObservable<Element>, number: Int,
    passesEventsAfterEnd: Bool
  ) {
    self.passesEventsAfterEnd = passesEventsAfterEnd
    self.sink = sink
    self.observable = observable
    self.number = number
  }

  var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  func keep(_ timer: any Disposable) { timers.insert(timer) }

  func send(_ event: Event<Element>) {
    if isDisposed || hasEnded && !passesEventsAfterEnd { return }
    // The receiver of the end disposes this, perhaps later: that is the time to be recorded.
    hasEnded = event.isStopEvent
    switch event {
    case .next(let element): sink.next(element)
    case .error(let error): sink.done(error)
    case .completed: sink.done(nil)
    }
  }

  func dispose() {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    timers.dispose()
    observable?.close(number)
  }
}
