extension ObservableType {
  /// Subscribes the source again when another sequence answers its error with an element.
  ///
  ///     source.retry(when: { errors in
  ///       errors.flatMap { _ in Observable<Int>.timer(.seconds(1), scheduler: scheduler) }
  ///     })
  ///
  /// The other sequence's completion in place of an answer completes, its error is sent. Errors
  /// of another type than the closure takes are sent at once.
  ///
  /// - Parameter notificationHandler: called once per subscription; makes the sequence that
  ///   answers of the sequence of errors.
  @preconcurrency
  public func retry<Trigger: ObservableType, Failure: Error>(
    when notificationHandler: @escaping @Sendable (Observable<Failure>) -> Trigger
  ) -> Observable<Element> {
    let source = asObservable()
    return Producer { down in
      let sink = RetryWhenSink<Element, Failure, Trigger.Element>(down, source)
      down.attach(sink)
      sink.begin(notificationHandler(sink.errors).asObservable())
    }
  }

  /// Subscribes the source again when another sequence answers its error with an element.
  ///
  /// The other sequence's completion in place of an answer completes, its error is sent.
  ///
  /// - Parameter notificationHandler: called once per subscription; makes the sequence that
  ///   answers of the sequence of errors.
  @preconcurrency
  public func retry<Trigger: ObservableType>(
    when notificationHandler: @escaping @Sendable (Observable<any Error>) -> Trigger
  ) -> Observable<Element> {
    let source = asObservable()
    return Producer { down in
      let sink = RetryWhenSink<Element, any Error, Trigger.Element>(down, source)
      down.attach(sink)
      sink.begin(notificationHandler(sink.errors).asObservable())
    }
  }
}

/// Runs the source, and again whenever the trigger says so after an error.
private final class RetryWhenSink<Element, Failure: Error, Answer>: Sink<Element>, Disposable,
  @unchecked Sendable
{
  // Unchecked: the mutable fields are touched by the drain's owner alone, the rest guards itself.
  let errors = PublishSubject<Failure>()
  private let down: Sink<Element>
  private let source: Observable<Element>
  private let drain = Drain()
  /// The handle of the source.
  private let current = SerialDisposable()
  private let trigger = Upstream()
  /// Whether the source failed and nobody answered yet.
  private var isWaiting = false
  /// How the trigger ended, which shows with the next error.
  private var triggerEnd: Ending?

  init(_ down: Sink<Element>, _ source: Observable<Element>) {
    self.down = down
    self.source = source
  }

  func begin(_ answers: Observable<Answer>) {
    answers.run(TriggerSink(self))
    control { self.start() }
  }

  override func attach(_ upstream: any Disposable) { current.disposable = upstream }

  override var disposalHook: DisposalHook? { down.disposalHook }

  override func next(_ element: Element) {
    if !current.isDisposed { down.next(element) }
  }

  override func done(_ error: (any Error)?) {
    control { self.sourceEnded(error) }
  }

  func dispose() {
    current.dispose()
    trigger.dispose()
  }

  /// Does one thing after the other, on a flat stack and under no lock.
  private func control(_ work: @escaping () -> Void) {
    if drain.enter() || drain.post(work) {
      work()
      drain.leave()
    }
  }

  private func start() {
    if !current.isDisposed { source.run(self) }
  }

  private func sourceEnded(_ error: (any Error)?) {
    if current.isDisposed { return }
    current.disposable = Disposables.create()
    guard let failure = error as? Failure else { return conclude(error) }
    if let triggerEnd { return conclude(triggerEnd.error) }
    isWaiting = true
    errors.onNext(failure)
  }

  private func answered() {
    guard isWaiting else { return }
    isWaiting = false
    start()
  }

  private func triggerEnded(_ error: (any Error)?) {
    triggerEnd = Ending(error: error, isSilent: false)
    if isWaiting { conclude(error) }
  }

  private func conclude(_ error: (any Error)?) {
    if current.isDisposed { return }
    down.done(error)
    dispose()
  }

  /// Takes the answers.
  private final class TriggerSink: Sink<Answer> {
    private let parent: RetryWhenSink

    init(_ parent: RetryWhenSink) {
      self.parent = parent
    }

    override func attach(_ upstream: any Disposable) { parent.trigger.attach(upstream) }

    override var disposalHook: DisposalHook? { parent.disposalHook }

    override func next(_ element: Answer) {
      parent.control { [parent] in parent.answered() }
    }

    override func done(_ error: (any Error)?) {
      parent.control { [parent] in parent.triggerEnded(error) }
      parent.trigger.release()
    }
  }
}
