import Synchronization

/// The base of operators with several inputs: brings their events into one order.
///
/// One input is the source that the stage itself is subscribed to; each of the others is a
/// `SideSink`. The methods whose names begin with `receive` are what operators override. They
/// never run at the same time, whichever threads the events come from, and no lock is held
/// meanwhile, so the state of an operator needs no lock of its own. None of them is called after
/// the end, or after the subscription was disposed.
@usableFromInline
class FanInSink<Input, SideInput, Output>: DisposableSink<Input, Output>, @unchecked Sendable {
  // Unchecked: as its superclass; what subclasses add is touched by the serializer's owner alone.
  final let serializer = Serializer()
  /// The handles of the other inputs, in the order in which they were attached.
  final let sides = CompositeHandle()

  /// Handles an element of the source.
  func receive(_ element: Input) {}

  /// Handles the end of the source, whose handle is disposed afterwards.
  func receiveEnd(_ error: (any Error)?) { finish(error) }

  /// Handles an element of another input.
  func receiveSide(_ element: SideInput, from side: InputSink) {}

  /// Handles the end of another input: an error ends everything, a completion is ignored.
  func receiveSideEnd(_ error: (any Error)?) {
    if error != nil { finish(error) }
  }

  /// Emits the end in its turn; to be called from outside of the methods above.
  final func finishInTurn(_ error: (any Error)?) { serializer.run { self.finish(error) } }

  override func next(_ element: Input) {
    if serializer.tryAcquire() || serializer.enqueue({ self.accept(element) }) {
      accept(element)
      serializer.release()
    }
  }

  override func done(_ error: (any Error)?) {
    serializer.run { [self] in
      if !isDisposed { receiveEnd(error) }
      disposeSource()
    }
  }

  /// Takes the end of another input when it comes, not in turn.
  func sideDone(_ error: (any Error)?, from side: InputSink) {
    serializer.run { [self] in
      if !isDisposed { receiveSideEnd(error) }
      side.disposeInput()
    }
  }

  override func didStop() { sides.stop() }

  override func didDispose() { sides.dispose() }

  private func accept(_ element: Input) {
    if !isDisposed { receive(element) }
  }

  private func accept(_ element: SideInput, from side: InputSink) {
    if !isDisposed { receiveSide(element, from: side) }
  }

  /// Another input; its events take turns with those of the source.
  class InputSink: Sink<SideInput> {
    final let parent: FanInSink

    init(_ parent: FanInSink) {
      self.parent = parent
    }

    /// Disposes this input alone.
    func disposeInput() {}

    override var isDisposed: Bool { parent.isDisposed }

    final override var disposalHook: DisposalHook? { parent.disposalHook }

    override func next(_ element: SideInput) {
      if parent.serializer.tryAcquire()
        || parent.serializer.enqueue({ self.parent.accept(element, from: self) })
      {
        parent.accept(element, from: self)
        parent.serializer.release()
      }
    }

    final override func done(_ error: (any Error)?) { parent.sideDone(error, from: self) }
  }

  /// Another input, whose handle is among those of the parent.
  class SideSink: InputSink {
    /// The key of the input's handle; touched only by what feeds this sink.
    // The rule that calls to a sink never overlap makes the exclusivity check unnecessary.
    @exclusivity(unchecked) private var key: UInt64?
    private let isClosed = Atomic<Bool>(false)

    final override func disposeInput() {
      isClosed.store(true, ordering: .releasing)
      parent.sides.dispose(key)
    }

    final override var isDisposed: Bool {
      isClosed.load(ordering: .acquiring) || parent.isDisposed
    }

    override func attach(_ upstream: any Disposable) { key = parent.sides.insert(upstream) }
  }
}

extension ObservableType {
  /// Makes an operator with a second source, which is subscribed before this one or after it.
  func fanIn<Side, Output, Stage: FanInSink<Element, Side, Output>>(
    _ side: Observable<Side>, sideFirst: Bool = true, _ stage: @escaping (Sink<Output>) -> Stage
  ) -> Observable<Output> {
    let source = asObservable()
    return Producer { down in
      let sink = stage(down)
      down.attach(sink)
      if sideFirst { side.run(FanInSink.SideSink(sink)) }
      if !sink.isDisposed { source.run(sink) }
      if !sideFirst, !sink.isDisposed { side.run(FanInSink.SideSink(sink)) }
    }
  }
}
