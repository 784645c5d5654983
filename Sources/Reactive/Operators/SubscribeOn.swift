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
      sink.other.attach(
        scheduler.schedule(()) {
          if !sink.isDisposed { source.run(sink) }
          return Disposables.create()
        })
    }
  }
}

private final class SubscribeOnSink<Element: Sendable>: PassingSink<Element>, @unchecked Sendable {
  // Unchecked: as its superclass.
  private let scheduler: any ImmediateSchedulerType

  init(_ down: Sink<Element>, _ scheduler: any ImmediateSchedulerType) {
    self.scheduler = scheduler
    super.init(down)
  }

  override func attach(_ upstream: any Disposable) {
    super.attach(ScheduledDisposable(scheduler: scheduler, disposable: upstream))
  }
}
