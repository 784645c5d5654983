import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct EnumeratedTests {
  @Test func numbersElementsFromZeroForEverySubscription() {
    let recorder = Recorder<String>()
    let letters = Observable.of("a", "b").enumerated().map { "\($0.index)\($0.element)" }
    _ = letters.subscribe(recorder)
    _ = letters.subscribe(recorder)
    #expect(recorder.line == "0a 1b | 0a 1b |")
  }

  @Test func anErrorIsPassedOn() {
    let recorder = Recorder<Int>()
    _ = Observable<Int>.error(Failure.first).enumerated().map(\.index).subscribe(recorder)
    #expect(recorder.line == "xfirst")
  }

  @Test func itsNumbersLetRetryWhenGiveUp() {
    let attempts = Counter()
    let recorder = Recorder<Int>()
    let failing = Observable<Int>.deferred {
      attempts.increment()
      return .error(Failure.first)
    }
    _ = failing.retry(when: { errors in
      errors.enumerated().flatMap { attempt, error -> Observable<Int> in
        attempt < 2 ? .just(attempt) : .error(error)
      }
    }).subscribe(recorder)
    #expect(recorder.line == "xfirst")
    #expect(attempts.value == 3)
  }

  @Test func disposingLetsTheSourceGo() {
    let source = PublishSubject<Int>()
    let subscription = source.enumerated().subscribe()
    #expect(source.hasObservers)
    subscription.dispose()
    #expect(!source.hasObservers)
  }
}
