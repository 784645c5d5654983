import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct MaterializeTests {
  @Test func sendsEventsAsElementsAndCompletes() {
    let recorder = Recorder<String>()
    _ = Observable.just(1).materialize().map { "\($0)" }.subscribe(recorder)
    _ = Observable<Int>.error(Failure.first).materialize().map { "\($0)" }.subscribe(recorder)
    #expect(recorder.line == "next(1) completed | error(first) |")
  }
}
