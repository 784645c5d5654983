import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ScanTests {
  @Test func sendsWhatCameOfAllElementsSoFar() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2, 3).scan(10) { $0 + $1 }.subscribe(recorder)
    #expect(recorder.line == "11 13 16 |")
  }

  @Test func changesInPlace() {
    let recorder = Recorder<[Int]>()
    let source = Observable.of(1, 2).scan(into: []) { $0.append($1) }
    _ = source.subscribe(recorder)
    _ = source.subscribe(recorder)
    #expect(recorder.elements == [[1], [1, 2], [1], [1, 2]])
  }

  @Test func anErrorThrownEndsIt() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2, 3).scan(0) { $0 + (try refusing(2)($1)) }.subscribe(recorder)
    #expect(recorder.line == "1 xfirst")
  }
}
