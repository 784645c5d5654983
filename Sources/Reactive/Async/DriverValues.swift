extension Driver {
  /// The elements as an asynchronous sequence that does not fail: `for await title in titles.values`.
  ///
  /// Elements that arrive while the task is busy are buffered. Each loop has a subscription of its
  /// own, which starts with the loop; cancelling the task ends the loop.
  public var values: DriverValues<Element> { DriverValues(values: asObservable().values) }
}

/// The elements of a driver as an asynchronous sequence.
///
/// Threads: iterators may be made anywhere; one iterator belongs to one task.
public struct DriverValues<Element: Sendable>: AsyncSequence, Sendable {
  /// A driver does not fail.
  public typealias Failure = Never

  let values: ObservableValues<Element>

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator { Iterator(base: values.makeAsyncIterator()) }

  /// Returns the elements, one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    /// A driver does not fail.
    public typealias Failure = Never

    fileprivate var base: ObservableValues<Element>.Iterator

    /// Waits for an element; nil when the driver completed or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      // A driver cannot fail, so an error says that the task was cancelled.
      do { return try await base.next(isolation: actor) } catch { return nil }
    }
  }
}
