import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// G: what an observer hears, and how often at a time.
@Suite("Laws: grammar", .accounted)
struct GrammarLawTests {
  @Test func g1AfterATerminalEventAnObserverReceivesNothing() {
    let ended = PublishSubject<Int>()
    let failed = PublishSubject<Int>()
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    _ = ended.subscribe(recorders[0])
    _ = failed.subscribe(recorders[1])
    ended.onNext(1)
    ended.onCompleted()
    failed.onError(Failure.first)
    for subject in [ended, failed] {
      subject.onNext(2)
      subject.onError(Failure.second)
      subject.onCompleted()
    }
    #expect(recorders[0].line == "1 |")
    #expect(recorders[1].line == "xfirst")
  }

  @Test func g1HoldsForAnObservableOfTheUsersOwn() {
    struct Unruly: ObservableType {
      typealias Element = Int

      func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
      where Observer.Element == Int {
        observer.onNext(1)
        observer.onCompleted()
        observer.onNext(2)
        observer.onCompleted()
        return Disposables.create()
      }
    }
    let recorder = Recorder<Int>()
    _ = Unruly().map { $0 }.subscribe(recorder)
    #expect(recorder.line == "1 |")
  }

  @Test func g2EventsToOneObserverNeverOverlap() {
    let subject = PublishSubject<Int>()
    let relay = BehaviorRelay(value: 0)
    let turnstiles = [Turnstile(), Turnstile(), Turnstile()]
    let counts = [Counter(), Counter(), Counter()]
    let bag = DisposeBag()
    let merged = Observable.merge(subject, relay.asObservable())
    for (index, source) in [subject, relay.asObservable(), merged].enumerated() {
      source.subscribe(onNext: { _ in turnstiles[index].pass { counts[index].increment() } })
        .disposed(by: bag)
    }
    inParallel(4) { thread in
      for element in 0..<500 {
        if thread % 2 == 0 { subject.onNext(element) } else { relay.accept(element) }
      }
    }
    #expect(!turnstiles.contains { $0.wasShared })
    #expect(counts.map(\.value) == [1000, 1001, 2001])
  }

  @Test func g2HoldsForProducersThatSendFromSeveralThreads() {
    let turnstile = Turnstile()
    let count = Counter()
    let source = Observable<Int>.create { observer in
      inParallel(4) { _ in for element in 0..<500 { observer.onNext(element) } }
      observer.onCompleted()
      return Disposables.create()
    }
    _ = source.subscribe(onNext: { _ in turnstile.pass { count.increment() } })
    #expect(!turnstile.wasShared)
    #expect(count.value == 2000)
  }

  @Test func g3WhatCreateSendsAfterTheEndIsDroppedAndTeardownRunsOnceAfterIt() {
    let journal = Journal()
    let kept = Box<AnyObserver<Int>>()
    let source = Observable<Int>.create { observer in
      kept.value = observer
      return Disposables.create { journal.write("teardown") }
    }
    let subscription = source.subscribe(
      onNext: { journal.write("\($0)") }, onCompleted: { journal.write("|") })
    kept.value?.onNext(1)
    kept.value?.onCompleted()
    kept.value?.onNext(2)
    kept.value?.onCompleted()
    subscription.dispose()
    #expect(journal.line == "1 | teardown")
    kept.value = nil
  }

  @Test func g3WhatCreateSendsAfterDisposalIsDropped() {
    let journal = Journal()
    let kept = Box<AnyObserver<Int>>()
    let source = Observable<Int>.create { observer in
      kept.value = observer
      return Disposables.create { journal.write("teardown") }
    }
    let subscription = source.subscribe(onNext: { journal.write("\($0)") })
    subscription.dispose()
    kept.value?.onNext(1)
    #expect(journal.line == "teardown")
    kept.value = nil
  }

  @Test func g4TeardownRunsAlsoWhenTheProducerCompletesInsideCreate() {
    let journal = Journal()
    let source = Observable<Int>.create { observer in
      observer.onNext(1)
      observer.onCompleted()
      return Disposables.create { journal.write("teardown") }
    }
    _ = source.subscribe(onNext: { journal.write("\($0)") }, onCompleted: { journal.write("|") })
    #expect(journal.line == "1 | teardown")
  }

  @Test func g5AnErrorWithoutAHandlerGoesToTheHook() {
    struct Unheard: Error {}
    let sites = Journal()
    let before = Hooks.defaultErrorHandler
    Hooks.defaultErrorHandler = { site, error in
      if error is Unheard { sites.write(site.joined()) } else { before(site, error) }
    }
    defer { Hooks.defaultErrorHandler = before }
    _ = Observable<Int>.error(Unheard()).subscribe(onNext: { _ in })
    #expect(sites.lines.count == 1)
    #expect(sites.line.hasPrefix("ReactiveTests/GrammarLawTests.swift:"))
  }
}
