import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct TakeUntilTests {
  @Test func completesWhenTheOtherSequenceSends() {
    let (source, other) = (PublishSubject<Int>(), PublishSubject<String>())
    let recorder = Recorder<Int>()
    _ = source.take(until: other).subscribe(recorder)
    source.onNext(1)
    other.onNext("now")
    source.onNext(2)
    #expect(recorder.line == "1 |")
    #expect(!source.hasObservers && !other.hasObservers)
  }

  @Test func theOtherSequencesCompletionIsIgnoredAndItsErrorSent() {
    let (source, other) = (PublishSubject<Int>(), PublishSubject<String>())
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    _ = source.take(until: other).subscribe(recorders[0])
    other.onCompleted()
    source.onNext(1)
    source.onCompleted()
    _ = PublishSubject<Int>().take(until: Observable<Int>.error(Failure.first))
      .subscribe(recorders[1])
    #expect(recorders.map(\.line) == ["1 |", "xfirst"])
  }

  @Test func aSignalAtOnceKeepsTheSourceFromBeingSubscribed() {
    let journal = Journal()
    let recorder = Recorder<Int>()
    let source = Observable.just(1).do(onSubscribe: { journal.write("subscribe") })
    _ = source.take(until: Observable.just(0)).subscribe(recorder)
    #expect(recorder.line == "|")
    #expect(journal.line == "")
  }

  @Test func completesWithTheElementThatMeetsACondition() {
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    let source = Observable.of(1, 2, 3, 4)
    _ = source.take(until: { $0 == 3 }).subscribe(recorders[0])
    _ = source.take(until: { $0 == 3 }, behavior: .inclusive).subscribe(recorders[1])
    #expect(recorders.map(\.line) == ["1 2 |", "1 2 3 |"])
  }

  @Test func aSignalThatEndsAtOnceCountsAlsoWhileAnElementIsOnItsWay() {
    let (source, other) = (PublishSubject<Int>(), PublishSubject<String>())
    let recorder = Recorder<Int>()
    _ = source.take(until: other).do(onNext: { _ in
      other.onNext("now")
      other.onCompleted()
    }).subscribe(recorder)
    source.onNext(1)
    source.onNext(2)
    #expect(recorder.line == "1 |")
  }
}
