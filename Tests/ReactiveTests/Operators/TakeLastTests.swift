import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct TakeLastTests {
  @Test func sendsTheLastOnesAtTheEnd() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = source.takeLast(2).subscribe(recorder)
    for element in 1...5 { source.onNext(element) }
    #expect(recorder.line == "")
    source.onCompleted()
    #expect(recorder.line == "4 5 |")
  }

  @Test func fewerAreSentAsTheyAreAndNoneAtAllCompletes() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2).takeLast(3).subscribe(recorder)
    _ = Observable.of(1, 2).takeLast(0).subscribe(recorder)
    _ = Observable.of(1, 2).map(refusing(2)).takeLast(3).subscribe(recorder)
    #expect(recorder.line == "1 2 | | xfirst")
  }

  @Test func disposalStopsWhatIsLeftToSend() {
    let seen = Counter()
    let subscription = SerialDisposable()
    let source = PublishSubject<Int>()
    subscription.disposable = source.takeLast(3).do(onNext: { _ in seen.increment() })
      .subscribe(onNext: { _ in subscription.dispose() })
    for element in 1...5 { source.onNext(element) }
    source.onCompleted()
    #expect(seen.value == 1)
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = Observable.just(1).takeLast(-1) }
  }
}
