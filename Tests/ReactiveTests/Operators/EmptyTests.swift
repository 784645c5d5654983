import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct EmptyTests {
  @Test func completesWithoutAnElement() {
    let recorder = Recorder<Int>()
    _ = Observable<Int>.empty().subscribe(recorder)
    #expect(recorder.line == "|")
  }
}
