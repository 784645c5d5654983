import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct MergeTests {
  @Test func sendsWhatTheSourcesSendAsItComes() {
    let (left, right) = (PublishSubject<Int>(), PublishSubject<Int>())
    let recorder = Recorder<Int>()
    _ = Observable.merge([left, right]).subscribe(recorder)
    left.onNext(1)
    right.onNext(2)
    left.onNext(3)
    left.onCompleted()
    right.onCompleted()
    #expect(recorder.line == "1 2 3 |")
  }

  @Test func nothingToMergeCompletesAtOnce() {
    let recorder = Recorder<Int>()
    _ = Observable<Int>.merge([]).subscribe(recorder)
    #expect(recorder.line == "|")
  }

  @Test func mergesInnerSequences() {
    let recorder = Recorder<Int>()
    _ = Observable.of(Observable.of(1, 2), Observable.of(3)).merge().subscribe(recorder)
    #expect(recorder.line == "1 2 3 |")
  }

  @Test func noMoreThanTheLimitAreSubscribedAtATime() {
    let inners = (0..<4).map { _ in PublishSubject<Int>() }
    let recorder = Recorder<Int>()
    _ = Observable.from(inners).merge(maxConcurrent: 2).subscribe(recorder)
    #expect(inners.map(\.hasObservers) == [true, true, false, false])
    inners[1].onCompleted()
    #expect(inners.map(\.hasObservers) == [true, false, true, false])
    inners[0].onNext(1)
    inners[2].onNext(2)
    for inner in [inners[0], inners[2]] { inner.onCompleted() }
    inners[3].onCompleted()
    #expect(recorder.line == "1 2 |")
  }

  @Test func aLimitOfNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Observable.just(Observable.just(1)).merge(maxConcurrent: 0)
    }
  }

  @Test func sequencesRunToTheirEndsUnlessAllOfItIsOnTheTrampoline() {
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    let here = CurrentThreadScheduler.instance
    _ = Observable.merge(.of(1, 2), .of(3, 4)).subscribe(recorders[0])
    _ = Observable.merge(.of(1, 2, scheduler: here), .of(3, 4, scheduler: here))
      .subscribe(on: here).subscribe(recorders[1])
    #expect(recorders.map(\.line) == ["1 2 3 4 |", "1 3 2 4 |"])
  }
}
