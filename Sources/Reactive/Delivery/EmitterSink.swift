/// The first stage of a chain whose events come from outside code, such as that of `create`.
///
/// The producer may emit from several threads, from within handlers, and after the end. This puts
/// its events in order, and drops those after the end. The handle attached to it is the
/// producer's teardown, which runs once, after the end was delivered or on disposal.
final class EmitterSink<Element>: Sink<Element>, StoppableDisposable, @unchecked Sendable {
  // Unchecked: the next stage is touched by the serializer's owner alone, the rest guards itself.
  private let serializer = Serializer()
  private let teardown = SingleAssignmentHandle()
  /// The hook that waits for the teardown.
  private let hook: DisposalHook?
  /// The next stage; released at the end, because a producer may keep its observer longer.
  // The serializer makes the exclusivity check unnecessary.
  @exclusivity(unchecked) private var down: Sink<Element>?

  init(_ down: Sink<Element>) {
    self.down = down
    hook = down.disposalHook
    hook?.wait()
  }

  override func attach(_ upstream: any Disposable) {
    if teardown.attach(upstream) { hook?.stopped() }
  }

  override func next(_ element: Element) {
    if serializer.tryAcquire() || serializer.enqueue({ self.deliver(element) }) {
      deliver(element)
      serializer.release()
    }
  }

  override func done(_ error: (any Error)?) {
    serializer.run { self.conclude(error) }
  }

  /// Emits an element and the completion, with no event of another thread between them.
  func succeed(_ element: Element) {
    serializer.run { [self] in
      deliver(element)
      conclude(nil)
    }
  }

  override var isDisposed: Bool { teardown.isDisposed }

  func stop() { teardown.stop() }

  func dispose() {
    if tearDown() { serializer.run { self.down = nil } }
  }

  private func deliver(_ element: Element) {
    if let down, !teardown.isDisposed { down.next(element) }
  }

  private func conclude(_ error: (any Error)?) {
    guard let down, !teardown.isDisposed else { return }
    self.down = nil
    down.done(error)
    _ = tearDown()
  }

  /// Runs the teardown, or makes it run once it is attached; true for the one caller that did it.
  private func tearDown() -> Bool {
    guard teardown.markDisposed() else { return false }
    if teardown.disposeHandle() { hook?.stopped() }
    return true
  }
}

extension ObservableType {
  /// Makes an observable from a closure that emits to the first stage of its chain.
  static func emitting(
    _ subscribe: @escaping (EmitterSink<Element>) -> any Disposable
  ) -> Observable<Element> {
    Producer { down in
      let emitter = EmitterSink(down)
      down.attach(emitter)
      emitter.attach(subscribe(emitter))
    }
  }
}
