import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct BehaviorSubjectTests {
  @Test func sendsTheValueFirstAndThenWhatIsSent() throws {
    let subject = BehaviorSubject(value: 1)
    let recorder = Recorder<Int>()
    _ = subject.subscribe(recorder)
    subject.onNext(2)
    #expect(try subject.value() == 2)
    subject.onCompleted()
    #expect(recorder.line == "1 2 |")
  }

  @Test func asObserverFeedsTheSameSubject() throws {
    let subject = BehaviorSubject(value: 1)
    _ = Observable.of(2, 3).subscribe(subject.asObserver())
    #expect(try subject.value() == 3)
  }
}
