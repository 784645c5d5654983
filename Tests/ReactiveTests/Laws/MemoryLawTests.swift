import Reactive
import Testing

/// M: what holds what, and until when.
@Suite("Laws: memory", .accounted)
struct MemoryLawTests {
  typealias Pipeline = @Sendable (Observable<Int>) -> Observable<Int>

  /// Every operator, as a chain of one.
  static let pipelines: [(name: String, pipeline: Pipeline)] = [
    ("none", { $0 }),
    ("map", { $0.map { $0 } }),
    ("filter", { $0.filter { _ in true } }),
    ("compactMap", { $0.compactMap { $0 } }),
    ("flatMap", { $0.flatMap { Observable.just($0) } }),
    ("flatMapLatest", { $0.flatMapLatest { Observable.never().startWith($0) } }),
    ("concatMap", { $0.concatMap { Observable.just($0) } }),
    ("merge", { Observable.merge($0, .never()) }),
    ("combineLatest", { Observable.combineLatest($0, Observable.just(0)) { $0 + $1 } }),
    ("withLatestFrom", { $0.withLatestFrom(Observable.just(0)) { first, _ in first } }),
    ("startWith", { $0.startWith(0) }),
    ("distinctUntilChanged", { $0.distinctUntilChanged() }),
    ("take", { $0.take(9) }),
    ("do", { $0.do(onNext: { _ in }, onDispose: {}) }),
    ("share", { $0.share() }),
    ("share replay", { $0.share(replay: 1, scope: .forever) }),
    ("refCount", { $0.replay(1).refCount() }),
    ("multicast", { $0.multicast({ PublishSubject<Int>() }) { $0 } }),
    ("ifEmpty", { source in source.flatMap { Maybe.just($0).ifEmpty(default: 0) } }),
    ("create", { source in Observable.create { source.subscribe($0) } }),
    ("deferred", { source in Observable.deferred { source } }),
  ]

  @Test(arguments: pipelines.map(\.name), ["dispose", "completed", "error"])
  func m1And3NothingIsHeldAfterTheEndAlsoByAKeptDisposable(name: String, end: String) throws {
    let pipeline = try #require(Self.pipelines.first { $0.name == name }).pipeline
    let source = PublishSubject<Int>()
    weak var captured: Witness?
    let subscription: any Disposable
    do {
      let witness = Witness()
      captured = witness
      subscription = pipeline(source).subscribe(
        onNext: { _ in witness.touch() }, onError: { _ in witness.touch() },
        onDisposed: { witness.touch() })
    }
    source.onNext(1)
    #expect(captured != nil)
    switch end {
    case "dispose": subscription.dispose()
    case "completed": source.onCompleted()
    default: source.onError(Failure.first)
    }
    // What these were made of goes on without the source; nothing else may.
    if end == "completed", ["flatMapLatest", "merge"].contains(name) { subscription.dispose() }
    #expect(captured == nil)
    withExtendedLifetime(subscription) {}
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

  #if DEBUG
    @Test func m5TheCountOfLiveResourcesReturnsToItsBaseline() {
      let baseline = Resources.total
      let source = PublishSubject<Int>()
      let subscriptions = Self.pipelines.map { $0.pipeline(source).subscribe() }
      #expect(Resources.total > baseline + subscriptions.count)
      source.onNext(1)
      for subscription in subscriptions { subscription.dispose() }
      // What is kept now are the handles themselves, and nothing of the chains.
      #expect(Resources.total == baseline + subscriptions.count)
    }
  #endif
}
