extension ObservableType where Element: Sendable {
  /// Subscribes and disposes the source on a scheduler.
  ///
  /// A source that emits during its subscription stops at once when it is disposed, although it
  /// occupies the scheduler.
  ///
  /// The source still emits its events wherever it does; `observe(on:)` changes that.
  ///
  /// - Parameter scheduler: runs the subscription and the disposal of the source.
  public func subscribe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
    let source = asObservable()
    return Producer { down in
      let sink = SubscribeOnSink(down, scheduler)
      down.attach(sink)
      sink.subscribe(source)
    }
  }
}

private final class SubscribeOnSink<Element: Sendable>: DisposableSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  /// The handle of the scheduled subscription.
  private let start = SingleAssignmentHandle()
  private let scheduler: any ImmediateSchedulerType

  init(_ down: Sink<Element>, _ scheduler: any ImmediateSchedulerType) {
    self.scheduler = scheduler
    super.init(down)
  }

  func subscribe(_ source: Observable<Element>) {
    start.attach(
      scheduler.schedule(()) { [self] in
        if !isDisposed { source.run(self) }
        return Disposables.create()
      })
  }

  override func attach(_ upstream: any Disposable) {
    super.attach(ScheduledDisposable(scheduler: scheduler, disposable: upstream))
  }

  override func next(_ element: Element) {
    if !isDisposed { emit(element) }
  }

  override func didDispose() { start.dispose() }
}
