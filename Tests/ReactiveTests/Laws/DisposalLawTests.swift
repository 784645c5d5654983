import Dispatch
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// D: how subscriptions are given up.
@Suite("Laws: disposal", .accounted)
struct DisposalLawTests {
  @Test func d1DisposeIsIdempotentAndThreadSafe() {
    let teardowns = Counter()
    let source = Observable<Int>.create { _ in
      Disposables.create { teardowns.increment() }
    }
    let subscriptions = (0..<100).map { _ in
      source.flatMap { Observable.just($0) }.share().subscribe()
    }
    inParallel(4) { _ in for subscription in subscriptions { subscription.dispose() } }
    #expect(teardowns.value == 100)
  }

  @Test func d2DroppingTheResultDoesNotCancelButLosingTheBagDoes() {
    let subject = PublishSubject<Int>()
    let dropped = Recorder<Int>()
    let bagged = Recorder<Int>()
    _ = subject.subscribe(dropped)
    do {
      let bag = DisposeBag()
      subject.subscribe(bagged).disposed(by: bag)
      subject.onNext(1)
    }
    subject.onNext(2)
    subject.onCompleted()
    #expect(dropped.line == "1 2 |")
    #expect(bagged.line == "1")
  }

  @Test func d3ABagDisposesInInsertionOrderAndADisposedCompositeAtOnce() {
    let journal = Journal()
    do {
      let bag = DisposeBag()
      for name in 1...40 { Disposables.create { journal.write("\(name)") }.disposed(by: bag) }
    }
    #expect(journal.lines == (1...40).map(String.init))
    let composite = CompositeDisposable()
    composite.dispose()
    let late = BooleanDisposable()
    #expect(composite.insert(late) == nil)
    #expect(late.isDisposed)
  }

  @Test func d4SetAfterDisposeDisposesTheArgument() {
    let place = SingleAssignmentDisposable()
    place.dispose()
    let late = BooleanDisposable()
    place.setDisposable(late)
    #expect(late.isDisposed)
  }

  @Test func d4ASecondSetTraps() async {
    await #expect(processExitsWith: .failure) {
      let place = SingleAssignmentDisposable()
      place.setDisposable(Disposables.create())
      place.setDisposable(Disposables.create())
    }
  }

  @Test func d6TheEndComesBeforeOnDisposedAndThatBeforeTheTeardown() {
    let journal = Journal()
    let source = Observable<Int>.create { observer in
      observer.onCompleted()
      return Disposables.create { journal.write("teardown") }
    }
    _ = source.map { $0 }
      .subscribe(
        onCompleted: { journal.write("completed") }, onDisposed: { journal.write("onDisposed") })
    #expect(journal.line == "completed onDisposed teardown")
  }

  /// `ifEmpty(switchTo:)`, `concat` and `retry` tore the source down before they emitted its end,
  /// and a source that ended inside `create` also when it was the last one.
  @Test(arguments: Following.allCases, [nil, Failure.first])
  func d6TheLastSourceIsTornDownAfterTheEnd(stage: Following, failure: Failure?) {
    for endsInside in [true, false] {
      let journal = Journal()
      let subject = PublishSubject<Int>()
      let source = Observable<Int>.create { observer in
        _ = subject.subscribe(observer)
        if endsInside { subject.end(after: 1, failure) }
        return Disposables.create { journal.write("teardown") }
      }
      _ = stage.build(source).subscribe(
        onError: { _ in journal.write("end") }, onCompleted: { journal.write("end") },
        onDisposed: { journal.write("onDisposed") })
      if !endsInside { subject.end(after: 1, failure) }
      let lines = journal.lines
      #expect(lines.suffix(3) == ["end", "onDisposed", "teardown"], "ends inside: \(endsInside)")
      #expect(lines.count { $0 == "end" } == 1)
    }
  }

  @Test func d6AnEndThatIsSentLaterComesAfterTheTeardown() {
    let scheduler = VirtualTimeScheduler()
    let stages: [(Observable<Int>) -> Observable<Int>] = [
      { $0.delay(.seconds(1), scheduler: scheduler) }, { $0.observe(on: scheduler) },
      { $0.sample(Observable<Int>.interval(.seconds(1), scheduler: scheduler)) },
    ]
    for stage in stages {
      let journal = Journal()
      let source = Observable<Int>.create { observer in
        observer.onCompleted()
        return Disposables.create { journal.write("teardown") }
      }
      _ = stage(source).subscribe(
        onCompleted: { journal.write("completed") }, onDisposed: { journal.write("onDisposed") })
      scheduler.advanceTo(scheduler.clock + 10)
      #expect(journal.line == "teardown completed onDisposed")
    }
  }

  @Test func d6DisposedFromOutsideTheTeardownComesFirst() {
    let journal = Journal()
    let source = Observable<Int>.create { _ in
      Disposables.create { journal.write("teardown") }
    }
    source.subscribe(onDisposed: { journal.write("onDisposed") }).dispose()
    #expect(journal.line == "teardown onDisposed")
  }

  @Test(arguments: SeveralSources.allCases)
  func d7ASourceThatEndedIsDisposedAlsoWhileOthersGoOn(stage: SeveralSources) {
    let source = PublishSubject<Int>()
    let subscription = stage.build(source.take(1)).subscribe()
    source.onNext(1)
    #expect(!source.hasObservers)
    subscription.dispose()
  }
}

/// Stages of which the source under test is the last one, however it ends.
enum Following: CaseIterable {
  case concat, startWith, ifEmpty, emptyThenSource, `catch`, caught, catchSequence, retry
  case retryWhen

  func build(_ source: Observable<Int>) -> Observable<Int> {
    switch self {
    case .concat: .concat(.just(0), source)
    case .startWith: source.startWith(0)
    case .ifEmpty: source.ifEmpty(switchTo: .just(0))
    case .emptyThenSource: .empty().ifEmpty(switchTo: source)
    case .catch: source.catch { throw $0 }
    case .caught: .error(Failure.second).catch { _ in source }
    case .catchSequence: .catch(sequence: [.error(Failure.second), source])
    case .retry: source.retry(2)
    case .retryWhen: source.retry(when: { (errors: Observable<RxError>) in errors })
    }
  }
}

extension PublishSubject {
  fileprivate func end(after element: Element, _ failure: Failure?) {
    onNext(element)
    if let failure { onError(failure) } else { onCompleted() }
  }
}

/// Stages that continue after one of their sources ended.
enum SeveralSources: CaseIterable {
  case flatMap, flatMapLatest, concatMap, combineLatest, zip, withLatestFrom, sample, sampler
  case retryWhen

  func build(_ source: Observable<Int>) -> Observable<Int> {
    let never = Observable<Int>.never()
    return switch self {
    case .flatMap: source.flatMap { _ in never }
    case .flatMapLatest: source.flatMapLatest { _ in never }
    case .concatMap: source.concatMap { _ in never }
    case .combineLatest: .combineLatest(source, never) { first, _ in first }
    case .zip: .zip(source, never) { first, _ in first }
    case .withLatestFrom: never.withLatestFrom(source)
    case .sample: source.sample(never)
    case .sampler: never.sample(source)
    case .retryWhen: never.retry(when: { (_: Observable<any Error>) in source })
    }
  }
}
