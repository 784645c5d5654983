import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct CompactMapTests {
  @Test func dropsWhatBecomesNil() {
    let recorder = Recorder<Int>()
    _ = Observable.of("1", "x", "3").compactMap { Int($0) }.subscribe(recorder)
    #expect(recorder.line == "1 3 |")
  }

  @Test func passesAnErrorOn() {
    let recorder = Recorder<Int>()
    _ = Observable<Int>.error(Failure.first).compactMap { $0 }.subscribe(recorder)
    #expect(recorder.line == "xfirst")
  }
}
