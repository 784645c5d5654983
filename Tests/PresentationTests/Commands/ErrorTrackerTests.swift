import Presentation
import Reactive
import ReactiveTestSupport
import Testing

@Suite("ErrorTracker", .accounted)
struct ErrorTrackerTests {
  private let bag = DisposeBag()
  private let tracker = ErrorTracker()
  private let broken = PresentableError(Refusal.broken)

  @Test func anErrorIsClearedByTheNextSuccess() {
    let current = tracker.current.recorded(in: bag)
    let attempts = PublishSubject<Bool>()
    attempts
      .flatMap { [tracker] works in
        (works ? Observable.just(1) : .error(Refusal.broken)).trackErrors(tracker).catch { _ in
          .empty()
        }
      }
      .subscribe().disposed(by: bag)
    attempts.onNext(false)
    attempts.onNext(true)
    #expect(current.elements == [nil, broken, nil])
  }

  @Test func anErrorThatTheUserHasSeenIsGoneAndTheNextOneIsShown() {
    let current = tracker.current.recorded(in: bag)
    tracker.report(Refusal.broken)
    tracker.dismiss()
    tracker.dismiss()
    tracker.report(Refusal.broken)
    #expect(current.elements == [nil, broken, nil, broken])
  }

  @Test func theSameErrorTwiceIsOneToShowAndTwoThatHappened() {
    let current = tracker.current.recorded(in: bag)
    let errors = tracker.errors.recorded(in: bag)
    tracker.report(Refusal.broken)
    tracker.report(Refusal.broken)
    #expect(current.elements == [nil, broken])
    #expect(errors.elements == [broken, broken])
  }

  @Test func whoeverComesLateIsToldTheErrorThatStands() {
    tracker.report(Refusal.full)
    #expect(tracker.current.recorded(in: bag).elements == [PresentableError(Refusal.full)])
  }

  @Test func theTrackedSequenceStillFailsForItsOwnObserver() {
    let recorder = Observable<Int>.error(Refusal.broken).trackErrors(tracker).recorded(in: bag)
    #expect(recorder.hasEnded && recorder.elements == [])
  }

  @Test func workThatIsTrackedAnswersOrIsReported() {
    let current = tracker.current.recorded(in: bag)
    let failed: Int? = tracker.track { throw Refusal.broken }
    #expect(failed == nil)
    #expect(tracker.track { 1 } == 1)
    #expect(current.elements == [nil, broken, nil])
  }

  @Test func emptyWorkThatCompletesIsASuccess() {
    tracker.report(Refusal.broken)
    Observable<Int>.empty().trackErrors(tracker).subscribe().disposed(by: bag)
    #expect(tracker.current.recorded(in: bag).elements == [nil])
  }
}
