/// Runs work on the main actor, at once when it is scheduled from there.
///
/// It is the ``MainScheduler`` with a promise that the compiler knows: see ``run(_:)``.
public final class MainActorScheduler: SchedulerType {
  /// The one that there need be; its work waits behind that of `MainScheduler.instance`.
  public static let instance = MainActorScheduler(MainScheduler.instance)

  private let main: MainScheduler

  private init(_ main: MainScheduler) {
    self.main = main
  }

  /// Makes another one, whose work does not wait behind that of the others.
  public convenience init() { self.init(MainScheduler()) }

  /// What the clock of the machine says.
  public var now: RxTime { main.now }

  /// Runs a closure of the main actor, before this returns where that is the caller's place.
  ///
  /// - Returns: what keeps it from running.
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

  /// Runs an action on the main actor again and again.
  @preconcurrency
  public func schedulePeriodic<State: Sendable>(
    _ state: State, startAfter: RxTimeInterval, period: RxTimeInterval,
    action: @escaping @Sendable (State) -> State
  ) -> any Disposable {
    main.schedulePeriodic(state, startAfter: startAfter, period: period, action: action)
  }
}
