extension ObservableType where Element: FixedWidthInteger & Sendable {
  /// Emits 0 after an interval; then completes, or continues counting.
  ///
  /// Every subscription has a timer of its own, which starts with it.
  ///
  /// - Parameters:
  ///   - dueTime: the interval before the 0.
  ///   - period: the interval from one number to the next; nil to emit the 0 alone.
  ///   - scheduler: measures the time, and emits.
  public static func timer(
    _ dueTime: RxTimeInterval, period: RxTimeInterval? = nil, scheduler: any SchedulerType
  ) -> Observable<Element> {
    Producer { down in
      let source = TimerSource(down)
      // The handle does not retain the chain: the scheduler alone keeps the timer alive.
      down.attach(source.timer)
      source.start(dueTime, period, scheduler)
    }
  }
}

/// Emits the numbers of a timer to one subscriber.
private final class TimerSource<Element: FixedWidthInteger & Sendable>: @unchecked Sendable {
  // Unchecked: the next stage is called by the timer alone, whose runs never overlap.
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
  /// Emits 0, 1, 2 and so on, one number per period, the first after one period.
  ///
  /// Every subscription counts from 0 when it starts, and does not end.
  public static func interval(
    _ period: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> {
    timer(period, period: period, scheduler: scheduler)
  }
}
