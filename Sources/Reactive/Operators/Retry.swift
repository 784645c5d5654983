extension ObservableType {
  /// Subscribes the source again whenever it failed, until it completes.
  ///
  /// One that fails at once every time never returns from the subscription.
  public func retry() -> Observable<Element> {
    let source = asObservable()
    return .trying(sequence(first: source) { $0 })
  }

  /// Subscribes the source again when it failed, so many times in all.
  ///
  /// The error of the last time is sent.
  ///
  /// - Parameter maxAttemptCount: how many times it is subscribed at most, the first one counted;
  ///   with 0 it completes without subscribing.
  public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
    precondition(maxAttemptCount >= 0, "retry counts subscriptions: 0 or more.")
    return .trying(repeatElement(asObservable(), count: maxAttemptCount))
  }
}

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

/// Runs the source, and runs it again when the trigger emits an element after an error.
private final class RetryWhenSink<Element, Failure: Error, Answer>: FanInSink<
  Element, Answer, Element
>,
@unchecked Sendable
{
  // Unchecked: as its superclass.
  let errors = PublishSubject<Failure>()
  private let source: Observable<Element>
  /// Whether the source failed and the trigger has not answered yet.
  private var isWaiting = false
  /// How the trigger ended, which takes effect with the next error.
  private var triggerEnd: Termination?

  init(_ down: Sink<Element>, _ source: Observable<Element>) {
    self.source = source
    super.init(down)
  }

  func begin(_ answers: Observable<Answer>) {
    answers.run(SideSink(self))
    serializer.run { self.start() }
  }

  // Not in turn with the trigger, which has no effect while the source runs.
  override func next(_ element: Element) {
    if !isDisposed { emit(element) }
  }

  override func receiveEnd(_ error: (any Error)?) {
    disposeSource()
    guard let failure = error as? Failure else { return finish(error) }
    if let triggerEnd { return finish(triggerEnd.error) }
    isWaiting = true
    // An answer to it waits its turn: the source is not subscribed again before this returns.
    errors.onNext(failure)
  }

  override func receiveSide(_ element: Answer, from side: SideSink) {
    guard isWaiting else { return }
    isWaiting = false
    start()
  }

  override func receiveSideEnd(_ error: (any Error)?) {
    triggerEnd = Termination(error: error, isSilent: false)
    if isWaiting { finish(error) }
  }

  private func start() {
    if !isDisposed { source.run(self) }
  }
}
