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
