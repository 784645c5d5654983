import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct PublishSubjectTests {
  @Test func sendsToEverybodyInOrderOfSubscription() {
    let subject = PublishSubject<Int>()
    let journal = Journal()
    let bag = DisposeBag()
    for name in ["A", "B", "C"] {
      subject.subscribe(onNext: { journal.write("\(name)\($0)") }).disposed(by: bag)
    }
    subject.onNext(1)
    subject.onNext(2)
    #expect(journal.line == "A1 B1 C1 A2 B2 C2")
  }

  @Test func knowsWhetherItIsObserved() {
    let subject = PublishSubject<Int>()
    #expect(!subject.hasObservers)
    let first = subject.subscribe()
    let second = subject.subscribe()
    first.dispose()
    #expect(subject.hasObservers)
    second.dispose()
    #expect(!subject.hasObservers)
  }

  @Test func asObserverFeedsTheSameSubject() {
    let subject = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = subject.subscribe(recorder)
    _ = Observable.of(1, 2).subscribe(subject.asObserver())
    #expect(recorder.line == "1 2 |")
  }
}
