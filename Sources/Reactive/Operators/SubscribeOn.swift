extension ObservableType where Element: Sendable {
  /// Subscribes the source, and disposes it, on a scheduler.
  ///
  /// Where its events are sent is up to the source: `observe(on:)` moves those.
  ///
  /// - Parameter scheduler: runs what subscribing and disposing the source does.
  public func subscribe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
    let source = asObservable()
    return Producer { down in
      let sink = SubscribeOnSink(down, scheduler)
      down.attach(sink)
      sink.subscribe(source)
    }
  }
}

private final class SubscribeOnSink<Element: Sendable>: Sink<Element>, Disposable,
  @unchecked Sendable
{
  // Unchecked: the handles guard themselves; the stage behind is only called by the source.
  private let down: Sink<Element>
  private let scheduler: any ImmediateSchedulerType
  /// Keeps the subscription from happening, as long as it did not.
  private let start = SingleAssignmentDisposable()
  private let upstream = Upstream()

  init(_ down: Sink<Element>, _ scheduler: any ImmediateSchedulerType) {
    self.down = down
    self.scheduler = scheduler
  }

  func subscribe(_ source: Observable<Element>) {
    start.setDisposable(
      scheduler.schedule(()) { [self] in
        if !upstream.isDisposed { source.run(self) }
        return Disposables.create()
      })
  }

  override func attach(_ upstream: any Disposable) {
    self.upstream.attach(ScheduledDisposable(scheduler: scheduler, disposable: upstream))
  }

  override var disposalHook: DisposalHook? { down.disposalHook }

  override func next(_ element: Element) {
    if !upstream.isDisposed { down.next(element) }
  }

  override func done(_ error: (any Error)?) {
    down.done(error)
    dispose()
  }

  func dispose() {
    start.dispose()
    upstream.dispose()
  }
}
