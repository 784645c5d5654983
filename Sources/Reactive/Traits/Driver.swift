/// A shared sequence for user interfaces that emits on the main actor and cannot fail.
///
/// ```swift
/// let results = query.asDriver()
///   .flatMapLatest { search($0).asDriver(onErrorJustReturn: []) }
/// results.drive(onNext: { list.show($0) }).disposed(by: bag)
/// ```
///
/// While it has observers, a new one receives the latest element first. Closures passed to it and
/// to its operators are `@MainActor` and run there.
///
/// Threads: it may be driven from any thread. On the main actor, a latest element arrives before
/// `drive` returns; on other threads it arrives later, on the main actor.
public struct Driver<Element: Sendable>: ObservableConvertibleType, Sendable {
  let source: Observable<Element>

  /// Shares a sequence that never fails, and emits on the main actor when it is subscribed there.
  init(_ source: Observable<Element>) {
    let shared = source.share(replay: 1, scope: .whileConnected)
    // Subscribed there too, because a replayed element is delivered on the subscriber's thread. In
    // a test that thread runs the virtual clock, and another step would change the times.
    self.source =
      SharingScheduler.isMocked
      ? shared : Producer { shared.subscribe(on: MainScheduler()).run($0) }
  }

  /// The same sequence as an observable, which is subscribed on the main actor.
  public func asObservable() -> Observable<Element> { source }

  /// The driver itself.
  public func asDriver() -> Driver<Element> { self }
}

extension ObservableConvertibleType where Element: Sendable {
  /// A driver that emits an element in place of an error, and completes.
  public func asDriver(onErrorJustReturn element: Element) -> Driver<Element> {
    Driver(asObservable().observe(on: SharingScheduler.make()).catchAndReturn(element))
  }

  /// A driver that switches to another one after an error.
  public func asDriver(onErrorDriveWith driver: Driver<Element>) -> Driver<Element> {
    asDriver { _ in driver }
  }

  /// A driver that switches to the one that a closure returns for an error.
  @preconcurrency
  public func asDriver(
    onErrorRecover: @escaping @MainActor @Sendable (_ error: any Error) -> Driver<Element>
  ) -> Driver<Element> {
    Driver(
      asObservable().observe(on: SharingScheduler.make()).catch { error in
        MainActor.assumeIsolated { onErrorRecover(error) }.source
      })
  }
}

extension RelayType where Element: Sendable {
  /// A driver of the relay's elements.
  public func asDriver() -> Driver<Element> {
    Driver(asObservable().observe(on: SharingScheduler.make()))
  }
}

/// Wraps a closure of the main actor, to be called on it.
func onMainActor<Input: Sendable, Output: Sendable>(
  _ body: @escaping @MainActor @Sendable (Input) -> Output
) -> @Sendable (Input) -> Output {
  { input in MainActor.assumeIsolated { body(input) } }
}

/// Wraps a closure of two values of the main actor, to be called on it.
func onMainActor<First: Sendable, Second: Sendable, Output: Sendable>(
  _ body: @escaping @MainActor @Sendable (First, Second) -> Output
) -> @Sendable (First, Second) -> Output {
  { first, second in MainActor.assumeIsolated { body(first, second) } }
}

/// Wraps a closure of the main actor that other threads may call, such as one for the disposal.
func runningOnMainActor(_ body: @escaping @MainActor @Sendable () -> Void) -> @Sendable () -> Void {
  { MainScheduler().run(body) }
}

extension Driver {
  /// Calls closures on the main actor with elements, with the end, and on disposal.
  ///
  /// - Parameters:
  ///   - onNext: called with each element.
  ///   - onCompleted: called when the sequence ended.
  ///   - onDisposed: called once, after the end or when the subscription is disposed.
  ///   - fileID: the file of the call, for messages about it.
  ///   - line: the line of the call.
  /// - Returns: the subscription. Releasing it does not dispose it: keep it in a `DisposeBag`.
  @preconcurrency
  public func drive(
    onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
    onCompleted: (@MainActor @Sendable () -> Void)? = nil,
    onDisposed: (@MainActor @Sendable () -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    source.subscribe(
      onNext: onNext.map(onMainActor),
      onCompleted: onCompleted.map(runningOnMainActor),
      onDisposed: onDisposed.map(runningOnMainActor), fileID: fileID, line: line)
  }

  /// Calls such closures with an object that is held weakly, until that is deallocated.
  @preconcurrency
  public func drive<Object: AnyObject & Sendable>(
    with object: Object,
    onNext: (@MainActor @Sendable (Object, Element) -> Void)? = nil,
    onCompleted: (@MainActor @Sendable (Object) -> Void)? = nil,
    onDisposed: (@MainActor @Sendable (Object) -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    source.subscribe(
      with: object, onNext: onNext.map(onMainActor), onCompleted: onCompleted.map(onMainActor),
      onDisposed: onDisposed.map { onDisposed in
        { @Sendable object in _ = MainScheduler().run { onDisposed(object) } }
      },
      fileID: fileID, line: line)
  }

  /// Subscribes the observers, on the main actor.
  public func drive<Observer: ObserverType>(_ observers: Observer...) -> any Disposable
  where Observer.Element == Element {
    source.bind(toAll: observers) { $0 }
  }

  /// Subscribes observers whose elements are optional.
  public func drive<Observer: ObserverType>(_ observers: Observer...) -> any Disposable
  where Observer.Element == Element? {
    source.bind(toAll: observers) { $0 }
  }

  /// Makes each of the relays accept every element, on the main actor.
  public func drive<Relay: RelayType>(
    _ relays: Relay..., fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable where Relay.Element == Element {
    source.bind(toAll: relays, at: Hooks.CallSite(fileID: fileID, line: line)) { $0 }
  }

  /// Makes each of the relays accept every element as an optional, on the main actor.
  public func drive<Relay: RelayType>(
    _ relays: Relay..., fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable where Relay.Element == Element? {
    source.bind(toAll: relays, at: Hooks.CallSite(fileID: fileID, line: line)) { $0 }
  }

  /// Returns the result of a function for the sequence.
  public func drive<Result>(_ transformation: (Observable<Element>) -> Result) -> Result {
    transformation(source)
  }
}
