import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct DeferredTests {
  @Test func makesTheObservableAnewForEverySubscription() {
    let count = Counter()
    let source = Observable.deferred { Observable.just(count.increment()) }
    let recorder = Recorder<Int>()
    _ = source.subscribe(recorder)
    _ = source.subscribe(recorder)
    #expect(recorder.line == "1 | 2 |")
  }

  @Test func whatTheFactoryThrowsIsSent() {
    let recorder = Recorder<Int>()
    _ = Observable<Int>.deferred { throw Failure.first }.subscribe(recorder)
    #expect(recorder.line == "xfirst")
  }
}
