extension ObservableType where Element: FixedWidthInteger & Sendable {
  /// Sends 0 after a while; then completes, or goes on counting.
  ///
  /// Every subscriber has a timer of its own, which starts with the subscription.
  ///
  /// - Parameters:
  ///   - dueTime: how long to wait for the 0.
  ///   - period: how long it is from one number to the next; nil for just the 0.
  ///   - scheduler: measures the time, and sends.
  public static func timer(
    _ dueTime: RxTimeInterval, period: RxTimeInterval? = nil, scheduler: any SchedulerType
  ) -> Observable<Element> {
    Producer { down in
      let source = TimerSource(down)
      // The handle holds nothing of the chain: the scheduler alone keeps the timer alive.
      down.attach(source.timer)
      source.start(dueTime, period, scheduler)
    }
  }
}

/// Sends to one subscriber of a timer.
private final class TimerSource<Element: FixedWidthInteger & Sendable>: @unchecked Sendable {
  // Unchecked: the stage behind is only called by the timer, whose runs never overlap.
  private let down: Sink<Element>
  let timer = SingleAssignmentDisposable()

  init(_ down: Sink<Element>) {
    self.down = down
  }

  func start(
    _ dueTime: RxTimeInterval, _ period: RxTimeInterval?, _ scheduler: any SchedulerType
  ) {
    if let period {
      timer.setDisposable(
        scheduler.schedulePeriodic(0 as Element, startAfter: dueTime, period: period) {
          [self] count in
          if !timer.isDisposed { down.next(count) }
          return count &+ 1
        })
    } else {
      timer.setDisposable(
        scheduler.scheduleRelative((), dueTime: dueTime) { [self] in
          if !timer.isDisposed { down.next(0) }
          if !timer.isDisposed { down.done(nil) }
          return Disposables.create()
        })
    }
  }
}

extension ObservableType where Element: FixedWidthInteger & Sendable {
  /// Counts from 0 with a period in between, and before the first number.
  ///
  /// It counts anew for every subscriber, from the subscription on, and does not end.
  ///
  /// - Parameters:
  ///   - period: how long it is from one number to the next.
  ///   - scheduler: measures the time, and sends.
  public static func interval(
    _ period: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> {
    timer(period, period: period, scheduler: scheduler)
  }
}
