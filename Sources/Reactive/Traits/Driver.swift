/// A sequence for user interfaces: it comes on the main actor, is shared, and cannot fail.
///
///     let results = query.asDriver()
///       .flatMapLatest { search($0).asDriver(onErrorJustReturn: []) }
///     results.drive(onNext: { list.show($0) }).disposed(by: bag)
///
/// Whoever drives it later gets the latest element first, as long as somebody else is driving
/// it. Closures given to it and to its operators run on the main actor, and the compiler knows.
///
/// Threads: it may be driven from any thread. From the main actor an element that is there
/// already arrives before `drive` returns; from elsewhere when the main actor gets to it.
public struct Driver<Element: Sendable>: ObservableConvertibleType, Sendable {
  let source: Observable<Element>

  /// Shares a sequence that sends on the main actor when it is subscribed there, and never fails.
  init(_ source: Observable<Element>) {
    let shared = source.share(replay: 1, scope: .whileConnected)
    // Subscribed there too, because what is replayed is sent to the subscriber's own thread. In a
    // test that thread is the clock's, and another step would change the times.
    self.source =
      SharingScheduler.isMocked
      ? shared : Producer { shared.subscribe(on: MainScheduler()).run($0) }
  }

  /// The same sequence without its promises; subscribing it happens on the main actor.
  public func asObservable() -> Observable<Element> { source }

  /// The driver itself.
  public func asDriver() -> Driver<Element> { self }
}

extension ObservableConvertibleType where Element: Sendable {
  /// A driver that sends an element in place of an error, and completes.
  public func asDriver(onErrorJustReturn element: Element) -> Driver<Element> {
    Driver(asObservable().observe(on: SharingScheduler.make()).catchAndReturn(element))
  }

  /// A driver that goes on with another one after an error.
  public func asDriver(onErrorDriveWith driver: Driver<Element>) -> Driver<Element> {
    asDriver { _ in driver }
  }

  /// A driver that goes on with what a closure makes of an error.
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
  /// A driver of what the relay sends, which never fails.
  public func asDriver() -> Driver<Element> {
    Driver(asObservable().observe(on: SharingScheduler.make()))
  }
}

/// Makes a closure of the main actor one that is called there.
func onMainActor<Input: Sendable, Output: Sendable>(
  _ body: @escaping @MainActor @Sendable (Input) -> Output
) -> @Sendable (Input) -> Output {
  { input in MainActor.assumeIsolated { body(input) } }
}

extension Driver {
  /// Calls closures on the main actor with elements, with the end, and when it is over.
  ///
  /// - Parameters:
  ///   - onNext: takes each element.
  ///   - onCompleted: called when the sequence ended.
  ///   - onDisposed: called once: after the end, or when the subscription is disposed.
  /// - Returns: what stops it. Letting go of it does not: keep it in a `DisposeBag`.
  @preconcurrency
  public func drive(
    onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
    onCompleted: (@MainActor @Sendable () -> Void)? = nil,
    onDisposed: (@MainActor @Sendable () -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    source.subscribe(
      onNext: onNext.map(onMainActor),
      onCompleted: onCompleted.map { onCompleted in
        { @Sendable in MainActor.assumeIsolated { onCompleted() } }
      },
      // Disposal comes from any thread, so this one may have to go there.
      onDisposed: onDisposed.map { onDisposed in
        { @Sendable in _ = MainActorScheduler().run(onDisposed) }
      },
      fileID: fileID, line: line)
  }

  /// Calls closures on the main actor with an object that the subscription does not keep alive.
  ///
  /// Once the object is gone nothing is called any more.
  ///
  /// - Parameters:
  ///   - object: handed to each closure.
  ///   - onNext: takes each element.
  ///   - onCompleted: called when the sequence ended.
  ///   - onDisposed: called once: after the end, or when the subscription is disposed.
  /// - Returns: what stops it. Letting go of it does not: keep it in a `DisposeBag`.
  @preconcurrency
  public func drive<Object: AnyObject & Sendable>(
    with object: Object,
    onNext: (@MainActor @Sendable (Object, Element) -> Void)? = nil,
    onCompleted: (@MainActor @Sendable (Object) -> Void)? = nil,
    onDisposed: (@MainActor @Sendable (Object) -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    drive(
      onNext: onNext.map { onNext in
        { @MainActor @Sendable [weak object] element in if let object { onNext(object, element) } }
      },
      onCompleted: onCompleted.map { onCompleted in
        { @MainActor @Sendable [weak object] in if let object { onCompleted(object) } }
      },
      onDisposed: onDisposed.map { onDisposed in
        { @MainActor @Sendable [weak object] in if let object { onDisposed(object) } }
      },
      fileID: fileID, line: line)
  }

  /// Sends every event to each of the observers, on the main actor.
  public func drive<Observer: ObserverType>(_ observers: Observer...) -> any Disposable
  where Observer.Element == Element {
    source.bind(toAll: observers) { $0 }
  }

  /// Sends every event to each of the observers, whose elements are optional.
  public func drive<Observer: ObserverType>(_ observers: Observer...) -> any Disposable
  where Observer.Element == Element? {
    source.bind(toAll: observers) { $0 }
  }

  /// Makes each of the relays accept every element, on the main actor.
  public func drive<Relay: RelayType>(
    _ relays: Relay..., fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable where Relay.Element == Element {
    source.bind(toAll: relays, at: CallSite(fileID: fileID, line: line)) { $0 }
  }

  /// Makes each of the relays accept every element as an optional, on the main actor.
  public func drive<Relay: RelayType>(
    _ relays: Relay..., fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable where Relay.Element == Element? {
    source.bind(toAll: relays, at: CallSite(fileID: fileID, line: line)) { $0 }
  }

  /// Hands the sequence to a function and returns what that makes of it.
  public func drive<Result>(_ transformation: (Observable<Element>) -> Result) -> Result {
    transformation(source)
  }
}
