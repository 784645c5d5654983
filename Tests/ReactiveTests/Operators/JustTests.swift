import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct JustTests {
  @Test func sendsOneElementAndCompletes() {
    let recorder = Recorder<Int>()
    _ = Observable.just(1).subscribe(recorder)
    #expect(recorder.line == "1 |")
  }

  @Test func onASchedulerItTakesAStepEach() {
    let time = VirtualTime()
    let scheduler = time.scheduler
    #expect(time.run { Observable.just(1, scheduler: scheduler) } == "200:1 200:|")
  }
}
