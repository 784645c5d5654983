extension ObservableConvertibleType where Element: Sendable {
  /// The elements for a task: `for try await title in titles.values`.
  ///
  /// All of those wait that come while the task is busy. Each loop over it makes a subscription
  /// of its own, when it begins.
  public var values: ObservableValues<Element> { values() }

  /// The elements for a task, with a bound on those that wait.
  ///
  ///     for try await tasks in store.tasks.values(bufferingPolicy: .bufferingNewest(1)) {
  ///       await draw(tasks)
  ///     }
  ///
  /// - Parameters:
  ///   - bufferingPolicy: which elements wait while the task is busy; 0 or more of them.
  ///   - onOverflow: takes each element that is dropped, on the thread that sent the one too many.
  public func values(
    bufferingPolicy: ValuesBuffering = .unbounded,
    onOverflow: (@Sendable (Element) -> Void)? = nil
  ) -> ObservableValues<Element> {
    precondition(bufferingPolicy.isValid, "A buffer holds 0 elements or more.")
    return ObservableValues(
      source: asObservable(), buffering: bufferingPolicy, onOverflow: onOverflow)
  }
}

/// The elements of an observable as an asynchronous sequence.
///
/// Making an iterator subscribes. Cancelling the task that waits, and letting go of the iterator,
/// dispose the subscription. Elements that wait are handed out before the end.
///
/// Threads: iterators may be made anywhere; one iterator belongs to one task.
public struct ObservableValues<Element: Sendable>: AsyncSequence, Sendable {
  /// What the observable fails with, and `CancellationError` when the task was cancelled.
  public typealias Failure = any Error

  let source: Observable<Element>
  let buffering: ValuesBuffering
  let onOverflow: (@Sendable (Element) -> Void)?

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator {
    let channel = ValuesChannel(buffering, onOverflow)
    let sink = ValuesSink(channel)
    return Iterator(storage: AsyncIteratorStorage(channel, source.start(sink)))
  }

  /// Takes elements, one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    /// What the observable fails with, and `CancellationError` when the task was cancelled.
    public typealias Failure = any Error

    let storage: AsyncIteratorStorage<Element>

    /// Waits for an element; nil when the sequence completed or the subscription is over.
    ///
    /// - Throws: the error that the observable failed with; `CancellationError` when the task was
    ///   cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Element? {
      try await storage.next(isolation: actor)
    }
  }
}

/// The subscription of one iterator, which ends with it.
final class AsyncIteratorStorage<Element: Sendable>: Sendable {
  private let channel: ValuesChannel<Element>
  private let subscription: any Disposable

  init(_ channel: ValuesChannel<Element>, _ subscription: any Disposable) {
    self.channel = channel
    self.subscription = subscription
  }

  deinit { subscription.dispose() }

  func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
    try await withTaskCancellationHandler {
      // Naming the actor keeps the closure on it: the task is resumed there without a detour.
      try await withCheckedContinuation(isolation: actor) { channel.take($0) }.get()
    } onCancel: {
      channel.finish(.failure(CancellationError()), dropsBuffer: true)
      subscription.dispose()
    }
  }
}

/// Fills a channel; the end of a chain.
private final class ValuesSink<Element: Sendable>: TerminalSink<Element> {
  private let channel: ValuesChannel<Element>

  init(_ channel: ValuesChannel<Element>) {
    self.channel = channel
    super.init(Subscription(onDisposed: { channel.finish(.success(nil)) }))
  }

  override func next(_ element: Element) {
    if !subscription.isDisposed { channel.send(element) }
  }

  override func done(_ error: (any Error)?) {
    subscription.finish { channel.finish(error.map { .failure($0) } ?? .success(nil)) }
  }
}
