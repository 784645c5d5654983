extension ObservableType where Element: Sendable {
  /// Sends no more than one element in a while: the first at once, then the latest of each.
  ///
  /// When the source completes, the end waits for an element that still waits. An error is sent
  /// at once and drops it.
  ///
  /// - Parameters:
  ///   - dueTime: how long it is at least from one element to the next.
  ///   - latest: whether the latest element of a while is sent at its end; else all but the
  ///     first are dropped.
  ///   - scheduler: measures the time, and sends what waited.
  public func throttle(
    _ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType
  ) -> Observable<Element> {
    timed { ThrottleSink($0, scheduler, dueTime, latest) }
  }
}

private final class ThrottleSink<Element: Sendable>: TimedSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  private let dueTime: RxTimeInterval
  private let sendsLatest: Bool
  private var waiting: Element?
  private var lastSent: RxTime?
  private var isSourceDone = false

  init(
    _ down: Sink<Element>, _ scheduler: any SchedulerType, _ dueTime: RxTimeInterval,
    _ latest: Bool
  ) {
    self.dueTime = dueTime
    sendsLatest = latest
    super.init(down, scheduler)
  }

  override func receive(_ element: Element) {
    let now = scheduler.now
    let next = lastSent?.advanced(by: dueTime) ?? now
    if next <= now {
      send(element)
    } else if sendsLatest {
      let mustWake = waiting == nil
      waiting = element
      if mustWake { wake(after: now.interval(until: next)) }
    }
  }

  override func timeCame() {
    if let element = waiting { send(element) }
    if isSourceDone { finish(nil) }
  }

  override func receiveEnd(_ error: (any Error)?) {
    if error == nil, waiting != nil { isSourceDone = true } else { finish(error) }
  }

  private func send(_ element: Element) {
    waiting = nil
    emit(element)
    // Read again: whoever takes long over an element gets the whole while afterwards.
    lastSent = scheduler.now
  }
}
