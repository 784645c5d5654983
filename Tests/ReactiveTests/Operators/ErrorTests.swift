import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ErrorTests {
  @Test func failsWithoutAnElement() {
    let recorder = Recorder<Int>()
    _ = Observable<Int>.error(Failure.first).subscribe(recorder)
    #expect(recorder.line == "xfirst")
  }
}
