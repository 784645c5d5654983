import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ConcatMapTests {
  @Test func keepsTheOrderOfTheSource() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2, 3).concatMap { Observable.of($0, $0 * 10) }.subscribe(recorder)
    #expect(recorder.line == "1 10 2 20 3 30 |")
  }

  @Test func theSelectorRunsWhenTheElementArrives() {
    let journal = Journal()
    let outer = PublishSubject<Int>()
    let subscription = outer.concatMap { element -> Observable<Int> in
      journal.write("\(element)")
      return .never()
    }.subscribe()
    outer.onNext(1)
    outer.onNext(2)
    #expect(journal.line == "1 2")
    subscription.dispose()
  }

  @Test func disposalDropsThoseThatWait() {
    let journal = Journal()
    let first = PublishSubject<Int>()
    let outer = PublishSubject<Int>()
    let subscription = outer.concatMap { element in
      element == 0 ? first : Observable.just(element).do(onSubscribe: { journal.write("late") })
    }.subscribe()
    outer.onNext(0)
    outer.onNext(1)
    subscription.dispose()
    first.onCompleted()
    #expect(journal.line == "")
    #expect(!outer.hasObservers && !first.hasObservers)
  }
}
