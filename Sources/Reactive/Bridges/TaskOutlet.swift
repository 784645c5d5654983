/// Where a task sends to a chain, until that is disposed.
///
/// It lets go of the chain at once then, also when the task takes its time to notice.
final class TaskOutlet<Element: Sendable>: Disposable {
  private let emitter: Guarded<EmitterSink<Element>?>
  private let task = Upstream()

  init(_ emitter: EmitterSink<Element>) {
    self.emitter = Guarded(emitter)
  }

  /// Runs a body in a task; what it throws, or its return, ends the sequence.
  func start(_ body: @escaping @Sendable (TaskOutlet) async throws -> Void) {
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

  func settle(_ element: Element) { emitter.withLock { $0 }?.settle(element) }

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
    _ body: @escaping @Sendable (TaskOutlet<Element>) async throws -> Void
  ) -> Observable<Element> {
    .emitting { emitter in
      let outlet = TaskOutlet(emitter)
      outlet.start(body)
      return outlet
    }
  }
}
