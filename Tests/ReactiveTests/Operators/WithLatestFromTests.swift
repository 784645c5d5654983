import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct WithLatestFromTests {
  @Test func sendsTheLatestOfTheOtherForEachElement() {
    let taps = PublishSubject<Void>()
    let text = BehaviorRelay(value: "a")
    let recorder = Recorder<String>()
    _ = taps.withLatestFrom(text).subscribe(recorder)
    taps.onNext(())
    text.accept("b")
    text.accept("c")
    taps.onNext(())
    taps.onCompleted()
    #expect(recorder.line == "a c |")
  }

  @Test func disposalLetsBothGo() {
    let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
    let subscription = first.withLatestFrom(second).subscribe()
    #expect(first.hasObservers && second.hasObservers)
    subscription.dispose()
    #expect(!first.hasObservers && !second.hasObservers)
  }
}
