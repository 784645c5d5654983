import Dispatch
import Synchronization

/// Runs actions on the main queue, at once when they are scheduled from there.
///
/// On the main queue, when no other action is scheduled, an action runs before `schedule` returns,
/// so an event from the main queue is delivered there without a delay. While an action waits,
/// later ones wait for it, which keeps their order.
public final class MainScheduler: SerialDispatchQueueScheduler, @unchecked Sendable {
  // Unchecked: as its superclass; the count is atomic.

  /// The shared instance.
  public static let instance = MainScheduler()

  /// Runs actions on the main queue, and never before `schedule` returns.
  public static let asyncInstance = SerialDispatchQueueScheduler(
    on: .main, leeway: .nanoseconds(0))

  /// How many actions were scheduled and have not ended.
  private let pending = Atomic<Int>(0)

  /// Makes another instance, whose actions do not wait for those of the others.
  public init() {
    super.init(on: .main, leeway: .nanoseconds(0))
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
    queue.async { [self] in
      item.invoke()
      pending.subtract(1, ordering: .acquiringAndReleasing)
    }
    return item
  }

  /// Runs a closure on the main actor; before this returns, when it is called from there.
  ///
  /// - Returns: the handle that cancels it.
  @discardableResult
  public func run(_ work: @escaping @MainActor @Sendable () -> Void) -> any Disposable {
    schedule(()) {
      MainActor.assumeIsolated { work() }
      return Disposables.create()
    }
  }

  /// Traps unless it is called on the main queue.
  public static func ensureExecutingOnScheduler(errorMessage: String? = nil) {
    precondition(
      MainQueue.isCurrent,
      errorMessage ?? "Only for the main queue: put observe(on: MainScheduler.instance) before.")
  }
}

/// The scheduler of the main actor, which runs its jobs on the main queue.
public typealias MainActorScheduler = MainScheduler

/// Tells whether code runs on the main queue.
///
/// It checks the queue and not the thread: after `dispatchMain()`, other threads serve the main
/// queue.
private struct MainQueue: @unchecked Sendable {
  // Unchecked: the key is only compared by its identity.
  private static let marked = MainQueue()

  private let key = DispatchSpecificKey<Bool>()

  private init() { DispatchQueue.main.setSpecific(key: key, value: true) }

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: marked.key) == true }
}
