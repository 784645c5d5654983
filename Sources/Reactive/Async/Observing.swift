import Observation

extension ObservableType where Element: Sendable {
  /// Emits the value that a closure reads from observed models, now and after every change of it.
  ///
  /// ```swift
  /// Observable.observing { model.title }
  /// ```
  ///
  /// Models are classes with the macro of the module `Observation`. Changes made in one turn of
  /// the main actor are emitted as one. On the main queue, the first element is emitted during the
  /// subscription.
  ///
  /// - Parameter read: called on the main actor; the properties that it reads are observed.
  public static func observing(
    _ read: @escaping @MainActor @Sendable () -> Element
  ) -> Observable<Element> {
    Producer { down in
      let observation = ModelObservation(down, read)
      down.attach(ObservationHandle(observation))
      // A scheduler of its own, so that the first read does not wait for other work.
      observation.track(on: MainScheduler())
    }
  }
}

/// Reads, and reads again after every change.
///
/// The models hold it, until their next change or their end.
private final class ModelObservation<Element: Sendable>: Sendable {
  private let read: @MainActor @Sendable () -> Element
  /// The next stage; released on disposal, which may be long before the next change.
  private let down: Locked<Sink<Element>?>

  init(_ down: Sink<Element>, _ read: @escaping @MainActor @Sendable () -> Element) {
    self.down = Locked(down)
    self.read = read
  }

  func track(on scheduler: any ImmediateSchedulerType) {
    _ = scheduler.schedule(()) { [self] in
      MainActor.assumeIsolated { track() }
      return Disposables.create()
    }
  }

  @MainActor
  private func track() {
    guard let down = down.withLock({ $0 }) else { return }
    let element = withObservationTracking(read) { [self] in
      // Called before the change. A read in a later turn sees it, and all others of this turn.
      track(on: MainScheduler.asyncInstance)
    }
    down.next(element)
  }

  func stop() { _ = down.take() }
}

/// Stops an observation without retaining it: it is deallocated with its models.
private final class ObservationHandle<Element: Sendable>: Disposable {
  private weak let observation: ModelObservation<Element>?

  init(_ observation: ModelObservation<Element>) {
    self.observation = observation
  }

  func dispose() { observation?.stop() }
}
