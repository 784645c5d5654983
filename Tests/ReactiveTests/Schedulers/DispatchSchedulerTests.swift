import Dispatch
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite("Schedulers on queues", .accounted)
struct DispatchSchedulerTests {
  static let schedulers: [any SchedulerType] = [
    SerialDispatchQueueScheduler(internalSerialQueueName: "serial"),
    SerialDispatchQueueScheduler(qos: .userInitiated),
    ConcurrentDispatchQueueScheduler(qos: .userInitiated),
    ConcurrentDispatchQueueScheduler(queue: DispatchQueue(label: "queue")),
  ]

  @Test(arguments: schedulers.indices)
  func runWorkAlsoWhenNobodyKeepsTheHandle(index: Int) {
    let scheduler = Self.schedulers[index]
    let done = Gate()
    let open: @Sendable (Gate) -> any Disposable = { gate in
      gate.open()
      return Disposables.create()
    }
    _ = scheduler.schedule(done, action: open)
    done.pass("the work did not run")
    _ = scheduler.scheduleRelative(done, dueTime: .microseconds(10), action: open)
    done.pass("the timer did not come")
    _ = scheduler.scheduleRelative(done, dueTime: .nanoseconds(-1), action: open)
    done.pass("the late timer did not come")
  }

  @Test(arguments: schedulers.indices)
  func timersComeNoEarlierThanTheyShould(index: Int) {
    let scheduler = Self.schedulers[index]
    let began = scheduler.now
    let came = Box<RxTime>()
    let done = Gate()
    _ = scheduler.scheduleRelative((), dueTime: .milliseconds(3)) {
      came.value = scheduler.now
      done.open()
      return Disposables.create()
    }
    done.pass("the timer did not come")
    #expect(came.value.map { $0 >= began.addingTimeInterval(0.003) } == true)
  }

  @Test(arguments: schedulers.indices)
  func whatWasTakenBackLetsGoAtOnceAndNeverRuns(index: Int) {
    let scheduler = Self.schedulers[index]
    weak var captured: Witness?
    let timers: [any Disposable]
    do {
      let witness = Witness()
      captured = witness
      timers = [
        scheduler.scheduleRelative((), dueTime: .seconds(1000)) {
          witness.touch()
          return Disposables.create()
        },
        scheduler.schedulePeriodic(0, startAfter: .seconds(1000), period: .seconds(1000)) {
          witness.touch()
          return $0
        },
      ]
    }
    #expect(captured != nil)
    for timer in timers { timer.dispose() }
    #expect(captured == nil)
  }

  @Test func whatTheWorkStartedIsDisposedWithTheHandle() {
    let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "serial")
    let started = BooleanDisposable()
    let done = Gate()
    let handle = scheduler.schedule(()) { started }
    _ = scheduler.schedule(()) {
      done.open()
      return Disposables.create()
    }
    done.pass("the work did not run")
    #expect(!started.isDisposed)
    handle.dispose()
    #expect(started.isDisposed)
  }

  @Test func aTimerThatIsNeverDueHoldsNothing() {
    weak var captured: Witness?
    do {
      let witness = Witness()
      captured = witness
      _ = Self.schedulers[0].scheduleRelative((), dueTime: .never) {
        witness.touch()
        return Disposables.create()
      }
    }
    #expect(captured == nil)
  }

  @Test func theMainSchedulerCanTellWhereItIs() async {
    let isReached = Counter()
    await MainActor.run {
      MainScheduler.ensureExecutingOnScheduler()
      isReached.increment()
    }
    #expect(isReached.value == 1)
    await #expect(processExitsWith: .failure) {
      DispatchQueue(label: "another").sync { MainScheduler.ensureExecutingOnScheduler() }
    }
  }
}
