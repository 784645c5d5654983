import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ConcatTests {
  @Test func sendsOneAfterTheOther() {
    let sources = [PublishSubject<Int>(), PublishSubject<Int>()]
    let recorder = Recorder<Int>()
    _ = sources[0].concat(sources[1]).subscribe(recorder)
    sources[1].onNext(9)
    sources[0].onNext(1)
    #expect(!sources[1].hasObservers)
    sources[0].onCompleted()
    sources[1].onNext(2)
    sources[1].onCompleted()
    #expect(recorder.line == "1 2 |")
  }

  @Test func takesSeveralSequencesInEveryForm() {
    let (first, second) = (Observable.of(1, 2), Observable.just(3))
    let recorder = Recorder<Int>()
    _ = Observable.concat(first, second).subscribe(recorder)
    _ = Observable.concat([first, second]).subscribe(recorder)
    _ = Observable.concat([first, second].lazy.map { $0 }).subscribe(recorder)
    _ = Observable.of(first, second).concat().subscribe(recorder)
    _ = Observable<Int>.concat([]).subscribe(recorder)
    #expect(recorder.line == "1 2 3 | 1 2 3 | 1 2 3 | 1 2 3 | |")
  }

  @Test func anErrorEndsItAndNoMoreAreSubscribed() {
    let recorder = Recorder<Int>()
    let never = Observable.just(2).do(onSubscribe: { recorder.onNext(9) })
    _ = Observable.just(1).concat(Observable.error(Failure.first)).concat(never)
      .subscribe(recorder)
    #expect(recorder.line == "1 xfirst")
  }

  @Test func aSequenceThatNeverEndsIsTakenOneByOne() {
    let recorder = Recorder<Int>()
    let endless = sequence(first: Observable.just(1)) { $0 }
    _ = Observable.concat(endless).take(3).subscribe(recorder)
    #expect(recorder.line == "1 1 1 |")
  }

  @Test func theOneThatEndedIsLetGoBeforeTheNextIsSubscribed() {
    let journal = Journal()
    let first = Observable.just(1).do(onDispose: { journal.write("dispose") })
    let second = Observable.just(2).do(onSubscribe: { journal.write("subscribe") })
    _ = first.concat(second).subscribe()
    #expect(journal.line == "dispose subscribe")
  }
}
