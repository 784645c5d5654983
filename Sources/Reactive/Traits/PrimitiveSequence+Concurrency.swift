import Synchronization

extension PrimitiveSequenceType where Trait == SingleTrait, Element: Sendable {
  /// Subscribes, and waits for the answer.
  ///
  /// Cancelling the task disposes the subscription.
  ///
  /// - Throws: the error that it ends with; `CancellationError` when the task was cancelled.
  public var value: Element {
    get async throws {
      try await source.answer(element: { $0 }, completion: { .failure(RxError.noElements) })
    }
  }

  /// Makes a single of asynchronous work, in a task per subscription.
  ///
  /// Disposing the subscription cancels the task.
  ///
  /// - Parameters:
  ///   - detached: whether the task inherits nothing from where it is subscribed.
  ///   - priority: the task's; nil for the subscriber's.
  ///   - work: its result or error is the answer.
  @_disfavoredOverload
  public static func create(
    detached: Bool = false, priority: TaskPriority? = nil,
    work: @escaping @Sendable () async throws -> Element
  ) -> Single<Element> {
    create { answer in
      let body: @Sendable () async -> Void = {
        do { answer(.success(try await work())) } catch { answer(.failure(error)) }
      }
      let task =
        detached
        ? Task.detached(priority: priority, operation: body)
        : Task(priority: priority, operation: body)
      return Disposables.create { task.cancel() }
    }
  }
}

extension PrimitiveSequenceType where Trait == MaybeTrait, Element: Sendable {
  /// Subscribes, and waits for the element; nil when there is none.
  ///
  /// Cancelling the task disposes the subscription.
  ///
  /// - Throws: the error that it ends with; `CancellationError` when the task was cancelled.
  public var value: Element? {
    get async throws {
      try await source.answer(element: { $0 }, completion: { .success(nil) })
    }
  }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
  /// Subscribes, and waits for the completion.
  ///
  /// Cancelling the task disposes the subscription.
  ///
  /// - Throws: the error that it ends with; `CancellationError` when the task was cancelled.
  public var value: Void {
    get async throws {
      try await source.answer(element: { _ in }, completion: { .success(()) })
    }
  }
}

extension Observable where Element: Sendable {
  /// Subscribes, and waits for the first thing that counts as an answer.
  ///
  /// - Parameters:
  ///   - element: makes the answer of an element.
  ///   - completion: the answer of a completion without an element.
  fileprivate func answer<Value: Sendable>(
    element: @escaping @Sendable (Element) -> Value,
    completion: @escaping @Sendable () -> Result<Value, any Error>
  ) async throws -> Value {
    let subscription = SingleAssignmentDisposable()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = Answer(continuation)
        subscription.setDisposable(
          subscribe(
            onNext: { answer.give(.success(element($0))) },
            onError: { answer.give(.failure($0)) },
            onCompleted: { answer.give(completion()) },
            onDisposed: { answer.give(.failure(CancellationError())) }))
      }
    } onCancel: {
      subscription.dispose()
    }
  }
}

/// Resumes a waiting task once, with whatever comes first, and under no lock.
private final class Answer<Value: Sendable>: Sendable {
  private let continuation: CheckedContinuation<Value, any Error>
  private let isGiven = Atomic<Bool>(false)

  init(_ continuation: CheckedContinuation<Value, any Error>) {
    self.continuation = continuation
  }

  func give(_ result: Result<Value, any Error>) {
    if !isGiven.exchange(true, ordering: .acquiringAndReleasing) {
      continuation.resume(with: result)
    }
  }
}
