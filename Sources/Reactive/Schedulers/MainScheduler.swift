import Dispatch
import Synchronization

/// Runs work on the main queue, at once when it is scheduled from there.
///
/// On the main queue and with nothing else scheduled, work runs before `schedule` returns, so
/// an event that comes from the main queue reaches an observer there without a detour. While
/// something waits, later work waits behind it: the order is kept.
public final class MainScheduler: SerialDispatchQueueScheduler, @unchecked Sendable {
  // Unchecked: as its superclass; the count is atomic.

  /// The one that there need be.
  public static let instance = MainScheduler()

  /// Runs work on the main queue, and never before `schedule` returns.
  public static let asyncInstance = SerialDispatchQueueScheduler(
    serialQueue: .main, leeway: .nanoseconds(0))

  /// How many pieces of work were scheduled and have not ended.
  private let pending = Atomic<Int>(0)

  /// Makes another one, whose work does not wait behind that of the others.
  public init() {
    super.init(serialQueue: .main, leeway: .nanoseconds(0))
  }

  /// Runs an action on the main queue, perhaps at once.
  @preconcurrency
  public override func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let before = pending.add(1, ordering: .acquiringAndReleasing).oldValue
    if before == 0, MainQueue.isCurrent {
      defer { pending.subtract(1, ordering: .acquiringAndReleasing) }
      return action(state)
    }
    let item = ScheduledItem(state, action)
    executor.queue.async { [self] in
      item.invoke()
      pending.subtract(1, ordering: .acquiringAndReleasing)
    }
    return item
  }

  /// Traps unless it is called on the main queue.
  ///
  /// - Parameter errorMessage: says what has to happen there.
  public static func ensureExecutingOnScheduler(errorMessage: String? = nil) {
    precondition(
      MainQueue.isCurrent,
      errorMessage ?? "Only for the main queue: put observe(on: MainScheduler.instance) before.")
  }
}

/// Tells whether code runs on the main queue.
///
/// The queue and not the thread: a program whose main thread gave itself over to Dispatch has
/// its main queue served by others.
private struct MainQueue: @unchecked Sendable {
  // Unchecked: the key is only compared by its identity.
  private static let marked = MainQueue()

  private let key = DispatchSpecificKey<Bool>()

  private init() { DispatchQueue.main.setSpecific(key: key, value: true) }

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: marked.key) == true }
}
