/// The base of operators that also act when a time has come.
///
/// The timer is one more input: `timeCame` takes turns with the elements and the end of the
/// source, and is not called after the end.
class TimedSink<Input: Sendable, Output: Sendable>: FanInSink<Input, Output, Output>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  final let scheduler: any SchedulerType
  private let timer = SerialDisposable()
  /// The number of the timer that counts: one that was replaced may be firing already.
  private var alarm: UInt64 = 0

  init(_ down: Sink<Output>, _ scheduler: any SchedulerType) {
    self.scheduler = scheduler
    super.init(down)
  }

  /// Handles the time that was asked for.
  func timeCame() {}

  /// Asks for `timeCame` to be called after an interval, in place of an earlier request.
  ///
  /// To be called in turn, or before the source runs.
  final func wake(after dueTime: RxTimeInterval) {
    let handle = SingleAssignmentDisposable()
    timer.disposable = handle
    alarm += 1
    if isDisposed { return }
    handle.setDisposable(
      scheduler.scheduleRelative(alarm, dueTime: dueTime) { [self] alarm in
        serializer.run { [self] in
          if alarm == self.alarm, !isDisposed { timeCame() }
        }
        return Disposables.create()
      })
  }

  override func didDispose() {
    super.didDispose()
    timer.dispose()
  }
}

extension ObservableType where Element: Sendable {
  /// An observable with a stage that waits.
  ///
  /// - Parameters:
  ///   - stage: called once per subscription.
  ///   - begin: called before the source runs.
  func timed<Output: Sendable, Stage: TimedSink<Element, Output>>(
    _ stage: @escaping (Sink<Output>) -> Stage,
    begin: @escaping (Stage) -> Void = { _ in }
  ) -> Observable<Output> {
    let source = asObservable()
    return Producer { down in
      let sink = stage(down)
      down.attach(sink)
      begin(sink)
      if !sink.isDisposed { source.run(sink) }
    }
  }
}
