/// Runs work in the order of its time, on a clock that only moves when there is work to do.
///
/// Hours pass in no time at all, and always in the same way: that is what tests of time want.
/// Nothing runs until ``start()`` or ``advanceTo(_:)`` is called, and then on that thread.
///
/// Threads: work may be scheduled from any thread; one thread at a time runs it.
open class VirtualTimeScheduler: SchedulerType, @unchecked Sendable {
  // Unchecked: it may be subclassed; what changes is guarded.

  private struct State {
    var clock: Int
    var isRunning = false
    var queue = TimedQueue()
  }

  /// How many seconds one unit of the clock stands for.
  public let resolution: Double
  private let state: Locked<State>

  /// Makes a scheduler whose clock stands still.
  ///
  /// - Parameters:
  ///   - initialClock: what the clock says at first.
  ///   - resolution: how many seconds one unit of the clock stands for; more than 0.
  public init(initialClock: Int = 0, resolution: Double = 1) {
    precondition(resolution > 0, "resolution is the seconds of a unit: more than 0.")
    self.resolution = resolution
    state = Locked(State(clock: initialClock))
  }

  /// What the clock says, in its own units.
  public final var clock: Int { state.withLock { $0.clock } }

  /// What the clock says, as a moment.
  public final var now: RxTime {
    RxTime(nanoseconds: Int64(exactly: (Double(clock) * resolution * 1e9).rounded()) ?? .max)
  }

  /// A step for each event, because handling one may take virtual time.
  public final var schedulesEachEvent: Bool { true }

  /// When work runs that was asked for at a time; subclasses may put it off.
  open func adjustScheduledTime(_ time: Int) -> Int { time }

  /// Runs everything that is scheduled, and what that schedules, until there is nothing left.
  ///
  /// - Precondition: it is not running already.
  public final func start() { run(until: nil) }

  /// Runs everything that is due until a time, and sets the clock to it.
  ///
  /// - Parameter virtualTime: no earlier than the clock.
  /// - Precondition: it is not running already.
  public final func advanceTo(_ virtualTime: Int) {
    precondition(virtualTime >= clock, "The clock does not go back: advance to a later time.")
    run(until: virtualTime)
  }

  /// Makes a running clock stand still after the work that it is at.
  public final func stop() { state.withLock { $0.isRunning = false } }

  /// Runs an action as soon as possible.
  @preconcurrency
  public final func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    scheduleRelativeVirtual(state, dueTime: 0, action: action)
  }

  /// Runs an action after an interval, rounded to units of the clock.
  @preconcurrency
  public final func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    if dueTime.isEndless { return Disposables.create() }
    let units = Double(dueTime.nanoseconds) / 1e9 / resolution + 0.5
    return scheduleRelativeVirtual(
      state, dueTime: Int(exactly: units.rounded(.down)) ?? .max, action: action)
  }

  /// Runs an action after so many units of the clock.
  @preconcurrency
  public final func scheduleRelativeVirtual<State: Sendable>(
    _ state: State, dueTime: Int, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let (time, isOver) = clock.addingReportingOverflow(dueTime)
    return scheduleAbsoluteVirtual(state, time: isOver ? .max : time, action: action)
  }

  /// Runs an action at a time; one that is over is as soon as possible.
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
    let time = adjustScheduledTime(time)
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

  /// Takes the next work out and sets the clock to its time.
  private func nextItem(until end: Int?) -> ScheduledItem? {
    state.withLock { state in
      while state.isRunning, let time = state.queue.nextTime, time <= end ?? .max {
        guard let item = state.queue.popFirst() else { return nil }
        // What was taken back costs no time either.
        if item.isDisposed { continue }
        state.clock = max(state.clock, time)
        return item
      }
      return nil
    }
  }
}

/// Takes back scheduled work, or stops what it started.
///
/// It does not keep work that waits: a scheduler that goes away takes that along.
private final class VirtualHandle: Disposable, @unchecked Sendable {
  // Unchecked: the item is set once, before anybody else knows the handle.
  weak var item: ScheduledItem?
  /// What the work started, which nobody else keeps.
  let started = SingleAssignmentHandle()

  func dispose() {
    item?.dispose()
    started.dispose()
  }
}

/// Scheduled work, the earliest first, and in the order of scheduling where times are equal.
///
/// A binary heap: adding and taking are O(log n).
struct TimedQueue {
  private struct Entry {
    let time: Int
    let order: UInt64
    let item: ScheduledItem

    func precedes(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
  }

  private var entries: [Entry] = []
  private var lastOrder: UInt64 = 0

  /// When the earliest work is due; nil when there is none.
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
