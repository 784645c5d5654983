import Synchronization

/// What operators have in common that send at another time than they are sent to.
///
/// Elements, the end and the timer come in line: the hooks that subclasses override never
/// overlap, whichever threads these came from, and nothing is locked while they run. So the
/// state of a subclass needs no protection of its own. After the end, and once this was
/// disposed, no hook is called any more.
class TimedSink<Input: Sendable, Output: Sendable>: Sink<Input>, Disposable, @unchecked Sendable {
  // Unchecked: the mutable fields are touched by the drain's owner alone; the rest guards itself.
  final let down: Sink<Output>
  final let scheduler: any SchedulerType
  private let drain = Drain()
  private let upstream = Upstream()
  private let timer = SerialDisposable()
  private let isStopped = Atomic<Bool>(false)
  /// Names the timer that counts: one that was replaced may be on its way already.
  private var alarm: UInt64 = 0

  init(_ down: Sink<Output>, _ scheduler: any SchedulerType) {
    self.down = down
    self.scheduler = scheduler
  }

  /// Whether it ended or was disposed.
  final var isDisposed: Bool { isStopped.load(ordering: .acquiring) }

  /// What subclasses do with an element.
  func take(_ element: Input) {}

  /// What subclasses do with the end of the source, which is disposed afterwards.
  func sourceEnded(_ error: (any Error)?) { finish(error) }

  /// What subclasses do when the time has come that they asked for.
  func timeCame() {}

  /// Asks for the time after an interval, instead of what was asked for before.
  ///
  /// To be called from a hook, or before the source runs.
  final func wake(after dueTime: RxTimeInterval) {
    let place = SingleAssignmentDisposable()
    timer.disposable = place
    alarm += 1
    if isDisposed { return }
    place.setDisposable(
      scheduler.scheduleRelative(alarm, dueTime: dueTime) { [self] alarm in
        if drain.enter() || drain.post({ self.timerFired(alarm) }) {
          timerFired(alarm)
          drain.leave()
        }
        return Disposables.create()
      })
  }

  /// Sends the end; to be called from a hook.
  final func finish(_ error: (any Error)?) {
    if isDisposed { return }
    down.done(error)
    dispose()
  }

  /// Stops the source and goes on without it.
  final func leaveSource() { upstream.dispose() }

  final override func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  final override var disposalHook: DisposalHook? { down.disposalHook }

  final override func next(_ element: Input) {
    if drain.enter() || drain.post({ self.accept(element) }) {
      accept(element)
      drain.leave()
    }
  }

  final override func done(_ error: (any Error)?) {
    if drain.enter() || drain.post({ self.conclude(error) }) {
      conclude(error)
      drain.leave()
    }
  }

  func dispose() {
    guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    upstream.dispose()
    timer.dispose()
  }

  private func accept(_ element: Input) {
    if !isDisposed { take(element) }
  }

  private func conclude(_ error: (any Error)?) {
    if !isDisposed { sourceEnded(error) }
    leaveSource()
  }

  private func timerFired(_ alarm: UInt64) {
    if alarm == self.alarm, !isDisposed { timeCame() }
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
