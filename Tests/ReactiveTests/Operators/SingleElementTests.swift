import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct SingleElementTests {
  @Test func sendsTheOneElement() {
    let recorder = Recorder<Int>()
    _ = Observable.just(1).single().subscribe(recorder)
    _ = Observable.of(1, 2, 3).single { $0 == 2 }.subscribe(recorder)
    #expect(recorder.line == "1 | 2 |")
  }

  @Test func anotherNumberOfThemIsAnError() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = source.single().subscribe(recorder)
    for element in 1...3 { source.onNext(element) }
    #expect(recorder.line == "1 xmoreThanOneElement")
    #expect(!source.hasObservers)
    _ = Observable<Int>.empty().single().subscribe(recorder)
    _ = Observable.of(1, 2).single { try refusing(2)($0) == 0 }.subscribe(recorder)
    #expect(recorder.line == "1 xmoreThanOneElement xnoElements xfirst")
  }
}
