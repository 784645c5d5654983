import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// E: where errors go and what they stop.
///
/// The law suite checks E1 for every operator.
@Suite("Laws: errors", .accounted)
struct ErrorLawTests {
  @Test(arguments: [
    "flatMap", "flatMapFirst", "flatMapLatest", "concatMap", "merge", "combineLatest", "zip",
  ])
  func e2AnErrorEndsTheWholeAndDisposesTheSiblings(name: String) {
    let failing = PublishSubject<Int>()
    let sibling = PublishSubject<Int>()
    let outer = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    let combined: Observable<Int> =
      switch name {
      case "flatMap": outer.flatMap { $0 == 0 ? failing : sibling }
      case "concatMap": outer.concatMap { $0 == 0 ? failing : sibling }
      case "flatMapFirst": Observable.merge(outer.flatMapFirst { _ in failing }, sibling)
      case "zip": Observable.zip(outer, failing, sibling) { $0 + $1 + $2 }
      case "flatMapLatest": outer.flatMapLatest { $0 == 0 ? sibling : failing }
      case "merge": Observable.merge(outer, failing, sibling)
      default: Observable.combineLatest(outer, failing, sibling) { $0 + $1 + $2 }
      }
    _ = combined.filter { _ in false }.subscribe(recorder)
    outer.onNext(0)
    outer.onNext(1)
    sibling.onNext(1)
    failing.onError(Failure.first)
    #expect(recorder.line == "xfirst")
    #expect(!outer.hasObservers && !sibling.hasObservers)
  }

  @Test func e3AnErrorThatTheHandlerOfCatchThrowsIsSent() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = source.catch { _ in throw Failure.second }.subscribe(recorder)
    source.onNext(1)
    source.onError(Failure.first)
    #expect(recorder.line == "1 xsecond")
    #expect(!source.hasObservers)
  }

  @Test func e4RetrySubscribesSoManyTimesInAllAndSendsTheLastError() {
    struct Attempt: Error { let number: Int }
    let attempts = Counter()
    let source = Observable<Int>.deferred { .error(Attempt(number: attempts.increment())) }
    let recorder = Recorder<Int>()
    _ = source.retry(3).subscribe(recorder)
    #expect(attempts.value == 3)
    #expect((recorder.events.last?.error as? Attempt)?.number == 3)
  }

  @Test func e5RetryWhenCompletesOrFailsWithItsNotifier() {
    let source = PublishSubject<Int>()
    let notifier = PublishSubject<Int>()
    let recorders = (0..<3).map { _ in Recorder<Int>() }
    let attempts = source.map(refusing(2))
    _ = attempts.retry(when: { errors in errors.flatMap { _ in notifier } })
      .subscribe(recorders[0])
    _ = attempts.retry(when: { errors in errors.take(1) }).subscribe(recorders[1])
    _ = attempts.retry(when: { _ in Observable<Int>.never().take(until: notifier) })
      .subscribe(recorders[2])
    source.onNext(1)
    source.onNext(2)
    notifier.onNext(0)
    source.onNext(3)
    source.onNext(2)
    notifier.onError(Failure.second)
    #expect(recorders.map(\.line) == ["1 3 xsecond", "1 3 |", "1 |"])
    #expect(!source.hasObservers)
  }

  @Test(arguments: [false, true])
  func e1ASelectorThatThrewIsNotCalledAgainWhileTheErrorWaitsItsTurn(isLatest: Bool) {
    let (outer, inner) = (PublishSubject<Int>(), PublishSubject<Int>())
    let journal = Journal()
    let recorder = Recorder<Int>()
    let selector: @Sendable (Int) throws -> Observable<Int> = { element in
      journal.write("\(element)")
      if element > 1 { throw Failure.first }
      return inner
    }
    _ = (isLatest ? outer.flatMapLatest(selector) : outer.flatMap(selector))
      .do(onNext: { _ in for element in 2...3 { outer.onNext(element) } }).subscribe(recorder)
    outer.onNext(1)
    inner.onNext(9)
    #expect(recorder.line == "9 xfirst")
    #expect(journal.line == "1 2")
  }
}
