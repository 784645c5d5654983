public import Dispatch

// Parts of RxSwift that are not here. The compiler's error for each of them names what to write.

extension ObservableType {
  /// Write a filter for each key, or collect the elements by key with `scan`.
  @available(
    *, unavailable, message: "Filter the elements of each key, or collect them with scan(into:)."
  )
  public func groupBy<Key: Hashable>(
    keySelector: (Element) throws -> Key
  ) -> Observable<Observable<Element>> { .never() }

  /// Write `scan` with a timer.
  @available(
    *, unavailable,
    message: "Merge the elements with an interval as an enumeration, and collect with scan(into:)."
  )
  public func buffer(
    timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType
  ) -> Observable<[Element]> { .never() }

  /// Write `scan` with a timer.
  @available(
    *, unavailable,
    message: "Merge the elements with an interval as an enumeration, and collect with scan(into:)."
  )
  public func window(
    timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType
  ) -> Observable<Observable<Element>> { .never() }

  /// Write `merge`, and keep the elements of the source that emitted first.
  @available(
    *, unavailable,
    message: "Merge the sources as pairs of their index and element, and keep the first's index."
  )
  public func amb<Right: ObservableType<Element>>(_ right: Right) -> Observable<Element> {
    .never()
  }

  /// Write `from` of the standard library's `sequence(first:next:)`.
  @available(
    *, unavailable, message: "Write from(sequence(first:next:)), with prefix(while:) to end it."
  )
  public static func generate(
    initialState: Element, condition: (Element) throws -> Bool,
    scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance,
    iterate: (Element) throws -> Element
  ) -> Observable<Element> { .never() }

  /// Write `from` of the standard library's `repeatElement`.
  @available(
    *, unavailable, message: "Write from(Swift.repeatElement(element, count: .max))."
  )
  public static func repeatElement(
    _ element: Element,
    scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
  ) -> Observable<Element> { .never() }

  /// Write `create`, and return the resource's disposable together with the subscription.
  @available(
    *, unavailable,
    message: "Write create, and return Disposables.create(subscription, resource)."
  )
  public static func using<Resource: Disposable>(
    _ resourceFactory: () throws -> Resource,
    observableFactory: (Resource) throws -> Observable<Element>
  ) -> Observable<Element> { .never() }

  /// Write `asDriver`, or keep the observable.
  @available(
    *, unavailable,
    message: "Write asDriver(onErrorJustReturn:), which replays its last element, or publish it."
  )
  public func asSignal(onErrorJustReturn element: Element) -> Observable<Element> { .never() }

  /// Write `catchAndReturn`.
  @available(
    *, unavailable, message: "Write catchAndReturn(_:); a sequence that cannot fail is a Driver."
  )
  public func asInfallible(onErrorJustReturn element: Element) -> Observable<Element> { .never() }

  /// Write `subscribe(onNext:)`, or `drive(onNext:)` of a driver.
  @available(
    *, unavailable, message: "Write subscribe(onNext:), or drive(onNext:) of a driver."
  )
  public func emit(
    onNext: (@Sendable (Element) -> Void)? = nil, onCompleted: (@Sendable () -> Void)? = nil,
    onDisposed: (@Sendable () -> Void)? = nil
  ) -> any Disposable { Disposables.create() }
}

extension RelayType {
  /// Write `asObservable`.
  @available(*, unavailable, renamed: "asObservable()")
  public func asSignal() -> Observable<Element> { .never() }
}

extension ObserverType {
  /// Write an observer that maps the event.
  @available(
    *, unavailable, message: "Write AnyObserver { event in observer.on(event.map(transform)) }."
  )
  public func mapObserver<Source>(
    _ transform: (Source) throws -> Element
  ) -> AnyObserver<Source> { AnyObserver { _ in } }
}

/// Write `Driver`, or `Observable`.
@available(*, unavailable, message: "Write Driver, or Observable where nothing is replayed.")
public typealias Signal = Observable

/// Write `Driver`, or `Observable`.
@available(*, unavailable, message: "Write Driver, or Observable.")
public typealias Infallible = Observable

/// Write `takeLast(1)` of a replay subject.
@available(*, unavailable, message: "Write takeLast(1) of a ReplaySubject.")
public typealias AsyncSubject = ReplaySubject

/// Write `ConcurrentDispatchQueueScheduler`.
@available(*, unavailable, message: "Write ConcurrentDispatchQueueScheduler(queue:).")
public typealias OperationQueueScheduler = ConcurrentDispatchQueueScheduler

/// Write `MainScheduler`.
@available(*, unavailable, renamed: "MainScheduler")
public typealias ConcurrentMainScheduler = MainScheduler

/// Write `VirtualTimeScheduler`.
@available(*, unavailable, message: "Write VirtualTimeScheduler(resolution:).")
public typealias HistoricalScheduler = VirtualTimeScheduler
