import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct FlatMapTests {
  @Test func sendsWhatTheInnerSequencesSendAsItComes() {
    let outer = PublishSubject<Int>()
    let inners = [PublishSubject<String>(), PublishSubject<String>()]
    let recorder = Recorder<String>()
    _ = outer.flatMap { inners[$0] }.subscribe(recorder)
    outer.onNext(0)
    outer.onNext(1)
    inners[0].onNext("a1")
    inners[1].onNext("b1")
    inners[0].onNext("a2")
    inners[0].onCompleted()
    outer.onCompleted()
    inners[1].onNext("b2")
    inners[1].onCompleted()
    #expect(recorder.line == "a1 b1 a2 b2 |")
  }

  @Test func innerSequencesThatEndAtOnceAreSentAtOnce() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2).flatMap { Observable.of($0, $0 * 10) }.subscribe(recorder)
    #expect(recorder.line == "1 10 2 20 |")
  }

  @Test func anInnerErrorEndsAllOfIt() {
    let recorder = Recorder<Int>()
    let outer = PublishSubject<Int>()
    _ = outer.flatMap { Observable.just($0).map(refusing(1)) }.subscribe(recorder)
    outer.onNext(2)
    outer.onNext(1)
    #expect(recorder.line == "2 xfirst")
  }
}
