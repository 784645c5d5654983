/// Runs actions in the order of their time, on a virtual clock that advances to each of them.
///
/// So a test of hours takes no time and always runs in the same order. No action runs until
/// ``start()`` or ``advanceTo(_:)`` is called, and then on the thread of the call.
///
/// Threads: actions may be scheduled from any thread; one thread at a time runs them.
open class VirtualTimeScheduler: SchedulerType, @unchecked Sendable {
  // Unchecked: it may be subclassed; the lock guards what changes.

  private struct State {
    var clock: Int
    var isRunning = false
    var queue = TimedQueue()
  }

  /// The number of seconds in one unit of the clock.
  public let resolution: Double
  private let state: Locked<State>

  /// Makes a scheduler whose clock does not run.
  ///
  /// - Parameters:
  ///   - initialClock: the first time of the clock.
  ///   - resolution: the number of seconds in one unit of the clock; more than 0.
  public init(initialClock: Int = 0, resolution: Double = 1) {
    precondition(resolution > 0, "resolution is the seconds of a unit: more than 0.")
    self.resolution = resolution
    state = Locked(State(clock: initialClock))
  }

  /// The time of the clock, in its own units.
  public final var clock: Int { state.withLock { $0.clock } }

  /// The time of the clock.
  public final var now: RxTime {
    RxTime(nanoseconds: Int64(exactly: (Double(clock) * resolution * 1e9).rounded()) ?? .max)
  }

  /// True: each event has a step of its own, because handling it may take virtual time.
  public final var schedulesEachEvent: Bool { true }

  /// Returns the time at which an action is run; a subclass may return a later one.
  ///
  /// It is called for actions that are scheduled after an interval or for as soon as possible, and
  /// not for those that are scheduled in virtual time, which run at their time.
  ///
  /// - Parameter time: the time at which the action is due.
  open func adjustScheduledTime(_ time: Int) -> Int { time }

  /// Runs all scheduled actions, and those that they schedule, until there are none.
  ///
  /// - Precondition: it is not running already.
  public final func start() { run(until: nil) }

  /// Runs all actions that are due until a time, and sets the clock to that.
  ///
  /// - Parameter virtualTime: no earlier than the clock.
  /// - Precondition: it is not running already.
  public final func advanceTo(_ virtualTime: Int) {
    precondition(virtualTime >= clock, "The clock does not go back: advance to a later time.")
    run(until: virtualTime)
  }

  /// Advances the clock without running the actions that are due meanwhile, which run later.
  ///
  /// An action calls it to simulate how long it takes.
  ///
  /// - Parameter virtualInterval: a number of units of the clock; 0 or more.
  public final func sleep(_ virtualInterval: Int) {
    precondition(virtualInterval >= 0, "The clock does not go back: sleep 0 units or more.")
    state.withLock { $0.clock += virtualInterval }
  }

  /// Stops a running clock after the action that runs.
  public final func stop() { state.withLock { $0.isRunning = false } }

  /// Runs an action as soon as possible.
  @preconcurrency
  public final func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    scheduleAdjusted(state, dueTime: 0, action: action)
  }

  /// Runs an action after an interval, rounded to units of the clock.
  @preconcurrency
  public final func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    if dueTime.isEndless { return Disposables.create() }
    let units = Double(dueTime.nanoseconds) / 1e9 / resolution + 0.5
    return scheduleAdjusted(
      state, dueTime: Int(exactly: units.rounded(.down)) ?? .max, action: action)
  }

  private func scheduleAdjusted<State: Sendable>(
    _ state: State, dueTime: Int, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let time = adjustScheduledTime(self.time(after: dueTime))
    return scheduleAbsoluteVirtual(state, time: time, action: action)
  }

  private func time(after dueTime: Int) -> Int {
    let (time, isOver) = clock.addingReportingOverflow(dueTime)
    return isOver ? .max : time
  }

  /// Runs an action after a number of units of the clock.
  @preconcurrency
  public final func scheduleRelativeVirtual<State: Sendable>(
    _ state: State, dueTime: Int, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    scheduleAbsoluteVirtual(state, time: time(after: dueTime), action: action)
  }

  /// Runs an action at a time, or as soon as possible when the clock is past it.
  @preconcurrency
  public final func scheduleAbsoluteVirtual<State: Sendable>(
    _ state: State, time: Int, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let handle = VirtualHandle()
    let item = ScheduledItem(state) { state in
      handle.started.attach(action(state))
      return Disposables.create()
    }
    handle.item = item
    self.state.withLock { $0.queue.insert(item, at: time) }
    return handle
  }

  private func run(until end: Int?) {
    state.withLock { state in
      precondition(!state.isRunning, "The clock is running: schedule the work instead.")
      state.isRunning = true
    }
    while let item = nextItem(until: end) { item.invoke() }
    state.withLock { state in
      if state.isRunning, let end { state.clock = max(state.clock, end) }
      state.isRunning = false
    }
  }

  /// Removes and returns the next action, and sets the clock to its time.
  private func nextItem(until end: Int?) -> ScheduledItem? {
    state.withLock { state in
      while state.isRunning, let time = state.queue.nextTime, time <= end ?? .max {
        guard let item = state.queue.popFirst() else { return nil }
        // A cancelled action does not advance the clock.
        if item.isDisposed { continue }
        state.clock = max(state.clock, time)
        return item
      }
      return nil
    }
  }
}

/// Cancels a scheduled action, or disposes the disposable that the action returned.
///
/// It does not retain an action that waits, which is deallocated with its scheduler.
private final class VirtualHandle: Disposable, @unchecked Sendable {
  // Unchecked: the item is set once, before the handle is shared.
  weak var item: ScheduledItem?
  /// The disposable that the action returned, which is retained here alone.
  let started = SingleAssignmentHandle()

  func dispose() {
    item?.dispose()
    started.dispose()
  }
}

/// Scheduled actions, the earliest first; those of the same time in the order of scheduling.
///
/// It is a binary heap: insertion and removal are O(log n).
struct TimedQueue {
  private struct Entry {
    let time: Int
    let order: UInt64
    let item: ScheduledItem

    func precedes(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
  }

  private var entries: [Entry] = []
  private var lastOrder: UInt64 = 0

  /// The time of the earliest action; nil when there is none.
  var nextTime: Int? { entries.first?.time }

  mutating func insert(_ item: ScheduledItem, at time: Int) {
    lastOrder += 1
    entries.append(Entry(time: time, order: lastOrder, item: item))
    var child = entries.count - 1
    while child > 0, entries[child].precedes(entries[(child - 1) / 2]) {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func popFirst() -> ScheduledItem? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    if entries.isEmpty { return first.item }
    entries[0] = last
    var parent = 0
    while let child = earlierChild(of: parent), entries[child].precedes(entries[parent]) {
      entries.swapAt(child, parent)
      parent = child
    }
    return first.item
  }

  private func earlierChild(of parent: Int) -> Int? {
    let left = 2 * parent + 1
    guard left < entries.count else { return nil }
    let right = left + 1
    return right < entries.count && entries[right].precedes(entries[left]) ? right : left
  }
}
