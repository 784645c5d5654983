import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct IgnoreElementsTests {
  @Test func sendsTheEndAlone() {
    let recorder = Recorder<Never>()
    _ = Observable.of(1, 2).ignoreElements().subscribe(recorder)
    _ = Observable.of(1, 2).map(refusing(2)).ignoreElements().subscribe(recorder)
    #expect(recorder.events.map(\.isCompleted) == [true, false])
  }
}
