#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs work on the thread that schedules it, one piece after the other.
///
/// What is scheduled from within work waits until that returned, so work that schedules more
/// work costs no stack. The outermost `schedule` returns when all of it is done.
public final class CurrentThreadScheduler: ImmediateSchedulerType {
  /// The one that there is; each thread has a queue of its own.
  public static let instance = CurrentThreadScheduler()

  private init() {}

  /// Whether this thread is outside of any scheduled work.
  public static var isScheduleRequired: Bool { Trampoline.current == nil }

  /// Runs an action now, or after the work that is running on this thread.
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

/// The work that waits on one thread while some of it is running.
private final class Trampoline {
  // Touched by its own thread alone: nobody else can reach it.
  private var waiting = Queue<ScheduledItem>()

  /// That of the calling thread, while it runs work.
  static var current: Trampoline? {
    pthread_getspecific(ThreadSlot.shared.key).map {
      Unmanaged<Trampoline>.fromOpaque($0).takeUnretainedValue()
    }
  }

  func append(_ item: ScheduledItem) { waiting.append(item) }

  /// Runs the body, and then what it left, and what that left.
  func run<Result>(_ body: () -> Result) -> Result {
    // The slot holds no reference: it is emptied before this object goes away.
    pthread_setspecific(ThreadSlot.shared.key, Unmanaged.passUnretained(self).toOpaque())
    defer { pthread_setspecific(ThreadSlot.shared.key, nil) }
    let result = body()
    while let item = waiting.popFirst() { item.invoke() }
    return result
  }
}

/// A place for one pointer per thread.
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
