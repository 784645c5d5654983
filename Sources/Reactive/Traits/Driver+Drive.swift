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
