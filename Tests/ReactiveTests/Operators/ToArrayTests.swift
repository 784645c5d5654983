import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ToArrayTests {
  @Test func sendsAllElementsAtTheEnd() {
    let recorder = Recorder<[Int]>()
    _ = Observable.of(1, 2, 3).toArray().asObservable().subscribe(recorder)
    _ = Observable<Int>.empty().toArray().asObservable().subscribe(recorder)
    #expect(recorder.line == "[1, 2, 3] | [] |")
  }

  @Test func anErrorTakesTheirPlace() {
    let recorder = Recorder<[Int]>()
    _ = Observable.of(1, 2).map(refusing(2)).toArray().asObservable().subscribe(recorder)
    #expect(recorder.line == "xfirst")
  }
}
