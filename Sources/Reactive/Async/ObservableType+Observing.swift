import Observation

extension ObservableType where Element: Sendable {
  /// Sends what a closure reads of observed models, now and whenever that changed.
  ///
  ///     Observable.observing { model.title }
  ///
  /// Models are classes with the macro of the module `Observation`. Changes made in one turn of
  /// the main actor are sent as one. Subscribed from the main queue, the first element comes at
  /// once.
  ///
  /// - Parameter read: called on the main actor; what it touches is observed.
  public static func observing(
    _ read: @escaping @MainActor @Sendable () -> Element
  ) -> Observable<Element> {
    Producer { down in
      let observation = ModelObservation(down, read)
      down.attach(ObservationHandle(observation))
      // A scheduler of its own: the first look waits behind nobody else's work.
      observation.look(on: MainScheduler())
    }
  }
}

/// Reads, and reads again after every change.
///
/// The models hold it, until their next change or their end.
private final class ModelObservation<Element: Sendable>: Sendable {
  private let read: @MainActor @Sendable () -> Element
  /// Where elements go; let go of on disposal, which may be long before the next change.
  private let down: Locked<Sink<Element>?>

  init(_ down: Sink<Element>, _ read: @escaping @MainActor @Sendable () -> Element) {
    self.down = Locked(down)
    self.read = read
  }

  func look(on scheduler: any ImmediateSchedulerType) {
    _ = scheduler.schedule(()) { [self] in
      MainActor.assumeIsolated { look() }
      return Disposables.create()
    }
  }

  @MainActor
  private func look() {
    guard let down = down.withLock({ $0 }) else { return }
    let element = withObservationTracking(read) { [self] in
      // Told before the change: what is read in a later turn has it, and all others of this one.
      look(on: MainScheduler.asyncInstance)
    }
    down.next(element)
  }

  func stop() {
    // Released here, and not under the lock: it holds the chain.
    _ = down.withLock { held in
      defer { held = nil }
      return held
    }
  }
}

/// Stops an observation without keeping it: models that go away take it along.
private final class ObservationHandle<Element: Sendable>: Disposable {
  private weak let observation: ModelObservation<Element>?

  init(_ observation: ModelObservation<Element>) {
    self.observation = observation
  }

  func dispose() { observation?.stop() }
}
