import Synchronization

/// Runs a closure once when a chain is disposed, after the teardown of every source before it.
///
/// It is attached before the source runs, so the closure is also called for sources that have no
/// handle. A source that ends before its teardown is known, as within the closure of `create`, is
/// torn down after its chain is disposed: the closure waits for each such source, and for the
/// subscription of the source to return.
final class DisposalHook: StoppableDisposable {
  private let upstream = SingleAssignmentHandle()
  private let action: Locked<(@Sendable () -> Void)?>
  /// The next hook downstream, which waits for this one.
  private let next: DisposalHook?
  /// The number of sources and hooks that it waits for, plus one until it is disposed itself.
  private let awaited = Atomic<Int>(1)

  /// Makes a hook upstream of a stage.
  init<Element>(before down: Sink<Element>, _ action: @escaping @Sendable () -> Void) {
    self.action = Locked(action)
    next = down.disposalHook
    next?.wait()
  }

  var isDisposed: Bool { upstream.isDisposed }

  func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  func stop() { upstream.stop() }

  func dispose() {
    guard upstream.markDisposed() else { return }
    upstream.disposeHandle()
    stopped()
  }

  /// Waits for one more source, which calls `stopped` after its teardown.
  func wait() { awaited.add(1, ordering: .relaxed) }

  /// One of the sources and hooks that it waits for was torn down.
  func stopped() {
    guard awaited.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    // Released, because a source may be kept longer than its subscription.
    guard let action = action.take() else { return }
    action()
    next?.stopped()
  }
}
