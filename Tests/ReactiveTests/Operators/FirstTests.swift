import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct FirstTests {
  @Test func sendsTheFirstElementAndLetsTheSourceGo() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int?>()
    _ = source.first().asObservable().subscribe(recorder)
    source.onNext(1)
    #expect(recorder.elements == [1])
    #expect(recorder.events.last?.isCompleted == true)
    #expect(!source.hasObservers)
  }

  @Test func sendsNilWhenThereIsNoneAndAnErrorAsItIs() {
    let recorder = Recorder<Int?>()
    _ = Observable<Int>.empty().first().asObservable().subscribe(recorder)
    _ = Observable<Int>.error(Failure.first).first().asObservable().subscribe(recorder)
    #expect(recorder.line == "nil | xfirst")
  }
}
