// RxSwift 5's names. The compiler's error for each of them names what to write.

extension ObservableType where Element: Sendable {
  /// Write `observe(on:)`.
  @available(*, unavailable, renamed: "observe(on:)")
  public func observeOn(_ scheduler: any ImmediateSchedulerType) -> Observable<Element> { .never() }

  /// Write `subscribe(on:)`.
  @available(*, unavailable, renamed: "subscribe(on:)")
  public func subscribeOn(_ scheduler: any ImmediateSchedulerType) -> Observable<Element> {
    .never()
  }

  /// Write `take(for:scheduler:)`.
  @available(*, unavailable, renamed: "take(for:scheduler:)")
  public func take(
    _ duration: RxTimeInterval, scheduler: any SchedulerType
  ) -> Observable<Element> { .never() }
}

extension ObservableType {
  /// Write `catch`.
  @available(*, unavailable, renamed: "catch(_:)")
  public func catchError(
    _ handler: (any Error) throws -> Observable<Element>
  ) -> Observable<Element> { .never() }

  /// Write `catchAndReturn`.
  @available(*, unavailable, renamed: "catchAndReturn(_:)")
  public func catchErrorJustReturn(_ element: Element) -> Observable<Element> { .never() }

  /// Write `catch(sequence:)`.
  @available(*, unavailable, renamed: "catch(sequence:)")
  public static func catchError(sequence: [Observable<Element>]) -> Observable<Element> { .never() }

  /// Write `retry(when:)`.
  @available(*, unavailable, renamed: "retry(when:)")
  public func retryWhen<Trigger: ObservableType>(
    _ notificationHandler: (Observable<any Error>) -> Trigger
  ) -> Observable<Element> { .never() }

  /// Write `take(while:)`.
  @available(*, unavailable, renamed: "take(while:)")
  public func takeWhile(_ predicate: (Element) throws -> Bool) -> Observable<Element> { .never() }

  /// Write `take(until:)`.
  @available(*, unavailable, renamed: "take(until:)")
  public func takeUntil<Source: ObservableType>(_ other: Source) -> Observable<Element> { .never() }

  /// Write `take(until:behavior:)`.
  @available(*, unavailable, renamed: "take(until:behavior:)")
  public func takeUntil(
    _ behavior: TakeBehavior, predicate: (Element) throws -> Bool
  ) -> Observable<Element> { .never() }

  /// Write `skip(while:)`.
  @available(*, unavailable, renamed: "skip(while:)")
  public func skipWhile(_ predicate: (Element) throws -> Bool) -> Observable<Element> { .never() }

  /// Write `skip(until:)`.
  @available(*, unavailable, renamed: "skip(until:)")
  public func skipUntil<Source: ObservableType>(_ other: Source) -> Observable<Element> { .never() }

  /// Write `element(at:)`.
  @available(*, unavailable, renamed: "element(at:)")
  public func elementAt(_ index: Int) -> Observable<Element> { .never() }
}

extension PrimitiveSequence {
  /// Write `observe(on:)`.
  @available(*, unavailable, renamed: "observe(on:)")
  public func observeOn(_ scheduler: any ImmediateSchedulerType) -> Self { self }

  /// Write `subscribe(on:)`.
  @available(*, unavailable, renamed: "subscribe(on:)")
  public func subscribeOn(_ scheduler: any ImmediateSchedulerType) -> Self { self }

  /// Write `catch`.
  @available(*, unavailable, renamed: "catch(_:)")
  public func catchError(_ handler: (any Error) throws -> Self) -> Self { self }

  /// Write `catchAndReturn`.
  @available(*, unavailable, renamed: "catchAndReturn(_:)")
  public func catchErrorJustReturn(_ element: Element) -> Self { self }
}

/// Write `BehaviorRelay`.
@available(*, unavailable, renamed: "BehaviorRelay")
public typealias Variable = BehaviorRelay
