extension ObservableType {
  /// Sends the latest element whenever another sequence sends something.
  ///
  /// An element is sent once; with nothing new there is nothing to send. The end of the source
  /// is sent with the other sequence's next event, that of the other sequence counts as an
  /// event, and an error of either ends it at once. The source is subscribed first.
  ///
  /// - Parameters:
  ///   - sampler: says when; its elements do not matter.
  ///   - defaultValue: sent instead of nothing.
  public func sample<Source: ObservableType>(
    _ sampler: Source, defaultValue: Element? = nil
  ) -> Observable<Element> {
    let source = asObservable()
    let sampler = sampler.asObservable()
    return Producer { down in
      let sink = SampleSink<Element, Source.Element>(down, defaultValue)
      down.attach(sink)
      source.run(sink)
      if !sink.isDisposed { sampler.run(sink.samplerSink) }
    }
  }
}

private final class SampleSink<Element, Sample>: Sink<Element>, Disposable, @unchecked Sendable {
  // Unchecked: the mutable fields are touched by the drain's owner alone.
  private let down: Sink<Element>
  private let defaultValue: Element?
  private let drain = Drain()
  private let handles = HandleSet()
  /// Names the source's handle; touched only by the source.
  private var sourceKey: UInt64?
  private var latest: Element?
  private var isSourceDone = false
  private var isFinished = false

  init(_ down: Sink<Element>, _ defaultValue: Element?) {
    self.down = down
    self.defaultValue = defaultValue
  }

  var isDisposed: Bool { handles.isDisposed }

  var samplerSink: Sink<Sample> { SamplerSink(self) }

  override func attach(_ upstream: any Disposable) { sourceKey = handles.insert(upstream) }

  override var disposalHook: DisposalHook? { down.disposalHook }

  override func next(_ element: Element) {
    if drain.enter() || drain.post({ self.latest = element }) {
      latest = element
      drain.leave()
    }
  }

  override func done(_ error: (any Error)?) {
    if drain.enter() || drain.post({ self.sourceEnded(error) }) {
      sourceEnded(error)
      drain.leave()
    }
    handles.leave(sourceKey)
  }

  func dispose() { handles.dispose() }

  private func sourceEnded(_ error: (any Error)?) {
    if error == nil { isSourceDone = true } else { finish(error) }
  }

  private func sample() {
    if isFinished || isDisposed { return }
    let element = latest ?? defaultValue
    latest = nil
    if let element { down.next(element) }
    if isSourceDone { finish(nil) }
  }

  private func finish(_ error: (any Error)?) {
    guard !isFinished, !isDisposed else { return }
    isFinished = true
    down.done(error)
    dispose()
  }

  /// Takes what says when.
  private final class SamplerSink: Sink<Sample> {
    private let parent: SampleSink
    /// Names the handle among the parent's; touched only by what feeds this sink.
    private var key: UInt64?

    init(_ parent: SampleSink) {
      self.parent = parent
    }

    override func attach(_ upstream: any Disposable) { key = parent.handles.insert(upstream) }

    override var disposalHook: DisposalHook? { parent.disposalHook }

    override func next(_ element: Sample) { sample(nil) }

    override func done(_ error: (any Error)?) {
      sample(error)
      parent.handles.leave(key)
    }

    private func sample(_ error: (any Error)?) {
      let parent = parent
      let work = { error == nil ? parent.sample() : parent.finish(error) }
      if parent.drain.enter() || parent.drain.post(work) {
        work()
        parent.drain.leave()
      }
    }
  }
}
