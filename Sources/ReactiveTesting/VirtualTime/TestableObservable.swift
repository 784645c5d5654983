public import Reactive
import Synchronization

/// A source made of recorded events, which keeps when it was subscribed and disposed.
public class TestableObservable<Element: Sendable>: Observable<Element> {
  private struct State {
    var subscriptions: [Subscription] = []
    /// Those who are subscribed, by the index of their subscription, in order.
    var lines: [Line<Element>] = []
  }

  /// The events that it is made of.
  public let recordedEvents: [Recorded<Event<Element>>]
  // Weak: the scheduler holds the work that sends for this.
  private weak let scheduler: TestScheduler?
  private let state = Mutex(State())

  init(_ scheduler: TestScheduler, _ events: [Recorded<Event<Element>>]) {
    self.scheduler = scheduler
    recordedEvents = events
  }

  /// From when to when somebody was subscribed, in order of subscription.
  public var subscriptions: [Subscription] { state.withLock { $0.subscriptions } }

  /// Notes a subscription and sends to it from now on.
  public override func run(_ sink: Sink<Element>) { sink.attach(open(sink)) }

  final var clockwork: TestScheduler {
    guard let scheduler else {
      preconditionFailure("The scheduler is gone: keep it as long as its sources are used.")
    }
    return scheduler
  }

  final func open(_ sink: Sink<Element>) -> Line<Element> {
    let now = clockwork.clock
    return state.withLock { state in
      let line = Line(sink, self, number: state.subscriptions.count)
      state.subscriptions.append(Subscription(now))
      state.lines.append(line)
      return line
    }
  }

  final func send(_ event: Event<Element>) {
    for line in state.withLock({ $0.lines }) { line.send(event) }
  }

  final func close(_ number: Int) {
    let now = clockwork.clock
    // Released here, and not under the lock: it holds a chain.
    _ = state.withLock { state in
      state.subscriptions[number] = Subscription(state.subscriptions[number].subscribe, now)
      defer { state.lines.removeAll { $0.number == number } }
      return state.lines.first { $0.number == number }
    }
  }
}

// Unchecked: as every observable; what changes is guarded.
extension TestableObservable: @unchecked Sendable {}

/// Sends its events to each subscriber, from the time of the subscription on.
final class ColdObservable<Element: Sendable>: TestableObservable<Element>, @unchecked Sendable {
  // Unchecked: as its superclass.

  override func run(_ sink: Sink<Element>) {
    let line = open(sink)
    sink.attach(line)
    for event in recordedEvents where !line.isDisposed {
      line.keep(
        clockwork.scheduleRelativeVirtual((), dueTime: event.time) {
          line.send(event.value)
          return Disposables.create()
        })
    }
  }
}
