extension ObservableType where Element: Sendable {
  /// Drops what comes within a while, and sends the rest.
  ///
  /// - Parameters:
  ///   - duration: how long, from the subscription on.
  ///   - scheduler: measures the time.
  public func skip(
    _ duration: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> {
    timed({ SkipForSink($0, scheduler) }, begin: { $0.wake(after: duration) })
  }
}

private final class SkipForSink<Element: Sendable>: TimedSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  private var isOver = false

  override func receive(_ element: Element) {
    if isOver { emit(element) }
  }

  override func timeCame() { isOver = true }
}
