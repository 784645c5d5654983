extension ObservableType {
  /// Combines each element with the latest of another sequence; drops it while there is none.
  ///
  /// The other sequence is subscribed first. Its completion is ignored, its error ends all.
  ///
  /// - Parameter resultSelector: what it throws ends the sequence.
  @preconcurrency
  public func withLatestFrom<Source: ObservableConvertibleType, Result>(
    _ second: Source,
    resultSelector: @escaping @Sendable (Element, Source.Element) throws -> Result
  ) -> Observable<Result> {
    let source = asObservable()
    let second = second.asObservable()
    return Producer { down in
      let sink = WithLatestFromSink(down, resultSelector)
      down.attach(sink)
      second.run(sink.latestSink)
      if !sink.isDisposed { source.run(sink) }
    }
  }

  /// Sends the latest of another sequence for each element; nothing while there is none.
  public func withLatestFrom<Source: ObservableConvertibleType>(
    _ second: Source
  ) -> Observable<Source.Element> {
    withLatestFrom(second) { $1 }
  }
}

private final class WithLatestFromSink<Input, Latest, Output>: Sink<Input>, Disposable,
  @unchecked Sendable
{
  // Unchecked: latest and isFinished are touched by the drain's owner alone.
  private let down: Sink<Output>
  private let selector: (Input, Latest) throws -> Output
  private let drain = Drain()
  private let handles = HandleSet()
  // The check that accesses do not overlap is waived: the drain sees to that.
  @exclusivity(unchecked) private var latest: Latest?
  @exclusivity(unchecked) private var isFinished = false

  init(_ down: Sink<Output>, _ selector: @escaping (Input, Latest) throws -> Output) {
    self.down = down
    self.selector = selector
  }

  var latestSink: Sink<Latest> { LatestSink(self) }

  var isDisposed: Bool { handles.isDisposed }

  override func attach(_ upstream: any Disposable) { handles.insert(upstream) }

  override var disposalHook: DisposalHook? { down.disposalHook }

  override func next(_ element: Input) {
    if drain.enter() || drain.post({ self.deliver(element) }) {
      deliver(element)
      drain.leave()
    }
  }

  override func done(_ error: (any Error)?) {
    if drain.enter() || drain.post({ self.conclude(error) }) {
      conclude(error)
      drain.leave()
    }
  }

  func dispose() { handles.dispose() }

  private func deliver(_ element: Input) {
    guard !isFinished, !isDisposed, let latest else { return }
    do { down.next(try selector(element, latest)) } catch { conclude(error) }
  }

  private func conclude(_ error: (any Error)?) {
    guard !isFinished, !isDisposed else { return }
    isFinished = true
    down.done(error)
    dispose()
  }

  /// Takes what the other sequence sends.
  private final class LatestSink: Sink<Latest> {
    private let parent: WithLatestFromSink
    /// Names the handle among the parent's; touched only by what feeds this sink.
    private var key: UInt64?

    init(_ parent: WithLatestFromSink) {
      self.parent = parent
    }

    override func attach(_ upstream: any Disposable) { key = parent.handles.insert(upstream) }

    override var disposalHook: DisposalHook? { parent.disposalHook }

    override func next(_ element: Latest) {
      if parent.drain.enter() || parent.drain.post({ [parent] in parent.latest = element }) {
        parent.latest = element
        parent.drain.leave()
      }
    }

    override func done(_ error: (any Error)?) {
      if let error { parent.done(error) } else { parent.handles.leave(key) }
    }
  }
}
