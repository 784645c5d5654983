extension ObservableType where Element: Sendable {
  /// Emits at most one element per interval: the first at once, then the latest of each interval.
  ///
  /// When the source completes while an element waits, the end is emitted after that. An error is
  /// emitted at once, and the element is dropped.
  ///
  /// - Parameters:
  ///   - dueTime: the shortest interval from one element to the next.
  ///   - latest: whether the latest element of an interval is emitted at its end; otherwise all but
  ///     the first are dropped.
  ///   - scheduler: measures the time, and emits the elements that waited.
  public func throttle(
    _ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType
  ) -> Observable<Element> {
    handled { ThrottleSink($0, scheduler, dueTime, latest) }
  }
}

private final class ThrottleSink<Element: Sendable>: TimedSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  private let emitsLatest: Bool
  private var waiting: Element?
  private var lastEmitted: RxTime?
  private var isSourceDone = false

  init(
    _ down: Sink<Element>, _ scheduler: any SchedulerType, _ dueTime: RxTimeInterval,
    _ latest: Bool
  ) {
    emitsLatest = latest
    super.init(down, scheduler, dueTime)
  }

  override func receive(_ element: Element) {
    let now = scheduler.now
    let next = lastEmitted?.advanced(by: dueTime) ?? now
    if next <= now {
      emitNow(element)
    } else if emitsLatest {
      let mustWake = waiting == nil
      waiting = element
      if mustWake { startTimer(after: now.interval(until: next)) }
    }
  }

  override func timerFired() {
    if let element = waiting { emitNow(element) }
    if isSourceDone { finish(nil) }
  }

  override func receiveEnd(_ error: (any Error)?) {
    if error == nil, waiting != nil { isSourceDone = true } else { finish(error) }
  }

  private func emitNow(_ element: Element) {
    waiting = nil
    emit(element)
    // Read again, so that the interval starts after a handler that takes long.
    lastEmitted = scheduler.now
  }
}
