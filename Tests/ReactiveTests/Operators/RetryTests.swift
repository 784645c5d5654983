import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct RetryTests {
  /// Fails so many times, and then completes.
  private func failing(_ times: Int, _ subscriptions: Counter) -> Observable<Int> {
    .deferred {
      let attempt = subscriptions.increment()
      let end: Observable<Int> = attempt <= times ? .error(Failure.first) : .empty()
      return Observable.just(attempt).concat(end)
    }
  }

  @Test func subscribesAgainUntilItCompletes() {
    let subscriptions = Counter()
    let recorder = Recorder<Int>()
    _ = failing(3, subscriptions).retry().subscribe(recorder)
    #expect(recorder.line == "1 2 3 4 |")
  }

  @Test func givesUpWithTheLastError() {
    let subscriptions = Counter()
    let recorder = Recorder<Int>()
    _ = failing(9, subscriptions).retry(2).subscribe(recorder)
    #expect(recorder.line == "1 2 xfirst")
    _ = failing(9, subscriptions).retry(0).subscribe(recorder)
    #expect(recorder.line == "1 2 xfirst |")
  }

  @Test func aHundredThousandFailuresCostNoStack() {
    let subscriptions = Counter()
    let count = Counter()
    _ = failing(100_000, subscriptions).retry().subscribe(onNext: { _ in count.increment() })
    #expect(count.value == 100_001)
  }

  @Test func disposalEndsTheTries() {
    let subscription = SerialDisposable()
    let recorder = Recorder<Int>()
    let source = Observable.just(1).concat(Observable.error(Failure.first)).retry()
    let count = Counter()
    subscription.disposable = source.do(onNext: { _ in
      if count.increment() == 3 { subscription.dispose() }
    }).take(while: { _ in count.value < 3 }).subscribe(recorder)
    #expect(recorder.line == "1 1 |")
  }
}
