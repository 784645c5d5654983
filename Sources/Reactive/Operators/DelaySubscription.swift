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

private final class DelaySubscriptionSink<Element: Sendable>: DisposableSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  /// Keeps the subscription from happening, as long as it did not.
  private let start = SingleAssignmentHandle()

  func subscribe(
    _ source: Observable<Element>, after dueTime: RxTimeInterval, on scheduler: any SchedulerType
  ) {
    start.attach(
      scheduler.scheduleRelative((), dueTime: dueTime) { [self] in
        if !isDisposed { source.run(self) }
        return Disposables.create()
      })
  }

  override func next(_ element: Element) {
    if !isDisposed { emit(element) }
  }

  override func didDispose() { start.dispose() }
}
