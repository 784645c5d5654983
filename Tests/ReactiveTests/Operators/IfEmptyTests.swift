import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct IfEmptyTests {
  @Test func sendsTheDefaultInPlaceOfNoElement() {
    let recorder = Recorder<Int>()
    _ = Observable<Int>.empty().ifEmpty(default: 7).subscribe(recorder)
    _ = Observable.of(1, 2).ifEmpty(default: 7).subscribe(recorder)
    #expect(recorder.line == "7 | 1 2 |")
  }

  @Test func switchesToAnotherSequenceInPlaceOfNoElement() {
    let recorder = Recorder<Int>()
    let other = Observable.of(8, 9)
    _ = Observable<Int>.empty().ifEmpty(switchTo: other).subscribe(recorder)
    _ = Observable.of(1, 2).ifEmpty(switchTo: other).subscribe(recorder)
    #expect(recorder.line == "8 9 | 1 2 |")
  }

  @Test func anErrorIsPassedOnInstead() {
    let recorder = Recorder<Int>()
    let failing = Observable<Int>.error(Failure.first)
    _ = failing.ifEmpty(default: 7).subscribe(recorder)
    _ = failing.ifEmpty(switchTo: .just(8)).subscribe(recorder)
    #expect(recorder.line == "xfirst xfirst")
  }

  @Test func disposingLetsBothSequencesGo() {
    let first = PublishSubject<Int>()
    let second = PublishSubject<Int>()
    let subscription = first.ifEmpty(switchTo: second.asObservable()).subscribe()
    #expect(!second.hasObservers)
    first.onCompleted()
    #expect(second.hasObservers)
    subscription.dispose()
    #expect(!second.hasObservers)
  }
}
