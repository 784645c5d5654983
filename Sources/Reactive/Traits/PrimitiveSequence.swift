/// A sequence with a known number of elements: a `Single`, `Maybe` or `Completable`.
///
/// The type parameter `Trait` distinguishes them. Members that all three have are declared here,
/// and an extension of this type extends all of them.
///
/// Threads: `Sendable` when its elements are, and then it may be subscribed from any thread.
public struct PrimitiveSequence<Trait, Element> {
  let source: Observable<Element>

  /// Wraps a sequence that is known to have the number of elements that the trait allows.
  init(raw source: Observable<Element>) {
    self.source = source
  }
}

extension PrimitiveSequence: Sendable where Element: Sendable {}

/// The protocol of `Single`, `Maybe` and `Completable`, for extensions of one of them.
public protocol PrimitiveSequenceType<Trait, Element>: ObservableConvertibleType {
  /// The type that says how many elements the sequence has.
  associatedtype Trait

  /// The sequence with its trait.
  var primitiveSequence: PrimitiveSequence<Trait, Element> { get }
}

extension PrimitiveSequence: PrimitiveSequenceType {
  /// The sequence itself.
  public var primitiveSequence: PrimitiveSequence<Trait, Element> { self }

  /// The same sequence as an observable.
  public func asObservable() -> Observable<Element> { source }
}

extension PrimitiveSequenceType {
  var source: Observable<Element> { primitiveSequence.source }
}

extension ObservableType {
  /// The same sequence as a single, which emits the element when the sequence completes.
  ///
  /// It fails with `RxError.noElements` when it is empty, and with `RxError.moreThanOneElement` on
  /// the second element.
  public func asSingle() -> Single<Element> {
    Single(raw: oneElement { throw RxError.noElements })
  }

  /// The same sequence as a maybe, which emits the element when the sequence completes.
  ///
  /// It fails with `RxError.moreThanOneElement` on the second element.
  public func asMaybe() -> Maybe<Element> {
    Maybe(raw: oneElement {})
  }

  private func oneElement(orElse completeEmpty: @escaping () throws -> Void) -> Observable<Element>
  {
    stateful(
      Element?.none, completion: { if let held = $0 { $1.next(held) } else { try completeEmpty() } }
    ) { held, element, _ in
      guard held == nil else { throw RxError.moreThanOneElement }
      held = element
    }
  }
}

extension ObservableType where Element == Never {
  /// The same sequence as a completable.
  public func asCompletable() -> Completable { Completable(raw: asObservable()) }
}

extension PrimitiveSequence {
  /// Emits an error.
  public static func error(_ error: any Error) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: .error(error))
  }

  /// Emits nothing and does not end.
  public static func never() -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: .never())
  }

  /// Makes a new sequence for every subscription.
  ///
  /// - Parameter observableFactory: called for each subscription; an error it throws is emitted.
  @preconcurrency
  public static func deferred(
    _ observableFactory: @escaping @Sendable () throws -> PrimitiveSequence<Trait, Element>
  ) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: .deferred { try observableFactory().source })
  }
}

extension PrimitiveSequence where Element: Sendable {
  /// Emits its element and completion after a delay; an error at once.
  public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Self {
    PrimitiveSequence(raw: source.delay(dueTime, scheduler: scheduler))
  }

  /// Subscribes the sequence after a delay.
  public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Self {
    PrimitiveSequence(raw: source.delaySubscription(dueTime, scheduler: scheduler))
  }

  /// Delivers events on a scheduler, where the operators after this one run.
  public func observe(on scheduler: any ImmediateSchedulerType) -> Self {
    PrimitiveSequence(raw: source.observe(on: scheduler))
  }

  /// Subscribes the sequence, and disposes it, on a scheduler.
  public func subscribe(on scheduler: any ImmediateSchedulerType) -> Self {
    PrimitiveSequence(raw: source.subscribe(on: scheduler))
  }

  /// Fails with `RxError.timeout` when it does not end within an interval.
  public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Self {
    PrimitiveSequence(raw: source.timeout(dueTime, scheduler: scheduler))
  }

  /// Subscribes another one when it does not end within an interval.
  public func timeout(
    _ dueTime: RxTimeInterval, other: PrimitiveSequence<Trait, Element>,
    scheduler: any SchedulerType
  ) -> Self {
    PrimitiveSequence(raw: source.timeout(dueTime, other: other.source, scheduler: scheduler))
  }
}

extension PrimitiveSequence {
  /// Subscribes the sequence that a closure returns for an error.
  ///
  /// - Parameter handler: an error that it throws is emitted instead.
  @preconcurrency
  public func `catch`(
    _ handler: @escaping @Sendable (any Error) throws -> PrimitiveSequence<Trait, Element>
  ) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: source.catch { try handler($0).source })
  }

  /// Subscribes again after every error.
  public func retry() -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: source.retry())
  }

  /// Subscribes again after an error, up to a number of subscriptions.
  ///
  /// - Parameter maxAttemptCount: the number of subscriptions; the error of the last is emitted.
  public func retry(_ maxAttemptCount: Int) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: source.retry(maxAttemptCount))
  }

  /// Subscribes again after an error, when a trigger made of the errors emits an element.
  ///
  /// - Parameter notificationHandler: called once per subscription; returns the trigger, whose end
  ///   ends the sequence.
  @preconcurrency
  public func retry<Trigger: ObservableType>(
    when notificationHandler: @escaping @Sendable (Observable<any Error>) -> Trigger
  ) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: source.retry(when: notificationHandler))
  }

  /// Subscribes again after an error of one type, when a trigger made of them emits an element.
  @preconcurrency
  public func retry<Trigger: ObservableType, Failure: Error>(
    when notificationHandler: @escaping @Sendable (Observable<Failure>) -> Trigger
  ) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: source.retry(when: notificationHandler))
  }

  /// Writes every event to the debug output.
  public func debug(
    _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file,
    line: UInt = #line, function: String = #function
  ) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(
      raw: source.debug(
        identifier, trimOutput: trimOutput, file: file, line: line, function: function))
  }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
  /// Emits the result of a closure for the elements of all singles, in their order.
  @preconcurrency
  public static func zip<Sources: Collection, Result>(
    _ collection: Sources, resultSelector: @escaping @Sendable ([Element]) throws -> Result
  ) -> Single<Result> where Sources.Element == Single<Element> {
    if collection.isEmpty { return .deferred { .just(try resultSelector([])) } }
    return Single<Result>(
      raw: .zip(collection.map(\.source), resultSelector: resultSelector))
  }

  /// Emits the elements of all singles as an array, in their order.
  public static func zip<Sources: Collection>(_ collection: Sources) -> Single<[Element]>
  where Sources.Element == Single<Element> {
    zip(collection) { $0 }
  }
}
