import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct CatchTests {
  @Test func goesOnWithWhatTheHandlerMakesOfTheError() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = source.catch { error in
      Observable.of(error as? Failure == .first ? 8 : 0, 9)
    }.subscribe(recorder)
    source.onNext(1)
    source.onError(Failure.first)
    #expect(recorder.line == "1 8 9 |")
    #expect(!source.hasObservers)
  }

  @Test func anErrorOfTheReplacementIsSent() {
    let calls = Counter()
    let recorder = Recorder<Int>()
    _ = Observable<Int>.error(Failure.first).catch { _ in
      calls.increment()
      return .error(Failure.second)
    }.subscribe(recorder)
    #expect(recorder.line == "xsecond")
    #expect(calls.value == 1)
  }

  @Test func returnsAnElementInPlaceOfAnError() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2).map(refusing(2)).catchAndReturn(7).subscribe(recorder)
    _ = Observable.just(1).catchAndReturn(7).subscribe(recorder)
    #expect(recorder.line == "1 7 | 1 |")
  }

  @Test func triesSequencesUntilOneCompletes() {
    let recorder = Recorder<Int>()
    let failing = Observable.of(1, 2).map(refusing(2))
    _ = Observable<Int>.catch(sequence: [failing, failing, .just(5), .just(6)]).subscribe(recorder)
    _ = Observable<Int>.catch(sequence: [failing, Observable.error(Failure.second)])
      .subscribe(recorder)
    _ = Observable<Int>.catch(sequence: []).subscribe(recorder)
    #expect(recorder.line == "1 1 5 | 1 xsecond |")
  }
}
