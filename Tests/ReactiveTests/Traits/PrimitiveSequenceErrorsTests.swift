import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// `catch` and `retry` of traits.
@Suite(.accounted)
struct PrimitiveSequenceErrorsTests {
  @Test func anErrorIsReplaced() {
    let recorder = Recorder<Int>()
    let failing = Single<Int>.error(Failure.first)
    _ = failing.catch { _ in .just(1) }.asObservable().subscribe(recorder)
    _ = failing.catch { _ in throw Failure.second }.asObservable().subscribe(recorder)
    _ = failing.catchAndReturn(2).asObservable().subscribe(recorder)
    _ = Maybe<Int>.error(Failure.first).catchAndReturn(3).asObservable().subscribe(recorder)
    _ = Maybe<Int>.error(Failure.first).catch { _ in .empty() }.asObservable().subscribe(recorder)
    #expect(recorder.line == "1 | xsecond 2 | 3 | |")
    let journal = Journal()
    _ = Completable.error(Failure.first).catch { _ in .empty() }
      .subscribe(onCompleted: { journal.write("|") })
    #expect(journal.line == "|")
  }

  @Test func retryCountsSubscriptions() {
    let attempts = Counter()
    let recorder = Recorder<Int>()
    let third = Single<Int>.deferred {
      attempts.increment() == 3 ? .just(3) : .error(Failure.first)
    }
    _ = third.retry(2).asObservable().subscribe(recorder)
    #expect(recorder.line == "xfirst" && attempts.value == 2)
    _ = third.retry().asObservable().subscribe(recorder)
    #expect(recorder.line == "xfirst 3 |")
  }

  @Test func retryWhenAsksForEachAttempt() {
    let attempts = Counter()
    let recorder = Recorder<Int>()
    let failing = Single<Int>.deferred {
      attempts.increment()
      return .error(Failure.first)
    }
    _ = failing.retry(when: { (errors: Observable<any Error>) in errors.take(2) })
      .asObservable().subscribe(recorder)
    #expect(attempts.value == 3)
    _ = failing.retry(when: { (errors: Observable<Failure>) in
      errors.flatMap { _ in Observable<Int>.error(Failure.second) }
    }).asObservable().subscribe(recorder)
    #expect(recorder.line == "| xsecond")
  }

  @Test func debugPassesEverythingOn() {
    let recorder = Recorder<Int>()
    _ = Single.just(1).debug("single").asObservable().subscribe(recorder)
    #expect(recorder.line == "1 |")
  }
}
