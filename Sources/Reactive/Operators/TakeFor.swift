extension ObservableType where Element: Sendable {
  /// Sends what comes within a while, and then completes.
  ///
  /// - Parameters:
  ///   - duration: how long, from the subscription on.
  ///   - scheduler: measures the time, and sends the end.
  public func take(
    for duration: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> {
    timed({ TakeForSink($0, scheduler) }, begin: { $0.wake(after: duration) })
  }
}

private final class TakeForSink<Element: Sendable>: TimedSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.

  override func receive(_ element: Element) { emit(element) }

  override func timeCame() { finish(nil) }
}
