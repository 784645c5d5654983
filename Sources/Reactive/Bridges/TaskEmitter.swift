/// Where a task sends to a chain, until that is disposed.
///
/// It lets go of the chain at once then, also when the task takes its time to notice.
final class TaskEmitter<Element: Sendable>: Disposable {
  private let emitter: Locked<EmitterSink<Element>?>
  private let task = SingleAssignmentHandle()

  init(_ emitter: EmitterSink<Element>) {
    self.emitter = Locked(emitter)
  }

  /// Runs a body in a task; what it throws, or its return, ends the sequence.
  func start(_ body: @escaping @Sendable (TaskEmitter) async throws -> Void) {
    let running = Task { [self] in
      do {
        try await body(self)
        emitter.withLock { $0 }?.done(nil)
      } catch {
        emitter.withLock { $0 }?.done(error)
      }
    }
    task.attach(Disposables.create { running.cancel() })
  }

  func next(_ element: Element) { emitter.withLock { $0 }?.next(element) }

  func succeed(_ element: Element) { emitter.withLock { $0 }?.succeed(element) }

  func dispose() {
    // Released here, and not under the lock: it holds the chain.
    _ = emitter.withLock { held in
      defer { held = nil }
      return held
    }
    task.dispose()
  }
}

extension ObservableType where Element: Sendable {
  /// An observable of a body that runs in a task of its own for each subscription.
  static func running(
    _ body: @escaping @Sendable (TaskEmitter<Element>) async throws -> Void
  ) -> Observable<Element> {
    .emitting { emitter in
      let emitter = TaskEmitter(emitter)
      emitter.start(body)
      return emitter
    }
  }
}
