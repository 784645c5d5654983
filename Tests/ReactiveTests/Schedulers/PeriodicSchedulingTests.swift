import Dispatch
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// Periodic work on schedulers that have no timer of their own for it.
@Suite(.accounted)
struct PeriodicSchedulingTests {
  // Each run was due one period after the run before had begun: every one was late by all that
  // the ones before it had been late.
  @Test func lateWakeUpsDoNotAddUp() {
    let clock = HandClock()
    let ticks = clock.schedulePeriodic(0, startAfter: .seconds(5), period: .seconds(10)) { $0 + 1 }
    #expect(clock.asked == 5)
    clock.wake(at: 5)
    var asked: [Int] = []
    for time in [17, 29, 35, 48] {
      clock.wake(at: time)
      asked.append(clock.asked ?? -1)
    }
    #expect(asked == [8, 6, 10, 7])
    ticks.dispose()
  }

  @Test func whatTheSchedulerWasTooLateForIsSkipped() {
    let clock = HandClock()
    let runs = Counter()
    let ticks = clock.schedulePeriodic(0, startAfter: .seconds(0), period: .seconds(10)) {
      runs.increment()
      return $0
    }
    clock.wake(at: 0)
    // Due at 10, 20 and 30.
    clock.wake(at: 37)
    #expect(clock.asked == 3)
    // Exactly when it is due: the next one is a period later, and not now.
    clock.wake(at: 60)
    #expect(clock.asked == 10)
    #expect(runs.value == 3)
    ticks.dispose()
  }

  // Runs that came due while one was busy waited in line, so an action that took longer than its
  // period was owed more and more of them.
  @Test func whatComesDueWhileARunIsBusyIsSkipped() {
    let clock = HandClock()
    let recorder = Recorder<Int>()
    let ticks = Observable<Int>.interval(.seconds(10), scheduler: clock)
      .do(onNext: { number in
        guard number == 0 else { return }
        // As on another thread, while this one is busy.
        for time in [20, 30, 40] { clock.wake(at: time) }
      }).subscribe(recorder)
    clock.wake(at: 10)
    #expect(recorder.line == "0")
    clock.wake(at: 50)
    #expect(recorder.line == "0 1")
    ticks.dispose()
    #expect(clock.asked == nil)
  }

  @Test func aPeriodOfNothingIsAsSoonAsPossibleAndOneThatNeverEndsIsOnce() {
    let clock = HandClock()
    let (often, once) = (Counter(), Counter())
    let ticks = clock.schedulePeriodic((), startAfter: .seconds(1), period: .seconds(0)) {
      often.increment()
    }
    for time in [1, 2, 3] {
      clock.wake(at: time)
      #expect(clock.asked == 0)
    }
    ticks.dispose()
    let single = clock.schedulePeriodic((), startAfter: .seconds(1), period: .never) {
      once.increment()
    }
    clock.wake(at: 4)
    #expect(clock.asked == nil)
    #expect(often.value == 3)
    #expect(once.value == 1)
    single.dispose()
  }

  @Test func inVirtualTimeRunsKeepToTheirPeriodsHoweverUnitsAreRounded() {
    let scheduler = VirtualTimeScheduler(resolution: 0.1)
    let recorder = Recorder<Int>()
    let ticks = scheduler.schedulePeriodic(
      (), startAfter: .milliseconds(250), period: .milliseconds(240)
    ) { recorder.onNext(scheduler.clock) }
    scheduler.advanceTo(100)
    ticks.dispose()
    #expect(recorder.elements.count == 41)
    #expect(recorder.elements.prefix(6) == [3, 5, 8, 10, 13, 15])
  }
}

/// A clock that a test moves, and that runs actions as late as the test likes.
private final class HandClock: SchedulerType {
  private struct Request: Sendable {
    let seconds: Int
    let work: @Sendable () -> Void
  }

  private let time = Box(0)
  private let request = Box<Request>()

  var now: RxTime { RxTime(nanoseconds: Int64(time.value ?? 0) * 1_000_000_000) }

  /// How many seconds the one who waits asked for; nil when nobody waits.
  var asked: Int? { request.value?.seconds }

  func wake(at time: Int) {
    self.time.value = time
    let work = request.value?.work
    request.value = nil
    work?()
  }

  func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    scheduleRelative(state, dueTime: .nanoseconds(0), action: action)
  }

  func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    let seconds: Int
    switch dueTime {
    case .seconds(let count): seconds = count
    case .nanoseconds(let count): seconds = count / 1_000_000_000
    default: return Disposables.create()
    }
    request.value = Request(seconds: seconds) { _ = action(state) }
    return Disposables.create { [request] in request.value = nil }
  }
}
