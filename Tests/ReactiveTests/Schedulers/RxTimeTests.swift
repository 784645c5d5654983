import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

struct RxTimeTests {
  @Test func isComparedAndMeasuredInSeconds() {
    let first = RxTime(nanoseconds: 1_500_000_000)
    let second = first.addingTimeInterval(0.25)
    #expect(second == RxTime(nanoseconds: 1_750_000_000))
    #expect(first < second)
    #expect(second.timeIntervalSince(first) == 0.25)
    #expect(first.timeIntervalSince(second) == -0.25)
  }

  @Test(arguments: [RxTimeInterval.seconds(.max), .milliseconds(.max), .seconds(2_000_000_000)])
  func noIntervalIsTooLong(interval: RxTimeInterval) {
    let scheduler = VirtualTimeScheduler(initialClock: 1)
    let recorder = Recorder<Int>()
    _ = Observable.just(1).delay(interval, scheduler: scheduler).subscribe(recorder)
    _ = Observable.of(1, 2).throttle(interval, scheduler: scheduler).subscribe(recorder)
    scheduler.advanceTo(1000)
    #expect(recorder.line == "1")
    scheduler.start()
    #expect(recorder.events.count == 5)
  }
}
