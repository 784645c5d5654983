extension ObservableType where Element: Sendable {
  /// Fails with `RxError.timeout` when no event arrives for an interval.
  ///
  /// - Parameters:
  ///   - dueTime: how long may pass from the subscription to the first event, and from each
  ///     element to the event after it.
  ///   - scheduler: measures the time, and emits the error.
  public func timeout(
    _ dueTime: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> {
    timeout(dueTime, other: Observable<Element>.error(RxError.timeout), scheduler: scheduler)
  }

  /// Subscribes another sequence when no event arrives for an interval.
  ///
  /// The source is disposed before. The other sequence has no timeout; the scheduler subscribes it.
  public func timeout<Source: ObservableConvertibleType>(
    _ dueTime: RxTimeInterval, other: Source, scheduler: any SchedulerType
  ) -> Observable<Element> where Source.Element == Element {
    let other = other.asObservable()
    return handled(by: { TimeoutSink($0, scheduler, dueTime, other) }, begin: { $0.restart() })
  }
}

private final class TimeoutSink<Element: Sendable>: TimedSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  private let other: Observable<Element>
  /// The handle of the source, which may arrive after the time has come, and is disposed then.
  private let sourceHandle = SingleAssignmentHandle()
  /// Whether the other sequence was subscribed, and elements of the source are too late.
  private var hasSwitched = false

  init(
    _ down: Sink<Element>, _ scheduler: any SchedulerType, _ dueTime: RxTimeInterval,
    _ other: Observable<Element>
  ) {
    self.other = other
    super.init(down, scheduler, dueTime)
  }

  func restart() { startTimer(after: dueTime) }

  override func attach(_ upstream: any Disposable) { sourceHandle.attach(upstream) }

  override func receive(_ element: Element) {
    if hasSwitched { return }
    emit(element)
    restart()
  }

  override func receiveEnd(_ error: (any Error)?) {
    if !hasSwitched { finish(error) }
  }

  override func timerFired() {
    hasSwitched = true
    sourceHandle.dispose()
    if !isDisposed { other.run(OtherSink(self)) }
  }

  override func didStop() {
    super.didStop()
    sourceHandle.stop()
  }

  override func didDispose() {
    super.didDispose()
    sourceHandle.dispose()
  }

  override func sideDone(_ error: (any Error)?, from side: InputSink) { finish(error) }

  // Not in turn: nothing else emits from now on, and `timerFired`, which subscribes it, has the turn.
  private final class OtherSink: SideSink {
    override func next(_ element: Element) {
      if !parent.isDisposed { parent.emit(element) }
    }
  }
}
