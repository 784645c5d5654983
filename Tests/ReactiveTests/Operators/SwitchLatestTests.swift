import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct SwitchLatestTests {
  @Test func sendsWhatTheLatestSends() {
    let outer = PublishSubject<Observable<Int>>()
    let inners = [PublishSubject<Int>(), PublishSubject<Int>()]
    let recorder = Recorder<Int>()
    _ = outer.switchLatest().subscribe(recorder)
    outer.onNext(inners[0])
    inners[0].onNext(1)
    outer.onNext(inners[1])
    inners[0].onNext(2)
    inners[1].onNext(3)
    outer.onCompleted()
    inners[1].onCompleted()
    #expect(recorder.line == "1 3 |")
    #expect(!inners[0].hasObservers)
  }

  @Test func anInnerErrorEndsAllOfIt() {
    let outer = PublishSubject<Observable<Int>>()
    let recorder = Recorder<Int>()
    _ = outer.switchLatest().subscribe(recorder)
    outer.onNext(.error(Failure.first))
    #expect(recorder.line == "xfirst")
    #expect(!outer.hasObservers)
  }
}
