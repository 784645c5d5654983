/// What operators have in common that a signal from another sequence steers.
///
/// Elements, ends and signals come in line: the hooks that subclasses override never overlap, and
/// nothing is locked while they run. After the end, and once this was disposed, no hook is called.
class SignalledSink<Element, Signal>: Sink<Element>, Disposable, @unchecked Sendable {
  // Unchecked: isFinished is touched by the drain's owner alone, the rest guards itself.
  final let down: Sink<Element>
  private let drain = Drain()
  private let source = Upstream()
  private let other = Upstream()
  private var isFinished = false

  init(_ down: Sink<Element>) {
    self.down = down
  }

  /// What subclasses do with an element.
  func take(_ element: Element) {}

  /// What subclasses do with a signal.
  func signalCame() {}

  /// Takes what the other sequence sends.
  final var signal: Sink<Signal> { SignalSink(self) }

  final var isDisposed: Bool { source.isDisposed }

  /// Sends the end; to be called from a hook.
  final func finish(_ error: (any Error)?) {
    guard !isFinished, !isDisposed else { return }
    isFinished = true
    down.done(error)
    dispose()
  }

  /// Stops the other sequence and goes on without it.
  final func leaveSignal() { other.dispose() }

  final override func attach(_ upstream: any Disposable) { source.attach(upstream) }

  final override var disposalHook: DisposalHook? { down.disposalHook }

  final override func next(_ element: Element) {
    if drain.enter() || drain.post({ self.accept(element) }) {
      accept(element)
      drain.leave()
    }
  }

  final override func done(_ error: (any Error)?) {
    if drain.enter() || drain.post({ self.finish(error) }) {
      finish(error)
      drain.leave()
    }
  }

  final func dispose() {
    source.dispose()
    other.dispose()
  }

  private func accept(_ element: Element) {
    if !isFinished, !isDisposed { take(element) }
  }

  private func acceptSignal() {
    // Not asking whether the other sequence is left: a signal may wait here while that ends.
    if !isFinished, !isDisposed { signalCame() }
  }

  /// Takes what the other sequence sends: its completion says nothing, its error ends all.
  private final class SignalSink: Sink<Signal> {
    private let parent: SignalledSink

    init(_ parent: SignalledSink) {
      self.parent = parent
    }

    override func attach(_ upstream: any Disposable) { parent.other.attach(upstream) }

    override var disposalHook: DisposalHook? { parent.disposalHook }

    override func next(_ element: Signal) {
      if parent.drain.enter() || parent.drain.post({ [parent] in parent.acceptSignal() }) {
        parent.acceptSignal()
        parent.drain.leave()
      }
    }

    override func done(_ error: (any Error)?) {
      if let error { parent.done(error) } else { parent.leaveSignal() }
    }
  }
}
