import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct TupleOverloadsTests {
  @Test func zipPairsElementsOfTheSameIndex() {
    let recorder = Recorder<Int>()
    _ = Observable.zip(Observable.of(1, 2), Observable.of("a", "bc"), Observable.of(10, 20, 30))
      .map { $0.0 + $0.1.count + $0.2 }.subscribe(recorder)
    #expect(recorder.line == "12 24 |")
  }

  @Test func combineLatestTakesTheLatestOfEach() {
    let first = PublishSubject<Int>()
    let second = PublishSubject<String>()
    let recorder = Recorder<String>()
    _ = Observable.combineLatest(first, second).map { "\($0.0)\($0.1)" }.subscribe(recorder)
    first.onNext(1)
    second.onNext("a")
    first.onNext(2)
    first.onCompleted()
    second.onNext("b")
    second.onCompleted()
    #expect(recorder.line == "1a 2a 2b |")
  }

  @Test func eightSourcesMakeATupleOfEight() {
    let one = Observable.just(1)
    let zipped = Recorder<Int>()
    let latest = Recorder<Int>()
    _ = Observable.zip(one, one, one, one, one, one, one, Observable.just(7))
      .map { $0.0 + $0.7 }.subscribe(zipped)
    _ = Observable.combineLatest(one, one, one, one, one, one, one, Observable.just(7))
      .map { $0.0 + $0.7 }.subscribe(latest)
    #expect(zipped.line == "8 |")
    #expect(latest.line == "8 |")
  }
}
