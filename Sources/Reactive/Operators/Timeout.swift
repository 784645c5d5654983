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
  // Unchecked: as its superclass; the hooks never overlap, and the handle guards itself.
  private let dueTime: RxTimeInterval
  private let other: Observable<Element>
  /// The handle of the other sequence.
  private let second = Upstream()
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

  override func take(_ element: Element) {
    if hasSwitched { return }
    down.next(element)
    restart()
  }

  override func sourceEnded(_ error: (any Error)?) {
    if !hasSwitched { finish(error) }
  }

  override func timeCame() {
    hasSwitched = true
    leaveSource()
    if !isDisposed { other.run(OtherSink(self)) }
  }

  override func dispose() {
    super.dispose()
    second.dispose()
  }

  /// Takes what the other sequence sends.
  private final class OtherSink: Sink<Element> {
    private let parent: TimeoutSink

    init(_ parent: TimeoutSink) {
      self.parent = parent
    }

    override func attach(_ upstream: any Disposable) { parent.second.attach(upstream) }

    override var disposalHook: DisposalHook? { parent.disposalHook }

    override func next(_ element: Element) {
      if !parent.isDisposed { parent.down.next(element) }
    }

    override func done(_ error: (any Error)?) { parent.finish(error) }
  }
}
