extension ObservableType where Element: Sendable {
  /// Fails with `RxError.timeout` when nothing comes for a while.
  ///
  /// - Parameters:
  ///   - dueTime: how long may pass from the subscription to the first event, and from each
  ///     element to the event after it.
  ///   - scheduler: measures the time, and sends the error.
  public func timeout(
    _ dueTime: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> {
    timeout(dueTime, other: Observable<Element>.error(RxError.timeout), scheduler: scheduler)
  }

  /// Goes on with another sequence when nothing comes for a while.
  ///
  /// The source is disposed before the other one is subscribed, which may take its time.
  ///
  /// - Parameters:
  ///   - dueTime: how long may pass from the subscription to the first event, and from each
  ///     element to the event after it.
  ///   - other: what takes the source's place.
  ///   - scheduler: measures the time, and subscribes the other one.
  public func timeout<Source: ObservableConvertibleType>(
    _ dueTime: RxTimeInterval, other: Source, scheduler: any SchedulerType
  ) -> Observable<Element> where Source.Element == Element {
    let other = other.asObservable()
    return timed({ TimeoutSink($0, scheduler, dueTime, other) }, begin: { $0.restart() })
  }
}

private final class TimeoutSink<Element: Sendable>: TimedSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  private let dueTime: RxTimeInterval
  private let other: Observable<Element>
  /// Whether the other sequence took over; what the source sent meanwhile is late.
  private var hasSwitched = false

  init(
    _ down: Sink<Element>, _ scheduler: any SchedulerType, _ dueTime: RxTimeInterval,
    _ other: Observable<Element>
  ) {
    self.dueTime = dueTime
    self.other = other
    super.init(down, scheduler)
  }

  func restart() { wake(after: dueTime) }

  override func receive(_ element: Element) {
    if hasSwitched { return }
    emit(element)
    restart()
  }

  override func receiveEnd(_ error: (any Error)?) {
    if !hasSwitched { finish(error) }
  }

  override func timeCame() {
    hasSwitched = true
    disposeSource()
    if !isDisposed { other.run(OtherSink(self)) }
  }

  override func sideDone(_ error: (any Error)?, from side: SideSink) { finish(error) }

  // Not in turn: nothing else emits from now on, and whoever subscribes it has the turn.
  private final class OtherSink: SideSink {
    override func next(_ element: Element) {
      if !parent.isDisposed { parent.emit(element) }
    }
  }
}
