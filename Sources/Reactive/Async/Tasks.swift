extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Emits the elements, from a task of its own for each subscription.
  ///
  /// Disposing the subscription cancels the task, which then takes no further element.
  ///
  /// - Parameters:
  ///   - priority: the priority of the task; nil for that of the subscriber.
  ///   - detached: whether the task inherits nothing from the context of the subscription.
  public func asObservable(
    priority: TaskPriority? = nil, detached: Bool = false
  ) -> Observable<Element> {
    .running(priority: priority, detached: detached) { emitter in
      for try await element in self {
        emitter.next(element)
        // A sequence that never suspends does not notice the cancellation by itself.
        if Task.isCancelled { break }
      }
    }
  }
}

extension ObservableType where Element: Sendable {
  /// Emits the elements of an asynchronous sequence, from a task for each subscription.
  ///
  /// Disposing the subscription cancels the task; later elements are dropped.
  public static func from<Elements: AsyncSequence & Sendable>(
    _ sequence: Elements
  ) -> Observable<Element> where Elements.Element == Element {
    sequence.asObservable()
  }

  /// Does asynchronous work for each element, and emits the result for the latest.
  ///
  /// ```swift
  /// queries.flatMapLatest { query in try await search(query) }
  /// ```
  ///
  /// The task of the element before is cancelled before the next one begins, and its result is
  /// dropped.
  ///
  /// - Parameter selector: runs in a task of its own.
  @preconcurrency
  @_disfavoredOverload
  public func flatMapLatest<Result: Sendable>(
    _ selector: @escaping @Sendable (Element) async throws -> Result
  ) -> Observable<Result> {
    latest(of: asObservable()) { element in
      .running { emitter in emitter.succeed(try await selector(element)) }
    }
  }
}

/// The connection from a task to a chain, which ends when the chain is disposed.
///
/// The chain is released then at once, also when the task notices its cancellation late.
final class TaskEmitter<Element: Sendable>: Sendable {
  fileprivate let emitter: Locked<EmitterSink<Element>?>

  fileprivate init(_ emitter: EmitterSink<Element>) {
    self.emitter = Locked(emitter)
  }

  func next(_ element: Element) { emitter.withLock { $0 }?.next(element) }

  func succeed(_ element: Element) { emitter.withLock { $0 }?.succeed(element) }

  fileprivate func done(_ error: (any Error)?) { emitter.withLock { $0 }?.done(error) }
}

extension ObservableType where Element: Sendable {
  /// An observable of a body that runs in a task of its own for each subscription.
  ///
  /// Its return completes the sequence, and an error that it throws is emitted.
  static func running(
    priority: TaskPriority? = nil, detached: Bool = false,
    _ body: @escaping @Sendable (TaskEmitter<Element>) async throws -> Void
  ) -> Observable<Element> {
    .emitting { emitter in
      let emitter = TaskEmitter(emitter)
      let task = Task.ofObservable(priority: priority, detached: detached) {
        do { try await body(emitter) } catch { return emitter.done(error) }
        emitter.done(nil)
      }
      return Disposables.create {
        _ = emitter.emitter.take()
        task.cancel()
      }
    }
  }
}
