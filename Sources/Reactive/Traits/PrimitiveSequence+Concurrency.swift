import Synchronization

extension PrimitiveSequenceType where Trait == SingleTrait, Element: Sendable {
  /// Subscribes, and waits for the element.
  ///
  /// Cancelling the task disposes the subscription.
  ///
  /// - Throws: the error that it ends with; `CancellationError` when the task was cancelled.
  public var value: Element {
    get async throws {
      try await source.answer(element: { $0 }, completion: { .failure(RxError.noElements) })
    }
  }

  /// Makes a single from asynchronous work, which runs in a task per subscription.
  ///
  /// Disposing the subscription cancels the task.
  ///
  /// - Parameters:
  ///   - detached: whether the task inherits nothing from the context of the subscription.
  ///   - priority: the priority of the task; nil for that of the subscriber.
  ///   - work: its result is emitted; so is an error that it throws.
  @_disfavoredOverload
  public static func create(
    detached: Bool = false, priority: TaskPriority? = nil,
    work: @escaping @Sendable () async throws -> Element
  ) -> Single<Element> {
    Single(
      raw: .running(priority: priority, detached: detached) { emitter in
        emitter.succeed(try await work())
      })
  }
}

extension PrimitiveSequenceType where Trait == MaybeTrait, Element: Sendable {
  /// Makes a maybe from asynchronous work, which runs in a task per subscription.
  ///
  /// It is like that of a single, but nothing is emitted where the result of the work is nil.
  @_disfavoredOverload
  public static func create(
    detached: Bool = false, priority: TaskPriority? = nil,
    work: @escaping @Sendable () async throws -> Element?
  ) -> Maybe<Element> {
    Maybe(
      raw: .running(priority: priority, detached: detached) { emitter in
        if let element = try await work() { emitter.succeed(element) }
      })
  }

  /// Subscribes, and waits for the element; nil when there is none.
  ///
  /// A cancelled task, and an error, are as with the value of a single.
  public var value: Element? {
    get async throws {
      try await source.answer(element: { $0 }, completion: { .success(nil) })
    }
  }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
  /// Makes a completable from asynchronous work, which runs in a task per subscription.
  ///
  /// It is like that of a single, but the return of the work completes the sequence.
  @_disfavoredOverload
  public static func create(
    detached: Bool = false, priority: TaskPriority? = nil,
    work: @escaping @Sendable () async throws -> Void
  ) -> Completable {
    Completable(
      raw: .running(priority: priority, detached: detached) { (_: TaskEmitter<Never>) in
        try await work()
      })
  }

  /// Subscribes, and waits for the completion.
  ///
  /// A cancelled task, and an error, are as with the value of a single.
  public var value: Void {
    get async throws {
      try await source.answer(element: { _ in }, completion: { .success(()) })
    }
  }
}

extension Observable where Element: Sendable {
  /// Subscribes, and waits for the first event that has a result.
  ///
  /// - Parameters:
  ///   - element: returns the result of an element.
  ///   - completion: returns the result of a completion without an element.
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

/// Resumes a waiting task once, with the first result, and under no lock.
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
