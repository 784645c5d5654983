extension PrimitiveSequence {
  /// Makes the sequence anew for every subscription.
  ///
  /// - Parameter observableFactory: called when somebody subscribes; what it throws is sent.
  @preconcurrency
  public static func deferred(
    _ observableFactory: @escaping @Sendable () throws -> PrimitiveSequence<Trait, Element>
  ) -> PrimitiveSequence<Trait, Element> {
    PrimitiveSequence(raw: .deferred { try observableFactory().source })
  }
}

extension PrimitiveSequence where Element: Sendable {
  /// Sends its end so much later; an error at once.
  public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Self {
    PrimitiveSequence(raw: source.delay(dueTime, scheduler: scheduler))
  }

  /// Subscribes the sequence so much later.
  public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Self {
    PrimitiveSequence(raw: source.delaySubscription(dueTime, scheduler: scheduler))
  }

  /// Hands events on through a scheduler: what follows runs there.
  public func observe(on scheduler: any ImmediateSchedulerType) -> Self {
    PrimitiveSequence(raw: source.observe(on: scheduler))
  }

  /// Subscribes the sequence, and disposes it, on a scheduler.
  public func subscribe(on scheduler: any ImmediateSchedulerType) -> Self {
    PrimitiveSequence(raw: source.subscribe(on: scheduler))
  }

  /// Fails with `RxError.timeout` when it does not end in time.
  public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Self {
    PrimitiveSequence(raw: source.timeout(dueTime, scheduler: scheduler))
  }

  /// Goes on with another one when it does not end in time.
  public func timeout(
    _ dueTime: RxTimeInterval, other: PrimitiveSequence<Trait, Element>,
    scheduler: any SchedulerType
  ) -> Self {
    PrimitiveSequence(raw: source.timeout(dueTime, other: other.source, scheduler: scheduler))
  }
}
