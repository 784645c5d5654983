/// Runs actions on the main actor, at once when they are scheduled from there.
///
/// It is the ``MainScheduler`` with a method for `@MainActor` closures: ``run(_:)``.
public final class MainActorScheduler: SchedulerType {
  /// The shared instance, whose actions keep the order of those of `MainScheduler.instance`.
  public static let instance = MainActorScheduler(MainScheduler.instance)

  private let main: MainScheduler

  private init(_ main: MainScheduler) {
    self.main = main
  }

  /// Makes another instance, whose actions do not wait for those of the others.
  public convenience init() { self.init(MainScheduler()) }

  /// The time of the machine's monotonic clock.
  public var now: RxTime { main.now }

  /// Runs a closure on the main actor; before this returns, when it is called from there.
  ///
  /// - Returns: the handle that cancels it.
  @discardableResult
  public func run(_ work: @escaping @MainActor @Sendable () -> Void) -> any Disposable {
    main.schedule(()) {
      MainActor.assumeIsolated { work() }
      return Disposables.create()
    }
  }

  /// Runs an action on the main actor, perhaps at once.
  @preconcurrency
  public func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    main.schedule(state, action: action)
  }

  /// Runs an action on the main actor after an interval.
  @preconcurrency
  public func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    main.scheduleRelative(state, dueTime: dueTime, action: action)
  }

  /// Runs an action on the main actor periodically.
  @preconcurrency
  public func schedulePeriodic<State: Sendable>(
    _ state: State, startAfter: RxTimeInterval, period: RxTimeInterval,
    action: @escaping @Sendable (State) -> State
  ) -> any Disposable {
    main.schedulePeriodic(state, startAfter: startAfter, period: period, action: action)
  }
}
