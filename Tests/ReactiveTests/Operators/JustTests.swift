import Reactive
import Testing

@Suite(.accounted)
struct JustTests {
  @Test func sendsOneElementAndCompletes() {
    let recorder = Recorder<Int>()
    _ = Observable.just(1).subscribe(recorder)
    #expect(recorder.line == "1 |")
  }
}
