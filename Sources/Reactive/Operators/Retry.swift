extension ObservableType {
  /// Subscribes the source again after every error, until it completes.
  ///
  /// The subscription of a source that always fails at once never returns.
  public func retry() -> Observable<Element> {
    let source = asObservable()
    return .inOrder(sequence(first: source) { $0 }, afterErrors: true)
  }

  /// Subscribes the source again after an error, up to a number of subscriptions.
  ///
  /// The error of the last subscription is emitted.
  ///
  /// - Parameter maxAttemptCount: the number of subscriptions, the first one included; with 0 it
  ///   completes without subscribing.
  public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
    precondition(maxAttemptCount >= 0, "retry counts subscriptions: 0 or more.")
    return .inOrder(
      Swift.repeatElement(asObservable(), count: maxAttemptCount), afterErrors: true)
  }

  /// Subscribes the source again when a trigger emits an element after an error.
  ///
  /// ```swift
  /// source.retry(when: { errors in
  ///   errors.flatMap { _ in Observable<Int>.timer(.seconds(1), scheduler: scheduler) }
  /// })
  /// ```
  ///
  /// When the trigger completes instead, the sequence completes; an error of it is emitted. Errors
  /// of another type than the closure takes are emitted at once.
  ///
  /// - Parameter notificationHandler: called once per subscription; returns the trigger, made of
  ///   the sequence of errors.
  @preconcurrency
  public func retry<Trigger: ObservableType, Failure: Error>(
    when notificationHandler: @escaping @Sendable (Observable<Failure>) -> Trigger
  ) -> Observable<Element> {
    retrying(notificationHandler)
  }

  /// Subscribes the source again when a trigger emits an element after an error of any type.
  @preconcurrency
  public func retry<Trigger: ObservableType>(
    when notificationHandler: @escaping @Sendable (Observable<any Error>) -> Trigger
  ) -> Observable<Element> {
    retrying(notificationHandler)
  }

  private func retrying<Trigger: ObservableType, Failure: Error>(
    _ notificationHandler: @escaping (Observable<Failure>) -> Trigger
  ) -> Observable<Element> {
    let source = asObservable()
    return Producer { down in
      let sink = RetryWhenSink<Element, Failure, Trigger.Element>(down, source)
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
  /// Whether the trigger ended, and with which error; it takes effect with the next error.
  private var hasTriggerEnded = false
  private var triggerError: (any Error)?

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

  // An end that the trigger does not receive is not in turn either: the teardown comes after it.
  override func done(_ error: (any Error)?) {
    if error is Failure { super.done(error) } else { finish(error) }
  }

  override func receiveEnd(_ error: (any Error)?) {
    guard let failure = error as? Failure else { return }
    if hasTriggerEnded { return finish(triggerError) }
    disposeSource()
    isWaiting = true
    // An answer to it waits its turn: the source is not subscribed again before this returns.
    errors.onNext(failure)
  }

  override func receiveSide(_ element: Answer, from side: InputSink) {
    guard isWaiting else { return }
    isWaiting = false
    start()
  }

  override func receiveSideEnd(_ error: (any Error)?) {
    hasTriggerEnded = true
    triggerError = error
    if isWaiting { finish(error) }
  }

  private func start() {
    if !isDisposed { source.run(self) }
  }
}
