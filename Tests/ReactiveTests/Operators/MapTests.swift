import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct MapTests {
  @Test func transformsEachElementAndPassesTheEndOn() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2, 3).map { $0 * 10 }.subscribe(recorder)
    #expect(recorder.line == "10 20 30 |")
  }

  @Test func passesAnErrorOn() {
    let recorder = Recorder<Int>()
    _ = Observable<Int>.error(Failure.first).map { $0 * 10 }.subscribe(recorder)
    #expect(recorder.line == "xfirst")
  }

  @Test func anErrorThrownEndsItAndDisposesTheSource() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = source.map(refusing(2)).subscribe(recorder)
    for element in 1...3 { source.onNext(element) }
    #expect(recorder.line == "1 xfirst")
    #expect(!source.hasObservers)
  }

  @Test func nothingArrivesAfterDisposal() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    let subscription = source.map { $0 * 10 }.subscribe(recorder)
    source.onNext(1)
    subscription.dispose()
    source.onNext(2)
    #expect(recorder.line == "10")
  }
}
