import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// M: what holds what, and until when.
///
/// The law suite checks M1, M3 and M5 for every operator.
@Suite("Laws: memory", .accounted)
struct MemoryLawTests {
  @Test func m1ElementsThatWaitForAPartnerGoWithTheChain() {
    let source = PublishSubject<Witness>()
    let released = Counter()
    let subscription = Observable.zip(source, Observable<Int>.never()) { first, _ in first }
      .subscribe()
    for _ in 0..<10 { source.onNext(Witness { released.increment() }) }
    #expect(released.value == 0)
    subscription.dispose()
    #expect(released.value == 10)
  }

  @Test func m2AChainHoldsItsSourceAndTheSourceOnlySinks() {
    weak var source: PublishSubject<Int>?
    weak var chain: Observable<Int>?
    let recorder = Recorder<Int>()
    var kept: Observable<Int>?
    do {
      let subject = PublishSubject<Int>()
      source = subject
      kept = subject.map { $0 }
      chain = kept
    }
    #expect(source != nil)
    _ = kept?.subscribe(recorder)
    let held = source
    kept = nil
    #expect(chain == nil)
    held?.onNext(1)
    held?.onCompleted()
    #expect(recorder.line == "1 |")
  }

  @Test func m2ASourceThatGoesAwayTakesItsObserversWithIt() {
    weak var captured: Witness?
    let subscription: any Disposable
    do {
      let subject = PublishSubject<Int>()
      let witness = Witness()
      captured = witness
      subscription = subject.map { $0 }.subscribe(onNext: { _ in witness.touch() })
    }
    #expect(captured == nil)
    subscription.dispose()
  }

  @Test func m4WithUnretainedCompletesWhenTheObjectIsGone() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    var object: Witness? = Witness()
    if let object {
      _ = source.withUnretained(object) { _, element in element }.subscribe(recorder)
    }
    source.onNext(1)
    object = nil
    source.onNext(2)
    #expect(recorder.line == "1 |")
    #expect(!source.hasObservers)
  }

  @Test func m4SubscribeWithJustStopsCalling() {
    let source = PublishSubject<Int>()
    let journal = Journal()
    var object: Witness? = Witness()
    if let object {
      _ = source.subscribe(
        with: object, onNext: { journal.write("\($1)") }, onCompleted: { _ in journal.write("|") })
    }
    source.onNext(1)
    object = nil
    source.onNext(2)
    #expect(source.hasObservers)
    source.onCompleted()
    #expect(journal.line == "1")
  }

  @Test(arguments: ["disposed", "completed"])
  func m1AnObserverThatItsProducerKeepsHoldsNothing(end: String) {
    let kept = Box<AnyObserver<Int>>()
    weak var captured: Witness?
    let subscription: any Disposable
    do {
      let witness = Witness()
      captured = witness
      subscription = Observable<Int>.create { observer in
        kept.value = observer
        return Disposables.create()
      }.subscribe(onNext: { _ in witness.touch() })
    }
    #expect(captured != nil)
    if end == "completed" { kept.value?.onCompleted() } else { subscription.dispose() }
    #expect(captured == nil)
    kept.value?.onNext(1)
    kept.value = nil
  }
}
