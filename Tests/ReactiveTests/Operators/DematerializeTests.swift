import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct DematerializeTests {
  @Test func doesWhatTheEventsSay() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2).map(refusing(2)).materialize().dematerialize().subscribe(recorder)
    _ = Observable.just(1).materialize().dematerialize().subscribe(recorder)
    #expect(recorder.line == "1 xfirst 1 |")
  }

  @Test func anEndAmongTheElementsLetsTheSourceGo() {
    let source = PublishSubject<Event<Int>>()
    let recorder = Recorder<Int>()
    _ = source.dematerialize().subscribe(recorder)
    source.onNext(.next(1))
    source.onNext(.completed)
    source.onNext(.next(2))
    #expect(recorder.line == "1 |")
    #expect(!source.hasObservers)
  }
}
