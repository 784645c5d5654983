extension ObservableConvertibleType where Element: Sendable {
  /// The elements as an asynchronous sequence: `for try await title in titles.values`.
  ///
  /// Elements that arrive while the task is busy are buffered. Each loop has a subscription of its
  /// own, which starts with the loop.
  public var values: ObservableValues<Element> { values() }

  /// The elements as an asynchronous sequence, with a limit on the buffer.
  ///
  /// ```swift
  /// for try await tasks in store.tasks.values(bufferingPolicy: .bufferingNewest(1)) {
  ///   await draw(tasks)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - bufferingPolicy: which elements are buffered while the task is busy; 0 or more of them.
  ///   - onOverflow: called with each dropped element, on the thread that emitted the last one.
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
/// Making an iterator subscribes. Cancelling the task that waits, or releasing the iterator,
/// disposes the subscription. Buffered elements are returned before the end.
///
/// Threads: iterators may be made anywhere; one iterator belongs to one task.
public struct ObservableValues<Element: Sendable>: AsyncSequence, Sendable {
  /// The error of the observable, or `CancellationError` when the task was cancelled.
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

  /// Returns the elements, one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    /// The error of the observable, or `CancellationError` when the task was cancelled.
    public typealias Failure = any Error

    fileprivate let storage: AsyncIteratorStorage<Element>

    /// Waits for an element; nil when the sequence completed or the subscription was disposed.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Element? {
      try await storage.next(isolation: actor)
    }
  }
}

/// The subscription of one iterator, which ends with it.
private final class AsyncIteratorStorage<Element: Sendable>: Sendable {
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

/// The last stage of a chain, which fills a channel.
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

/// Which elements are buffered that arrive faster than a task takes them.
public enum ValuesBuffering: Hashable, Sendable {
  /// All of them.
  case unbounded
  /// A number of the newest; for a further one the oldest is dropped.
  case bufferingNewest(Int)
  /// A number of the oldest; further ones are dropped.
  case bufferingOldest(Int)

  var isValid: Bool {
    switch self {
    case .unbounded: true
    case .bufferingNewest(let count), .bufferingOldest(let count): count >= 0
    }
  }
}

/// Elements on their way from an observable to a task.
///
/// Sending never blocks. A task is resumed, elements are released and the hook is called under no
/// lock, because a resumed task may run at once on the thread that resumed it.
final class ValuesChannel<Element: Sendable>: Sendable {
  typealias Step = Result<Element?, any Error>
  typealias Waiter = CheckedContinuation<Step, Never>

  private struct State: ~Copyable {
    var waiting = Queue<Element>()
    var waiter: Waiter?
    /// How it ended; returned once, after the buffered elements.
    var ending: Step?
    var isOver = false
  }

  private let state = Locked(State())
  private let buffering: ValuesBuffering
  private let onOverflow: (@Sendable (Element) -> Void)?

  init(_ buffering: ValuesBuffering, _ onOverflow: (@Sendable (Element) -> Void)?) {
    self.buffering = buffering
    self.onOverflow = onOverflow
  }

  /// Passes an element to the task that waits, or buffers it.
  func send(_ element: Element) {
    var waiter: Waiter?
    let dropped: Element? = state.withLock { state in
      if state.isOver { return nil }
      if let first = state.waiter {
        state.waiter = nil
        waiter = first
        return nil
      }
      return keep(element, &state)
    }
    waiter?.resume(returning: .success(element))
    if let dropped { onOverflow?(dropped) }
  }

  /// Ends it; the first end counts.
  func finish(_ ending: Step, dropsBuffer: Bool = false) {
    var lost = Queue<Element>()
    let waiter: Waiter? = state.withLock { state in
      if dropsBuffer { swap(&lost, &state.waiting) }
      if state.isOver { return nil }
      state.isOver = true
      guard let waiter = state.waiter else {
        state.ending = ending
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: ending)
  }

  /// Resumes a task with a buffered element or the end, or later with the next event.
  func take(_ waiter: Waiter) {
    let step: Step? = state.withLock { state in
      if let element = state.waiting.popFirst() { return .success(element) }
      if state.isOver {
        defer { state.ending = nil }
        return state.ending ?? .success(nil)
      }
      precondition(
        state.waiter == nil, "An iterator belongs to one task: make one for each of them.")
      state.waiter = waiter
      return nil
    }
    if let step { waiter.resume(returning: step) }
  }

  /// Buffers an element according to the policy, and returns the one that is dropped for it.
  private func keep(_ element: Element, _ state: inout State) -> Element? {
    switch buffering {
    case .bufferingOldest(let limit) where state.waiting.count >= limit: return element
    case .bufferingNewest(0): return element
    case .bufferingNewest(let limit) where state.waiting.count >= limit:
      state.waiting.append(element)
      return state.waiting.popFirst()
    default:
      state.waiting.append(element)
      return nil
    }
  }
}
