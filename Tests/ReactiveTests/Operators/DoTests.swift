import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct DoTests {
  private func traced(_ source: Observable<Int>, _ journal: Journal) -> Observable<Int> {
    source.do(
      onNext: { journal.write("onNext\($0)") }, afterNext: { journal.write("afterNext\($0)") },
      onError: { journal.write("onError \($0)") },
      afterError: { journal.write("afterError \($0)") },
      onCompleted: { journal.write("onCompleted") },
      afterCompleted: { journal.write("afterCompleted") },
      onSubscribe: { journal.write("onSubscribe") },
      onSubscribed: { journal.write("onSubscribed") }, onDispose: { journal.write("onDispose") })
  }

  @Test func callsEveryClosureInItsTurn() {
    let journal = Journal()
    let source = PublishSubject<Int>()
    _ = traced(source, journal).subscribe(
      onNext: { journal.write("\($0)") }, onCompleted: { journal.write("|") })
    source.onNext(1)
    source.onCompleted()
    #expect(
      journal.lines == [
        "onSubscribe", "onSubscribed", "onNext1", "1", "afterNext1", "onCompleted", "|",
        "onDispose", "afterCompleted",
      ])
  }

  @Test func hearsOfErrors() {
    let journal = Journal()
    _ = traced(.error(Failure.first), journal).subscribe(onError: { journal.write("x\($0)") })
    #expect(
      journal.lines == [
        "onSubscribe", "onError first", "xfirst", "afterError first", "onSubscribed", "onDispose",
      ])
  }

  @Test func hearsOfDisposalOnce() {
    let journal = Journal()
    let subscription = traced(PublishSubject(), journal).subscribe()
    subscription.dispose()
    subscription.dispose()
    #expect(journal.lines == ["onSubscribe", "onSubscribed", "onDispose"])
  }

  // Calling it depended on whether the teardown was known when the sequence ended.
  @Test func onDisposeComesAfterTheTeardownWhereverTheEndComesFrom() {
    func order(_ chain: (Observable<Int>) -> Observable<Int>) -> String {
      let journal = Journal()
      let source = Observable<Int>.create { observer in
        observer.onNext(1)
        observer.onError(Failure.first)
        return Disposables.create { journal.write("teardown") }
      }
      _ = chain(source.do(onDispose: { journal.write("inner") }))
        .do(onDispose: { journal.write("outer") })
        .subscribe(onError: { _ in journal.write("x") })
      return journal.line
    }
    #expect(order { $0 } == "x teardown inner outer")
    #expect(order { $0.catchAndReturn(0) } == "teardown inner outer")
    #expect(order { $0.take(1) } == "teardown inner outer")
    #expect(
      order { source in Observable.just(0).flatMap { _ in source } } == "x teardown inner outer")
    #expect(order { $0.share() } == "x teardown inner outer")
    #expect(order { $0.multicast({ PublishSubject<Int>() }) { $0 } } == "x teardown inner outer")
    #expect(order { $0.retry(2) } == "teardown inner x teardown inner outer")
  }

  // An inner sequence that ended left the others before the whole ended, so that nothing was left
  // to wait for.
  @Test func onDisposeComesAfterTheTeardownOfTheInnerSequenceThatEndedLast() {
    let journal = Journal()
    let inner = Observable<Int>.create { observer in
      observer.onCompleted()
      return Disposables.create { journal.write("teardown") }
    }
    let outer = PublishSubject<Int>()
    let chains = [
      outer.take(2).concatMap { $0 == 1 ? .never().take(until: outer) : inner },
      outer.take(1).flatMapLatest { _ in inner },
      outer.take(1).flatMapFirst { _ in inner },
    ]
    for chain in chains { _ = chain.do(onDispose: { journal.write("onDispose") }).subscribe() }
    for element in 1...2 { outer.onNext(element) }
    #expect(journal.lines.suffix(2) == ["teardown", "onDispose"])
    #expect(journal.lines.prefix(4) == ["teardown", "onDispose", "teardown", "onDispose"])
    #expect(journal.lines.count == 6)
  }

  @Test func onDisposeWaitsForATeardownThatAnotherThreadOwes() {
    let journal = Journal()
    let (isRunning, isDisposed) = (Gate(), Gate())
    let source = Observable<Int>.create { _ in
      isRunning.open()
      isDisposed.pass("the subscription was not disposed")
      return Disposables.create { journal.write("teardown") }
    }
    let outer = PublishSubject<Int>()
    let subscription = outer.flatMap { _ in source }
      .do(onDispose: { journal.write("onDispose") }).subscribe()
    inParallel(2) { thread in
      if thread == 0 {
        outer.onNext(0)
      } else {
        isRunning.pass("the source was not subscribed")
        subscription.dispose()
        isDisposed.open()
      }
    }
    #expect(journal.line == "teardown onDispose")
  }

  @Test func aProducerThatKeepsItsObserverKeepsNothingOfOnDispose() {
    let kept = Box<AnyObserver<Int>>()
    let isGone = Counter()
    do {
      let witness = Witness { isGone.increment() }
      let source = Observable<Int>.create { observer in
        kept.value = observer
        return Disposables.create()
      }
      source.do(onDispose: { witness.touch() }).subscribe().dispose()
    }
    #expect(isGone.value == 1)
    kept.value = nil
  }

  // A view that showed its progress between onSubscribed and onDispose showed it for ever.
  @Test func onDisposeComesAfterOnSubscribedOfASourceThatEndsAtOnce() {
    let isLoading = Box(false)
    _ = Observable.just(1).do(
      onSubscribed: { isLoading.value = true }, onDispose: { isLoading.value = false }
    ).subscribe()
    #expect(isLoading.value == false)
  }

  @Test func whatAClosureThrowsEndsIt() {
    let recorder = Recorder<Int>()
    _ = Observable<Int>.empty().do(onCompleted: { throw Failure.second }).subscribe(recorder)
    _ = Observable<Int>.error(Failure.first).do(onError: { _ in throw Failure.second })
      .subscribe(recorder)
    #expect(recorder.line == "xsecond xsecond")
  }
}
