extension ObservableType where Element: Sendable {
  /// Emits an element once no other followed it for an interval.
  ///
  /// When the source completes, an element that still waits is emitted at once, and then the end.
  /// An error is emitted at once, and the element is dropped.
  public func debounce(
    _ dueTime: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> {
    handled { DebounceSink($0, scheduler, dueTime) }
  }
}

private final class DebounceSink<Element: Sendable>: TimedSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.
  private var waiting: Element?

  override func receive(_ element: Element) {
    waiting = element
    startTimer(after: dueTime)
  }

  override func timerFired() {
    guard let element = waiting else { return }
    waiting = nil
    emit(element)
  }

  override func receiveEnd(_ error: (any Error)?) {
    if error == nil { timerFired() }
    finish(error)
  }
}
