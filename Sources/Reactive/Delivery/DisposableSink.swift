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

/// Passes elements on, and holds one more handle, which is stopped and disposed after the source.
class PassingSink<Element>: DisposableSink<Element, Element>, @unchecked Sendable {
  // Unchecked: as its superclass.
  final let other = SingleAssignmentHandle()

  override func next(_ element: Element) {
    if !isDisposed { emit(element) }
  }

  override func didStop() { other.stop() }

  override func didDispose() { other.dispose() }
}

extension ObservableType {
  /// Makes an operator whose stage is the handle that the stage after it is attached to.
  ///
  /// - Parameters:
  ///   - stage: called once per subscription.
  ///   - begin: called before the source runs, which it does not if this disposes the stage.
  func handled<Output, Stage: Sink<Element> & Disposable>(
    by stage: @escaping (Sink<Output>) -> Stage, begin: @escaping (Stage) -> Void = { _ in }
  ) -> Observable<Output> {
    let source = asObservable()
    return Producer { down in
      let sink = stage(down)
      down.attach(sink)
      begin(sink)
      if !sink.isDisposed { source.run(sink) }
    }
  }
}
