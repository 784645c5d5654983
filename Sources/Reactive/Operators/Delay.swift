extension ObservableType where Element: Sendable {
  /// Emits the elements and the completion after a delay.
  ///
  /// An error is emitted at once, and the elements that still wait are dropped. Each element takes
  /// a step of its own on the scheduler, also when several arrived at the same time.
  public func delay(
    _ dueTime: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> {
    handled { DelaySink($0, scheduler, dueTime) }
  }
}

private final class DelaySink<Element: Sendable>: TimedSink<Element, Element>,
  @unchecked Sendable
{
  // Unchecked: as its superclass.

  private struct Delayed {
    let due: RxTime
    /// The element; nil for the completion.
    let element: Element?
  }

  /// The event that the timer is set for; the others follow it.
  private var first: Delayed?
  private var others = Queue<Delayed>()

  override func receive(_ element: Element) { put(element) }

  override func receiveEnd(_ error: (any Error)?) {
    if error == nil { put(nil) } else { finish(error) }
  }

  override func timerFired() {
    guard let due = first else { return }
    first = others.popFirst()
    guard let element = due.element else { return finish(nil) }
    emit(element)
    if let next = first { startTimer(after: scheduler.now.interval(until: next.due)) }
  }

  private func put(_ element: Element?) {
    let delayed = Delayed(due: scheduler.now.advanced(by: dueTime), element: element)
    if first == nil {
      first = delayed
      startTimer(after: dueTime)
    } else {
      others.append(delayed)
    }
  }
}

extension ObservableType where Element: Sendable {
  /// Subscribes the source after a delay.
  public func delaySubscription(
    _ dueTime: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> {
    let source = asObservable()
    return Producer { down in
      let sink = PassingSink(down)
      down.attach(sink)
      sink.other.attach(
        scheduler.scheduleRelative((), dueTime: dueTime) {
          if !sink.isDisposed { source.run(sink) }
          return Disposables.create()
        })
    }
  }
}
