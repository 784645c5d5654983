extension ObservableType {
  /// Subscribes the observers.
  public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
  where Observer.Element == Element {
    bind(toAll: observers) { $0 }
  }

  /// Subscribes observers whose elements are optional.
  public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
  where Observer.Element == Element? {
    bind(toAll: observers) { $0 }
  }

  /// Makes each of the relays accept every element.
  ///
  /// Relays do not end, so the completion is dropped. An error is a programming mistake: it traps
  /// in debug builds, and is passed to ``Hooks/defaultErrorHandler`` in others.
  public func bind<Relay: RelayType>(
    to relays: Relay..., fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable where Relay.Element == Element {
    bind(toAll: relays, at: Hooks.CallSite(fileID: fileID, line: line)) { $0 }
  }

  /// Makes each of the relays accept every element as an optional.
  public func bind<Relay: RelayType>(
    to relays: Relay..., fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable where Relay.Element == Element? {
    bind(toAll: relays, at: Hooks.CallSite(fileID: fileID, line: line)) { $0 }
  }

  func bind<Observer: ObserverType>(
    toAll observers: [Observer], _ convert: @escaping (Element) -> Observer.Element
  ) -> any Disposable {
    asObservable().start(ObserverSink(ObserverGroup(observers: observers, convert: convert)))
  }

  func bind<Relay: RelayType>(
    toAll relays: [Relay], at site: Hooks.CallSite, _ convert: @escaping (Element) -> Relay.Element
  ) -> any Disposable {
    asObservable().start(
      CallbackSink(
        binding: { element in
          let element = convert(element)
          for relay in relays { relay.accept(element) }
        }, site: site))
  }

  /// Returns the result of a function for the sequence.
  public func bind<Result>(to binder: (Self) -> Result) -> Result { binder(self) }

  /// Calls a closure with every element of a sequence that does not fail.
  ///
  /// An error is a programming mistake, as with relays.
  @preconcurrency
  public func bind(
    onNext: @escaping @Sendable (Element) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    asObservable().start(
      CallbackSink(binding: onNext, site: Hooks.CallSite(fileID: fileID, line: line)))
  }

  /// Calls a closure with an object that is held weakly.
  @preconcurrency
  public func bind<Object: AnyObject>(
    with object: Object, onNext: @escaping @Sendable (Object, Element) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    asObservable().start(
      CallbackSink(
        binding: weakly(object, onNext), site: Hooks.CallSite(fileID: fileID, line: line)))
  }
}

/// Several observers as one, which converts every element once for all of them.
private struct ObserverGroup<Element, Observer: ObserverType>: ObserverType {
  let observers: [Observer]
  let convert: (Element) -> Observer.Element

  func on(_ event: Event<Element>) {
    let event = event.map(convert)
    for observer in observers { observer.on(event) }
  }

  func onNext(_ element: Element) {
    let element = convert(element)
    for observer in observers { observer.onNext(element) }
  }
}

extension CallbackSink {
  fileprivate convenience init(binding onNext: @escaping (Element) -> Void, site: Hooks.CallSite) {
    self.init(
      onNext: onNext,
      onError: { error in Hooks.reportBound(error, at: site) },
      onCompleted: nil, onDisposed: nil, site: site)
  }
}
