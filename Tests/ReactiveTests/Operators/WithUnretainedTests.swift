import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct WithUnretainedTests {
  @Test func pairsEachElementWithTheObject() {
    let object = Witness()
    let recorder = Recorder<Bool>()
    _ = Observable.of(1, 2).withUnretained(object).map { $0.0 === object && $0.1 > 0 }
      .subscribe(recorder)
    #expect(recorder.line == "true true |")
  }

  @Test func doesNotKeepTheObject() {
    let released = Counter()
    let source = PublishSubject<Int>()
    let subscription = source.withUnretained(Witness { released.increment() }).subscribe()
    #expect(released.value == 1)
    subscription.dispose()
  }
}
