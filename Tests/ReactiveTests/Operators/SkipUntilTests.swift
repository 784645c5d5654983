import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct SkipUntilTests {
  @Test func sendsWhatComesAfterTheOtherSequenceSent() {
    let (source, other) = (PublishSubject<Int>(), PublishSubject<String>())
    let recorder = Recorder<Int>()
    _ = source.skip(until: other).subscribe(recorder)
    source.onNext(1)
    other.onNext("now")
    #expect(!other.hasObservers)
    source.onNext(2)
    source.onCompleted()
    #expect(recorder.line == "2 |")
  }

  @Test func theOtherSequencesCompletionIsIgnoredAndItsErrorSent() {
    let (source, other) = (PublishSubject<Int>(), PublishSubject<String>())
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    _ = source.skip(until: other).subscribe(recorders[0])
    other.onCompleted()
    source.onNext(1)
    source.onCompleted()
    _ = source.skip(until: Observable<Int>.error(Failure.first)).subscribe(recorders[1])
    _ = PublishSubject<Int>().skip(until: Observable<Int>.error(Failure.first))
      .subscribe(recorders[1])
    #expect(recorders.map(\.line) == ["|", "| xfirst"])
  }

  @Test func aSignalThatEndsAtOnceCountsAlsoWhileAnElementIsOnItsWay() {
    let (source, other) = (PublishSubject<Int>(), PublishSubject<String>())
    let recorder = Recorder<Int>()
    // The first element is on its way to nobody: the signal comes from within its subscription.
    _ = source.do(onNext: { _ in
      other.onNext("now")
      other.onCompleted()
    }).skip(until: other).subscribe(recorder)
    source.onNext(1)
    source.onNext(2)
    #expect(recorder.line == "1 2")
    source.onCompleted()
  }
}
