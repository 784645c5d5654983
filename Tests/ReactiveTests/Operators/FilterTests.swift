import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct FilterTests {
  @Test func sendsWhatSatisfiesTheCondition() {
    let recorder = Recorder<Int>()
    _ = Observable.from(1...6).filter { $0.isMultiple(of: 2) }.subscribe(recorder)
    #expect(recorder.line == "2 4 6 |")
  }

  @Test func passesAnErrorOn() {
    let recorder = Recorder<Int>()
    _ = Observable<Int>.error(Failure.first).filter { _ in true }.subscribe(recorder)
    #expect(recorder.line == "xfirst")
  }

  @Test func nothingArrivesAfterDisposal() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    let subscription = source.filter { $0 > 0 }.subscribe(recorder)
    source.onNext(1)
    subscription.dispose()
    source.onNext(2)
    #expect(recorder.line == "1")
  }
}
