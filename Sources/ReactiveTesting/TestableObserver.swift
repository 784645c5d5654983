public import Reactive
import Synchronization

/// Records events with their times.
public final class TestableObserver<Element: Sendable>: ObserverType, Sendable {
  private let scheduler: TestScheduler
  private let recorded = Mutex<[Recorded<Event<Element>>]>([])

  init(_ scheduler: TestScheduler) {
    self.scheduler = scheduler
  }

  /// The events recorded so far.
  public var events: [Recorded<Event<Element>>] { recorded.withLock { $0 } }

  /// Records an event.
  public func on(_ event: Event<Element>) {
    let record = Recorded(time: scheduler.clock, value: event)
    recorded.withLock { $0.append(record) }
  }
}
