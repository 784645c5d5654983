extension ObservableType where Element: FixedWidthInteger {
  /// Sends so many successive numbers and completes.
  ///
  /// All of them are sent before the subscription returns, but no more than the subscriber
  /// wants.
  ///
  /// - Parameters:
  ///   - start: the first number.
  ///   - count: how many; 0 or more, the last one within the bounds of the type.
  @inlinable
  public static func range(start: Element, count: Element) -> Observable<Element> {
    NumberRange(start, count)
  }
}

/// Successive numbers; inlinable, because a loop is only fast where the type is known.
@usableFromInline
final class NumberRange<Element: FixedWidthInteger>: Observable<Element> {
  @usableFromInline let start: Element
  @usableFromInline let count: Element

  @inlinable
  init(_ start: Element, _ count: Element) {
    precondition(count >= 0, "count counts elements: 0 or more.")
    precondition(
      count == 0 || !start.addingReportingOverflow(count - 1).overflow,
      "The last number would be out of bounds: take a wider integer type.")
    self.start = start
    self.count = count
  }

  @inlinable
  override func run(_ sink: Sink<Element>) {
    let stop = BooleanDisposable()
    sink.attach(stop)
    var sent: Element = 0
    while sent < count {
      if stop.isDisposed { return }
      sink.next(start + sent)
      sent += 1
    }
    if !stop.isDisposed { sink.done(nil) }
  }
}

// Unchecked: as every observable; nothing changes.
extension NumberRange: @unchecked Sendable where Element: Sendable {}

extension ObservableType where Element: FixedWidthInteger & Sendable {
  /// Sends so many successive numbers and completes, each in a step of its own on a scheduler.
  ///
  /// - Parameters:
  ///   - start: the first number.
  ///   - count: how many; 0 or more, the last one within the bounds of the type.
  ///   - scheduler: sends.
  public static func range(
    start: Element, count: Element, scheduler: any ImmediateSchedulerType
  ) -> Observable<Element> {
    let range = NumberRange(start, count)
    return Producer { down in
      let source = RangeSource(down)
      down.attach(source.steps)
      source.start(range, scheduler)
    }
  }
}

/// Sends to one subscriber of a range, step by step.
private final class RangeSource<Element: FixedWidthInteger & Sendable>: @unchecked Sendable {
  // Unchecked: the stage behind is only called by the steps, each of which begins in the one
  // before or after it.
  private let down: Sink<Element>
  let steps = SingleAssignmentDisposable()

  init(_ down: Sink<Element>) {
    self.down = down
  }

  func start(_ range: NumberRange<Element>, _ scheduler: any ImmediateSchedulerType) {
    steps.setDisposable(
      scheduler.scheduleRecursive(0 as Element) { [self] sent, recurse in
        if steps.isDisposed { return }
        if sent == range.count { return down.done(nil) }
        down.next(range.start + sent)
        recurse(sent + 1)
      })
  }
}
