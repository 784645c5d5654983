/// A stage that is itself the handle of everything that feeds it.
///
/// The usual operator passes the handle of its source on to the stage after it. An operator
/// that subscribes later, more than once, or to several sources gives that stage itself instead,
/// before any source runs, and disposes the handles of its sources when it is disposed.
@usableFromInline
class DisposableSink<Input, Output>: Sink<Input>, StoppableDisposable, @unchecked Sendable {
  // Unchecked: the handle guards itself; the stage after is called by one thread at a time.
  final let down: Sink<Output>
  /// The handle of the source.
  private let upstream = SingleAssignmentHandle()

  init(_ down: Sink<Output>) {
    self.down = down
  }

  /// Disposes whatever else the stage holds; called once, after the source was disposed.
  func didDispose() {}

  /// Stops whatever else the stage holds; called after the source was stopped.
  func didStop() {}

  /// Whether the end was emitted, or the subscription stopped or disposed.
  final override var isDisposed: Bool { upstream.isDisposed }

  /// Emits an element.
  final func emit(_ element: Output) { down.next(element) }

  /// Emits the end, unless this was disposed, and disposes this.
  final func finish(_ error: (any Error)?) {
    if upstream.isDisposed { return }
    down.done(error)
    dispose()
  }

  /// Disposes the source alone; another one may be subscribed afterwards.
  final func disposeSource() { upstream.disposeHandle() }

  override func attach(_ upstream: any Disposable) { self.upstream.attach(upstream) }

  override func done(_ error: (any Error)?) { finish(error) }

  final override var disposalHook: DisposalHook? { down.disposalHook }

  final func stop() {
    upstream.stop()
    didStop()
  }

  @usableFromInline
  final func dispose() {
    guard upstream.markDisposed() else { return }
    upstream.disposeHandle()
    didDispose()
  }
}
