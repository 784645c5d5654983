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
