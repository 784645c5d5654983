/// Disposes another disposable on a scheduler.
public final class ScheduledDisposable: Cancelable, StoppableDisposable {
  /// The scheduler that runs the disposal.
  public let scheduler: any ImmediateSchedulerType
  private let upstream = SingleAssignmentHandle()

  /// Wraps a disposable, which is disposed on a scheduler.
  public init(scheduler: any ImmediateSchedulerType, disposable: any Disposable) {
    self.scheduler = scheduler
    upstream.attach(disposable)
  }

  /// Whether `dispose` was called.
  public var isDisposed: Bool { upstream.isDisposed }

  /// Schedules the disposal; harmless when repeated.
  ///
  /// A source that occupies the scheduler stops emitting at once.
  public func dispose() {
    guard upstream.markDisposed() else { return }
    upstream.stop()
    _ = scheduler.schedule(()) { [self] in
      upstream.disposeHandle()
      return Disposables.create()
    }
  }

  func stop() { upstream.stop() }
}
