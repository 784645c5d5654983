public import Dispatch

// Combine's names. The compiler's error for each of them names what to write.

extension ObservableType {
  /// Write `subscribe(onNext:)`.
  @available(*, unavailable, renamed: "subscribe(onNext:)")
  public func sink(receiveValue: (Element) -> Void) -> any Disposable { Disposables.create() }

  /// Write `subscribe(onNext:onError:onCompleted:)`.
  @available(
    *, unavailable,
    message: "Write subscribe(onNext:onError:onCompleted:); the end is one of the two last."
  )
  public func sink(
    receiveCompletion: (any Error) -> Void,
    receiveValue: (Element) -> Void
  ) -> any Disposable { Disposables.create() }

  /// Write `observe(on:)`.
  @available(
    *, unavailable,
    message: "Write observe(on: MainScheduler.instance), or another scheduler of a queue."
  )
  public func receive(on queue: DispatchQueue) -> Observable<Element> { .never() }

  /// Write `asObservable`.
  @available(*, unavailable, renamed: "asObservable()")
  public func eraseToAnyPublisher() -> Observable<Element> { .never() }

  /// Write `map`, whose closure may throw.
  @available(*, unavailable, renamed: "map(_:)")
  public func tryMap<Result>(
    _ transform: (Element) throws -> Result
  ) -> Observable<Result> { .never() }

  /// Write `distinctUntilChanged`.
  @available(*, unavailable, renamed: "distinctUntilChanged()")
  public func removeDuplicates() -> Observable<Element> { .never() }

  /// Write `catchAndReturn`.
  @available(*, unavailable, renamed: "catchAndReturn(_:)")
  public func replaceError(with element: Element) -> Observable<Element> { .never() }

  /// Write `ifEmpty(default:)`.
  @available(*, unavailable, renamed: "ifEmpty(default:)")
  public func replaceEmpty(with element: Element) -> Observable<Element> { .never() }

  /// Write `take`.
  @available(*, unavailable, renamed: "take(_:)")
  public func prefix(_ count: Int) -> Observable<Element> { .never() }

  /// Write `take(until:)`.
  @available(*, unavailable, renamed: "take(until:)")
  public func prefix<Source: ObservableType>(
    untilOutputFrom other: Source
  ) -> Observable<Element> { .never() }

  /// Write `skip`.
  @available(*, unavailable, renamed: "skip(_:)")
  public func dropFirst(_ count: Int = 1) -> Observable<Element> { .never() }

  /// Write `toArray`.
  @available(*, unavailable, renamed: "toArray()")
  public func collect() -> Observable<[Element]> { .never() }

  /// Write `do`.
  @available(
    *, unavailable, message: "Write do(onNext:onError:onCompleted:onSubscribe:onDispose:)."
  )
  public func handleEvents(
    receiveOutput: (@Sendable (Element) -> Void)? = nil,
    receiveCancel: (@Sendable () -> Void)? = nil
  ) -> Observable<Element> { .never() }
}

extension ObservableType where Element: ObservableConvertibleType {
  /// Write `switchLatest`.
  @available(*, unavailable, renamed: "switchLatest()")
  public func switchToLatest() -> Observable<Element.Element> { .never() }
}

extension BroadcastSubject {
  /// Write `onNext`.
  @available(*, unavailable, renamed: "onNext(_:)")
  public func send(_ element: Element) { onNext(element) }
}

extension Disposable {
  /// Write `disposed(by:)` with a bag.
  @available(*, unavailable, message: "Write disposed(by: bag), with a DisposeBag.")
  public func store(in bag: DisposeBag) { disposed(by: bag) }

  /// Write `dispose`.
  @available(*, unavailable, renamed: "dispose()")
  public func cancel() { dispose() }
}
