import CroftLibc

/// Runs actions on the thread that schedules them, one at a time: a trampoline.
///
/// An action that is scheduled from within another one runs after that has returned, so actions
/// that schedule more actions cost no stack. The outermost `schedule` returns when all have run.
public final class CurrentThreadScheduler: ImmediateSchedulerType {
  /// The shared instance; each thread has a queue of its own.
  public static let instance = CurrentThreadScheduler()

  private init() {}

  /// Whether this thread runs no scheduled action.
  public static var isScheduleRequired: Bool { Trampoline.current == nil }

  /// Runs an action now, or after the action that is running on this thread.
  @preconcurrency
  public func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    if let trampoline = Trampoline.current {
      let item = ScheduledItem(state, action)
      trampoline.append(item)
      return item
    }
    return Trampoline().run { action(state) }
  }
}

/// The actions that wait on one thread while another one runs.
private final class Trampoline {
  // Accessed by its own thread alone.
  private var waiting = Queue<ScheduledItem>()

  /// The trampoline of the calling thread, while it runs an action.
  static var current: Trampoline? {
    pthread_getspecific(ThreadSlot.shared.key).map {
      Unmanaged<Trampoline>.fromOpaque($0).takeUnretainedValue()
    }
  }

  func append(_ item: ScheduledItem) { waiting.append(item) }

  /// Runs the body, and then the actions scheduled meanwhile, until there are none.
  func run<Result>(_ body: () -> Result) -> Result {
    // The slot does not retain the object, and is cleared before that is deallocated.
    pthread_setspecific(ThreadSlot.shared.key, Unmanaged.passUnretained(self).toOpaque())
    defer { pthread_setspecific(ThreadSlot.shared.key, nil) }
    let result = body()
    while let item = waiting.popFirst() { item.invoke() }
    return result
  }
}

/// A thread-specific pointer.
private struct ThreadSlot: Sendable {
  static let shared = ThreadSlot()

  let key: pthread_key_t

  private init() {
    var key = pthread_key_t()
    let code = pthread_key_create(&key, nil)
    precondition(code == 0, "The process has no thread-specific key left: release some.")
    self.key = key
  }
}
