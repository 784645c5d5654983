extension ObservableType where Element: FixedWidthInteger {
  /// Emits successive numbers and completes.
  ///
  /// All of them are emitted before the subscription returns, or until it is disposed.
  ///
  /// - Parameters:
  ///   - start: the first number.
  ///   - count: how many numbers; 0 or more, the last one within the bounds of the type.
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
  /// Emits successive numbers and completes, each in a step of its own on a scheduler.
  public static func range(
    start: Element, count: Element, scheduler: any ImmediateSchedulerType
  ) -> Observable<Element> {
    let range = NumberRange(start, count)
    return stepping(on: scheduler) {
      var sent: Element = 0
      return {
        if sent == range.count { return nil }
        defer { sent += 1 }
        return range.start + sent
      }
    }
  }
}
