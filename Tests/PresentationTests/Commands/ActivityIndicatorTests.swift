import Presentation
import Reactive
import ReactiveTestSupport
import Testing

@Suite("ActivityIndicator", .accounted)
struct ActivityIndicatorTests {
  private let bag = DisposeBag()
  private let indicator = ActivityIndicator()

  @Test func itIsActiveWhileAnyOfSeveralPiecesOfWorkRuns() {
    let first = PublishSubject<Int>()
    let second = PublishSubject<Int>()
    let active = indicator.isActive.recorded(in: bag)
    let count = indicator.count.recorded(in: bag)
    first.trackActivity(indicator).subscribe().disposed(by: bag)
    second.trackActivity(indicator).subscribe().disposed(by: bag)
    first.onCompleted()
    second.onError(Refusal.broken)
    #expect(active.elements == [false, true, false])
    #expect(count.elements == [0, 1, 2, 1, 0])
  }

  @Test func disposingEndsTheActivityToo() {
    let active = indicator.isActive.recorded(in: bag)
    let subscription = Observable<Int>.never().trackActivity(indicator).subscribe()
    subscription.dispose()
    subscription.dispose()
    #expect(active.elements == [false, true, false])
  }

  @Test func everySubscriptionCountsAndTheElementsAreTheSame() {
    let source = PublishSubject<Int>()
    let tracked = source.trackActivity(indicator)
    let first = tracked.recorded(in: bag)
    _ = tracked.recorded(in: bag)
    let count = indicator.count.recorded(in: bag)
    source.onNext(7)
    source.onCompleted()
    #expect(first.elements == [7] && first.hasEnded)
    #expect(count.elements == [2, 1, 0])
  }

  @Test func theEndIsDeliveredBeforeTheActivityEnds() {
    let log = Recorder<String>()
    indicator.isActive.subscribe(onNext: { log.on(.next("active \($0)")) }).disposed(by: bag)
    Observable.just(1).trackActivity(indicator)
      .subscribe(onCompleted: { log.on(.next("completed")) }).disposed(by: bag)
    #expect(log.elements == ["active false", "active true", "completed", "active false"])
  }
}
