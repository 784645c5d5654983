import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ReduceTests {
  @Test func sendsWhatCameOfAllElementsAtTheEnd() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = source.reduce(10) { $0 + $1 }.subscribe(recorder)
    source.onNext(1)
    source.onNext(2)
    #expect(recorder.line == "")
    source.onCompleted()
    #expect(recorder.line == "13 |")
  }

  @Test func mapsTheResult() {
    let recorder = Recorder<String>()
    _ = Observable.of(1, 2).reduce(0, accumulator: +, mapResult: { "sum \($0)" })
      .subscribe(recorder)
    _ = Observable.of(1, 2)
      .reduce(0, accumulator: +, mapResult: { "\(try refusing(3)($0))" }).subscribe(recorder)
    #expect(recorder.line == "sum 3 | xfirst")
  }

  @Test func anErrorTakesThePlaceOfTheResult() {
    let recorder = Recorder<Int>()
    _ = Observable.error(Failure.second).reduce(0) { $0 + $1 }.subscribe(recorder)
    _ = Observable.of(1, 2).reduce(0) { $0 + (try refusing(2)($1)) }.subscribe(recorder)
    #expect(recorder.line == "xsecond xfirst")
  }
}
