/// The base of operators with a timer.
///
/// The timer is one more input: `timerFired` takes turns with the elements and the end of the
/// source, and is not called after the end.
class TimedSink<Input: Sendable, Output: Sendable>: FanInSink<Input, Output, Output>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  final let scheduler: any SchedulerType
  final let dueTime: RxTimeInterval
  private let timer = SerialDisposable()
  /// The number of the current timer, as one that was replaced may still fire.
  private var timerID: UInt64 = 0

  init(_ down: Sink<Output>, _ scheduler: any SchedulerType, _ dueTime: RxTimeInterval) {
    self.scheduler = scheduler
    self.dueTime = dueTime
    super.init(down)
  }

  /// Handles the firing of the timer.
  func timerFired() {}

  /// Starts the timer, and stops the one that runs.
  ///
  /// To be called in turn, or before the source runs.
  final func startTimer(after dueTime: RxTimeInterval) {
    let handle = SingleAssignmentDisposable()
    timer.disposable = handle
    timerID += 1
    if isDisposed { return }
    handle.setDisposable(
      scheduler.scheduleRelative(timerID, dueTime: dueTime) { [self] timerID in
        serializer.run { [self] in
          if timerID == self.timerID, !isDisposed { timerFired() }
        }
        return Disposables.create()
      })
  }

  override func didDispose() {
    super.didDispose()
    timer.dispose()
  }
}
