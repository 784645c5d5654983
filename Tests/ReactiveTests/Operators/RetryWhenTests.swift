import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct RetryWhenTests {
  @Test func subscribesAgainWhenTheTriggerAnswers() {
    let source = PublishSubject<Int>()
    let attempts = Counter()
    let answers = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    let attempt = Observable<Int>.deferred {
      attempts.increment() == 1 ? Observable.error(Failure.first) : source
    }
    _ = attempt.retry(when: { errors in errors.flatMap { _ in answers } }).subscribe(recorder)
    #expect(attempts.value == 1)
    answers.onNext(0)
    #expect(attempts.value == 2)
    answers.onNext(0)
    #expect(attempts.value == 2)
    source.onNext(1)
    source.onCompleted()
    #expect(recorder.line == "1 |")
    #expect(!answers.hasObservers)
  }

  @Test func takesErrorsOfOneTypeAndPassesOthersOn() {
    let answers = Counter()
    let recorder = Recorder<Int>()
    _ = Observable<Int>.error(RxError.timeout).retry(when: { (errors: Observable<Failure>) in
      errors.do(onNext: { _ in answers.increment() })
    }).subscribe(recorder)
    #expect(recorder.line == "xtimeout")
    #expect(answers.value == 0)
  }

  @Test func aHundredThousandFailuresCostNoStack() {
    let attempts = Counter()
    let recorder = Recorder<Int>()
    let source = Observable<Int>.deferred {
      attempts.increment() <= 100_000 ? Observable.error(Failure.first) : Observable.just(1)
    }
    _ = source.retry(when: { $0 }).subscribe(recorder)
    #expect(recorder.line == "1 |")
    #expect(attempts.value == 100_001)
  }

  @Test func aTriggerThatEndedBeforeShowsWithTheNextError() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = source.retry(when: { (_: Observable<any Error>) in Observable<Int>.empty() })
      .subscribe(recorder)
    source.onNext(1)
    source.onError(Failure.first)
    #expect(recorder.line == "1 |")
  }

  @Test func theHandlerRunsOncePerSubscription() {
    let calls = Counter()
    let attempts = Counter()
    let source = Observable<Int>.deferred {
      attempts.increment() <= 3 ? Observable.error(Failure.first) : Observable.just(1)
    }
    _ = source.retry(when: { errors -> Observable<any Error> in
      calls.increment()
      return errors
    }).subscribe()
    #expect(calls.value == 1)
  }
}
