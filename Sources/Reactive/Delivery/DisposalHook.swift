/// Runs a closure once when a chain is disposed, after what feeds it was stopped.
///
/// Attached before the source runs, it is called also for sources that cannot be stopped.
final class DisposalHook: Disposable {
  private let upstream = Upstream()
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = action
  }

  var isDisposed: Bool { upstream.isDisposed }

  func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  func dispose() {
    guard upstream.close() else { return }
    upstream.release()
    action()
  }
}
