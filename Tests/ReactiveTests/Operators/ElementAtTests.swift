import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ElementAtTests {
  @Test func sendsTheElementOfThatNumberAndLetsTheSourceGo() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = source.element(at: 1).subscribe(recorder)
    for element in 1...3 { source.onNext(element) }
    #expect(recorder.line == "2 |")
    #expect(!source.hasObservers)
  }

  @Test func failsWhenTheSourceCompletesBefore() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2).element(at: 2).subscribe(recorder)
    _ = Observable<Int>.error(Failure.first).element(at: 0).subscribe(recorder)
    #expect(recorder.line == "xargumentOutOfRange xfirst")
  }

  @Test func aNegativeIndexTraps() async {
    await #expect(processExitsWith: .failure) { _ = Observable.just(1).element(at: -1) }
  }
}
