import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct VirtualTimeSchedulerTests {
  @Test func runsWorkInTheOrderOfItsTimeAndThenOfScheduling() {
    let time = VirtualTime()
    let journal = Journal()
    for (index, due) in [30, 10, 20, 10, 30, 20].enumerated() {
      time.at(due) { journal.write("\(due).\(index)") }
    }
    time.scheduler.start()
    #expect(journal.line == "10.1 10.3 20.2 20.5 30.0 30.4")
    #expect(time.scheduler.clock == 30)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func anyNumberOfTimesComesInOrder(seed: UInt64) {
    let time = VirtualTime()
    let recorder = Recorder<Int>()
    var random = seed
    for _ in 0..<1000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let due = Int(random >> 40) % 500
      time.at(due) { recorder.onNext(due) }
    }
    time.scheduler.start()
    #expect(recorder.elements.count == 1000)
    #expect(recorder.elements == recorder.elements.sorted())
  }

  @Test func advancesNoFurtherThanItIsTold() {
    let time = VirtualTime()
    let journal = Journal()
    for due in [10, 20, 30] { time.at(due) { journal.write("\(due)") } }
    time.scheduler.advanceTo(20)
    #expect(journal.line == "10 20")
    #expect(time.scheduler.clock == 20)
    time.scheduler.advanceTo(25)
    #expect(time.scheduler.clock == 25)
    #expect(journal.line == "10 20")
  }

  @Test func whatWasTakenBackNeitherRunsNorMovesTheClock() {
    let scheduler = VirtualTimeScheduler(initialClock: 5)
    let work = scheduler.scheduleRelativeVirtual((), dueTime: 10) {
      Issue.record("it was taken back")
      return Disposables.create()
    }
    work.dispose()
    scheduler.start()
    #expect(scheduler.clock == 5)
  }

  // Once the work had run, nobody kept what it returned, so disposing its handle did nothing.
  @Test func whatTheWorkStartedIsDisposedWithTheHandle() {
    let scheduler = VirtualTimeScheduler()
    let started = (0..<3).map { _ in BooleanDisposable() }
    let handles = [
      scheduler.schedule(()) { started[0] },
      scheduler.scheduleRelative((), dueTime: .seconds(1)) { started[1] },
      scheduler.scheduleAbsoluteVirtual((), time: 1) { started[2] },
    ]
    scheduler.start()
    for (handle, started) in zip(handles, started) {
      #expect(!started.isDisposed)
      handle.dispose()
      #expect(started.isDisposed)
    }
  }

  @Test func whatTheWorkStartedIsDisposedAtOnceWhenItTookItselfBack() {
    let scheduler = VirtualTimeScheduler()
    let started = BooleanDisposable()
    let handle = SingleAssignmentDisposable()
    handle.setDisposable(
      scheduler.schedule(()) {
        handle.dispose()
        return started
      })
    scheduler.start()
    #expect(started.isDisposed)
  }

  @Test func aHandleKeepsNoWorkOfASchedulerThatIsGone() {
    weak var captured: Witness?
    let handle: any Disposable
    do {
      let witness = Witness()
      captured = witness
      handle = VirtualTimeScheduler().schedule(()) {
        witness.touch()
        return Disposables.create()
      }
    }
    #expect(captured == nil)
    handle.dispose()
  }

  @Test func stopsAfterTheWorkThatItIsAt() {
    let time = VirtualTime()
    let journal = Journal()
    time.at(10) {
      journal.write("10")
      time.scheduler.stop()
    }
    time.at(20) { journal.write("20") }
    time.scheduler.advanceTo(30)
    #expect(journal.line == "10")
    #expect(time.scheduler.clock == 10)
    time.scheduler.start()
    #expect(journal.line == "10 20")
  }

  @Test func intervalsAreRoundedToUnits() {
    let scheduler = VirtualTimeScheduler(resolution: 0.1)
    let recorder = Recorder<Int>()
    for milliseconds in [49, 50, 149, 151, 1000] {
      _ = scheduler.scheduleRelative((), dueTime: .milliseconds(milliseconds)) {
        recorder.onNext(scheduler.clock)
        return Disposables.create()
      }
    }
    scheduler.start()
    #expect(recorder.elements == [0, 1, 1, 2, 10])
    #expect(scheduler.now == RxTime(nanoseconds: 1_000_000_000))
  }

  @Test func periodicWorkIsDueAtWholePeriods() {
    let scheduler = VirtualTimeScheduler()
    let recorder = Recorder<Int>()
    let ticks = scheduler.schedulePeriodic(7, startAfter: .seconds(3), period: .seconds(10)) {
      recorder.onNext(scheduler.clock * 100 + $0)
      return $0 + 1
    }
    scheduler.advanceTo(25)
    ticks.dispose()
    scheduler.start()
    #expect(recorder.elements == [307, 1308, 2309])
    #expect(scheduler.clock == 25)
  }

  @Test func recursiveWorkRunsAsOftenAsItAsks() {
    let scheduler = VirtualTimeScheduler()
    let recorder = Recorder<Int>()
    _ = scheduler.scheduleRecursive(1) { state, recurse in
      recorder.onNext(state)
      if state < 8 {
        recurse(state * 2)
        if state == 2 { recurse(100) }
      }
    }
    scheduler.start()
    #expect(recorder.elements == [1, 2, 4, 100, 8])
  }

  @Test func anActionMaySayHowLongItTakes() {
    let time = VirtualTime()
    let journal = Journal()
    let spend = time.scheduler.sleep
    time.at(10) { spend(15) }
    for due in [20, 30] { time.at(due) { journal.write("\(due)@\(time.scheduler.clock)") } }
    time.scheduler.start()
    #expect(journal.line == "20@25 30@30")
  }

  @Test func startingARunningClockTraps() async {
    await #expect(processExitsWith: .failure) {
      let scheduler = VirtualTimeScheduler()
      _ = scheduler.schedule(()) {
        scheduler.start()
        return Disposables.create()
      }
      scheduler.start()
    }
  }

  @Test func goingBackTraps() async {
    await #expect(processExitsWith: .failure) {
      VirtualTimeScheduler(initialClock: 10).advanceTo(9)
    }
  }
}
