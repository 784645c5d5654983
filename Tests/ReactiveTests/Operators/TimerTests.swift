import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct TimerTests {
  let time = VirtualTime()

  @Test func sendsOnceAndCompletes() {
    let line = time.run { [time] in
      Observable<Int>.timer(.seconds(100), scheduler: time.scheduler)
    }
    #expect(line == "300:0 300:|")
  }

  @Test func withAPeriodItGoesOn() {
    let line = time.run(disposed: 370) { [time] in
      Observable<Int>.timer(.seconds(100), period: .seconds(30), scheduler: time.scheduler)
    }
    #expect(line == "300:0 330:1 360:2")
  }

  @Test func aTimerThatNeverComesIsNever() {
    let line = time.run { [time] in
      Observable<Int>.timer(.never, scheduler: time.scheduler)
    }
    #expect(line == "")
  }

  @Test func disposedFromWithinItsElementItDoesNotComplete() {
    let recorder = Recorder<Int>()
    let subscription = SerialDisposable()
    subscription.disposable = Observable<Int>.timer(.seconds(1), scheduler: time.scheduler)
      .do(afterNext: { _ in subscription.dispose() }).subscribe(recorder)
    time.scheduler.start()
    #expect(recorder.line == "0")
  }
}
