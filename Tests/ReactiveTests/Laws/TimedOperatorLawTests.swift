import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

/// M, for what waits in operators and in schedulers.
@Suite("Laws: operators with schedulers", .accounted)
struct TimedOperatorLawTests {
  @Test(arguments: ["debounce", "throttle", "delay", "observe(on:)"])
  func m3ElementsThatWaitAreReleasedOnDisposal(name: String) throws {
    let scheduler = VirtualTimeScheduler()
    let source = PublishSubject<Int>()
    weak var waiting: Witness?
    let subscription: any Disposable
    do {
      let witness = Witness()
      waiting = witness
      let witnesses = source.map { _ in witness }
      subscription =
        switch name {
        case "debounce": witnesses.debounce(.seconds(10), scheduler: scheduler).subscribe()
        case "delay": witnesses.delay(.seconds(10), scheduler: scheduler).subscribe()
        case "observe(on:)": witnesses.observe(on: scheduler).subscribe()
        default: witnesses.throttle(.seconds(10), scheduler: scheduler).subscribe()
        }
    }
    source.onNext(1)
    source.onNext(2)
    #expect(waiting != nil)
    subscription.dispose()
    #expect(waiting == nil)
  }

  @Test func m2ASchedulerThatGoesAwayTakesItsWorkWithIt() {
    weak var captured: Witness?
    let source = PublishSubject<Int>()
    do {
      let witness = Witness()
      captured = witness
      let scheduler = VirtualTimeScheduler()
      _ = Observable<Int>.timer(.seconds(1), scheduler: scheduler)
        .subscribe(onNext: { _ in witness.touch() })
    }
    #expect(captured == nil)
    source.onCompleted()
  }
}
