import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

/// W: when operators that wait send.
@Suite("Laws: time", .accounted)
struct TimeLawTests {
  let time = VirtualTime()

  @Test func w1DebounceFlushesThePendingValueOnCompletedAndDropsItOnError() {
    let completed = time.source("210:1 220:|")
    let completedLine = time.run { [time] in
      completed.debounce(.seconds(50), scheduler: time.scheduler)
    }
    #expect(completedLine == "220:1 220:|")
    let second = VirtualTime()
    let failed = second.source("210:1 220:x")
    let failedLine = second.run { failed.debounce(.seconds(50), scheduler: second.scheduler) }
    #expect(failedLine == "220:xfirst")
  }

  @Test func w2ThrottleSendsTheFirstAtOnceAndTheLatestAtTheEndOfTheWindow() {
    let source = time.source("210:1 220:2 230:3 240:|")
    let line = time.run { [time] in source.throttle(.seconds(50), scheduler: time.scheduler) }
    #expect(line == "210:1 260:3 260:|")
  }

  @Test func w2WithoutLatestThrottleDropsAndAnErrorDropsToo() {
    let source = time.source("210:1 220:2 240:|")
    let line = time.run { [time] in
      source.throttle(.seconds(50), latest: false, scheduler: time.scheduler)
    }
    #expect(line == "210:1 240:|")
    let second = VirtualTime()
    let failed = second.source("210:1 220:2 240:x")
    let failedLine = second.run { failed.throttle(.seconds(50), scheduler: second.scheduler) }
    #expect(failedLine == "210:1 240:xfirst")
  }

  @Test func w3DelayShiftsElementsAndCompletionAndAnErrorDropsTheQueue() {
    let completed = time.source("210:1 220:2 230:|")
    let completedLine = time.run { [time] in
      completed.delay(.seconds(100), scheduler: time.scheduler)
    }
    #expect(completedLine == "310:1 320:2 330:|")
    let second = VirtualTime()
    let failed = second.source("210:1 220:2 315:x")
    let failedLine = second.run { failed.delay(.seconds(100), scheduler: second.scheduler) }
    #expect(failedLine == "310:1 315:xfirst")
  }

  @Test func w3AnErrorFromWithinADelayedElementComesRightAfterIt() {
    let source = PublishSubject<Int>()
    time.at(210) { [1, 2].forEach(source.onNext) }
    let journal = Journal()
    let line = time.run { [time] in
      source.delay(.seconds(50), scheduler: time.scheduler).do(onNext: { _ in
        source.onError(Failure.first)
        journal.write("returned")
      })
    }
    #expect(line == "260:1 260:xfirst")
    #expect(journal.line == "returned")
  }

  @Test func w4TimeoutRestartsWithEveryElementAndFailsOrSwitches() {
    let source = time.source("240:1 280:2 400:3")
    let line = time.run { [time] in source.timeout(.seconds(50), scheduler: time.scheduler) }
    #expect(line == "240:1 280:2 330:xtimeout")
    #expect(!source.hasObservers)
    let second = VirtualTime()
    let other = Observable.of(8, 9)
    let slow = second.source("240:1 400:3")
    let switched = second.run {
      slow.timeout(.seconds(50), other: other, scheduler: second.scheduler)
    }
    #expect(switched == "240:1 290:8 290:9 290:|")
  }

  @Test func w5IntervalAndTimerCountFromTheSubscriptionAndDisposingCancels() {
    let interval = Observable<Int>.interval(.seconds(10), scheduler: time.scheduler)
    time.scheduler.advanceTo(100)
    let counted = time.run(disposed: 225) { interval }
    #expect(counted == "210:0 220:1")
    let second = VirtualTime()
    let timer = Observable<Int>.timer(.seconds(10), scheduler: second.scheduler)
    second.scheduler.advanceTo(100)
    let cancelled = second.run(disposed: 209) { timer }
    #expect(cancelled == "")
    // The clock stopped at the disposal: cancelled work is not waited for.
    #expect(second.scheduler.clock == 209)
  }

  @Test(arguments: TimedPipelines.names)
  func w6AllAcceptVirtualTimeAndConsumeNoWallTime(name: String) throws {
    let scheduler = VirtualTimeScheduler()
    let pipeline = try TimedPipelines.named(name)
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    let spans = TimedPipelines.Spans(short: .seconds(600), long: .seconds(30_000))
    let subscription = pipeline(source, scheduler, spans).subscribe(recorder)
    for step in 1...3 {
      // Two hours each: with a real clock this test would not come back today.
      scheduler.advanceTo(step * 7200)
      source.onNext(step)
    }
    scheduler.advanceTo(28_800)
    #expect(recorder.line == "1 2 3")
    subscription.dispose()
    scheduler.start()
  }
}
