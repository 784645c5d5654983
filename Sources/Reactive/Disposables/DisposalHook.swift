import Synchronization

/// Runs a closure once when a chain is disposed, after all that feeds it was stopped.
///
/// Attached before the source runs, it is called also for sources that cannot be stopped. A
/// source that ends before its teardown is known, as within the closure of `create`, is stopped
/// later than its chain is disposed: the closure waits for each of those.
final class DisposalHook: Disposable {
  private let upstream = SingleAssignmentHandle()
  private let action: Locked<(@Sendable () -> Void)?>
  /// The hook further down the chain, which waits for this one.
  private let next: DisposalHook?
  /// The disposal of this hook, and the sources and hooks before it that were not stopped yet.
  private let awaited = Atomic<Int>(1)

  /// Makes a hook of the chain that ends with a stage.
  init<Element>(before down: Sink<Element>, _ action: @escaping @Sendable () -> Void) {
    self.action = Locked(action)
    next = down.disposalHook
    next?.wait()
  }

  var isDisposed: Bool { upstream.isDisposed }

  func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  func dispose() {
    guard upstream.markDisposed() else { return }
    upstream.disposeHandle()
    stopped()
  }

  /// Waits for one source more, which has to say when it was stopped.
  func wait() { awaited.add(1, ordering: .relaxed) }

  /// One of what it waits for was stopped.
  func stopped() {
    guard awaited.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    // Let go of, because a source may be kept longer than its subscription.
    let action = action.withLock { held in
      defer { held = nil }
      return held
    }
    guard let action else { return }
    action()
    next?.stopped()
  }
}
