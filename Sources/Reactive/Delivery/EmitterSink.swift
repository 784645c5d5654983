/// Where events from outside enter a chain: puts them in line and keeps the grammar.
///
/// The producer may send from several threads, from within handlers, and after the end; what
/// reaches the chain is serial and ends once. What is attached is the producer's teardown: it
/// runs once, after the end was delivered or when the chain is disposed.
final class EmitterSink<Element>: Sink<Element>, Disposable, @unchecked Sendable {
  // Unchecked: the stage behind is touched by the serializer's owner alone, the rest guards itself.
  private let serializer = Serializer()
  private let teardown = SingleAssignmentHandle()
  /// Waits until the teardown ran.
  private let hook: DisposalHook?
  /// Let go of at the end: producers may keep what they send to for as long as they like.
  // The check that accesses do not overlap is waived: the serializer sees to that.
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

  /// Sends an element and the end behind it; nothing that another thread sends comes between.
  func succeed(_ element: Element) {
    serializer.run { [self] in
      deliver(element)
      conclude(nil)
    }
  }

  func dispose() {
    if stop() { serializer.run { self.down = nil } }
  }

  private func deliver(_ element: Element) {
    if let down, !teardown.isDisposed { down.next(element) }
  }

  private func conclude(_ error: (any Error)?) {
    guard let down, !teardown.isDisposed else { return }
    self.down = nil
    down.done(error)
    _ = stop()
  }

  /// Runs the teardown, which may not be there yet; true for the one caller that did it.
  private func stop() -> Bool {
    guard teardown.markDisposed() else { return false }
    if teardown.disposeHandle() { hook?.stopped() }
    return true
  }
}

extension ObservableType {
  /// An observable of a closure that is handed where events enter its chain.
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
