extension ObservableType where Element: Sendable {
  /// Subscribes the source so much later.
  ///
  /// - Parameters:
  ///   - dueTime: how much later.
  ///   - scheduler: measures the time, and subscribes.
  public func delaySubscription(
    _ dueTime: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> {
    let source = asObservable()
    return Producer { down in
      let sink = DelaySubscriptionSink(down)
      down.attach(sink)
      sink.subscribe(source, after: dueTime, on: scheduler)
    }
  }
}

/// Stands for a source that is not subscribed yet.
private final class DelaySubscriptionSink<Element: Sendable>: Sink<Element>, Disposable,
  @unchecked Sendable
{
  // Unchecked: the handles guard themselves; the stage behind is only called by the source.
  private let down: Sink<Element>
  private let timer = SingleAssignmentDisposable()
  private let upstream = Upstream()

  init(_ down: Sink<Element>) {
    self.down = down
  }

  func subscribe(
    _ source: Observable<Element>, after dueTime: RxTimeInterval, on scheduler: any SchedulerType
  ) {
    timer.setDisposable(
      scheduler.scheduleRelative((), dueTime: dueTime) { [self] in
        if !upstream.isDisposed { source.run(self) }
        return Disposables.create()
      })
  }

  override func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  override var disposalHook: DisposalHook? { down.disposalHook }

  override func next(_ element: Element) {
    if !upstream.isDisposed { down.next(element) }
  }

  override func done(_ error: (any Error)?) {
    down.done(error)
    dispose()
  }

  func dispose() {
    timer.dispose()
    upstream.dispose()
  }
}
