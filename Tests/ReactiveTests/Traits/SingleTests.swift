import Dispatch
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct SingleTests {
  @Test func itAnswersOnceAndTheTeardownRunsAfterwards() {
    let journal = Journal()
    let single = Single<Int>.create { answer in
      answer(.success(1))
      answer(.success(2))
      answer(.failure(Failure.first))
      return Disposables.create { journal.write("teardown") }
    }
    _ = single.subscribe(
      onSuccess: { journal.write("\($0)") }, onFailure: { _ in journal.write("x") },
      onDisposed: { journal.write("disposed") })
    #expect(journal.line == "1 disposed teardown")
  }

  @Test func ofManyThreadsThatAnswerTheFirstCounts() {
    for _ in 0..<20 {
      let answers = Counter()
      let place = Box<Single<Int>.SingleObserver>()
      let subscription = Single<Int>.create { answer in
        place.value = answer
        return Disposables.create()
      }.subscribe(onSuccess: { _ in answers.increment() })
      inParallel(4) { place.value?(.success($0)) }
      #expect(answers.value == 1)
      place.value = nil
      subscription.dispose()
    }
  }

  @Test func anErrorIsTheAnswer() {
    let recorder = Recorder<Int>()
    _ = Single<Int>.error(Failure.first).asObservable().subscribe(recorder)
    _ = Single.just(1).map(refusing(1)).asObservable().subscribe(recorder)
    #expect(recorder.line == "xfirst xfirst")
  }

  @Test func theResultArrivesAsOneValue() {
    let journal = Journal()
    _ = Single.just(1).subscribe { journal.write("\($0)") }
    _ = Single<Int>.error(Failure.first).subscribe { result in
      if case .failure = result { journal.write("failure") }
    }
    #expect(journal.line == "success(1) failure")
  }

  @Test func subscribeWithKeepsNoObjectAlive() {
    let place = Box<Single<Int>.SingleObserver>()
    let journal = Journal()
    var object: Witness? = Witness()
    let single = Single<Int>.create { answer in
      place.value = answer
      return Disposables.create()
    }
    if let object {
      _ = single.subscribe(with: object, onSuccess: { _, element in journal.write("\(element)") })
    }
    object = nil
    place.value?(.success(1))
    #expect(journal.line == "")
    place.value = nil
  }

  @Test func operatorsLeadToTheTraitThatFits() {
    let recorder = Recorder<Int>()
    let single = Single.just(1)
    let kept: Maybe<Int> = single.filter { $0 > 0 }
    let dropped: Maybe<Int> = single.filter { $0 > 1 }
    let compacted: Maybe<Int> = single.compactMap { Int("\($0)5") }
    let next: Single<Int> = single.flatMap { Single.just($0 + 1) }
    let maybe: Maybe<Int> = single.flatMapMaybe { _ in Maybe.empty() }
    let work: Completable = single.flatMapCompletable { _ in Completable.error(Failure.second) }
    for source in [kept, dropped, compacted, maybe, single.asMaybe()] {
      _ = source.asObservable().subscribe(recorder)
    }
    _ = next.asObservable().subscribe(recorder)
    #expect(recorder.line == "1 | | 15 | | 1 | 2 |")
    let journal = Journal()
    _ = work.subscribe(onError: { journal.write("\($0)") })
    _ = single.asCompletable().subscribe(onCompleted: { journal.write("|") })
    #expect(journal.line == "second |")
  }

  @Test func doSeesTheAnswerOnItsWay() {
    let journal = Journal()
    _ = Single.just(1)
      .do(
        onSuccess: { journal.write("before \($0)") },
        afterSuccess: { journal.write("after \($0)") },
        onSubscribe: { journal.write("subscribe") }, onSubscribed: { journal.write("subscribed") }
      )
      .subscribe(onSuccess: { journal.write("\($0)") })
    _ = Single<Int>.error(Failure.first)
      .do(onError: { _ in throw Failure.second }, afterError: { journal.write("after \($0)") })
      .subscribe(onFailure: { journal.write("\($0)") })
    #expect(
      journal.lines == [
        "subscribe", "before 1", "1", "after 1", "subscribed", "second",
      ])
  }

  @Test func itTakesASchedulersTime() {
    let time = VirtualTime()
    let scheduler = time.scheduler
    #expect(
      time.run { Single<Int>.timer(.seconds(10), scheduler: scheduler).asObservable() }
        == "210:0 210:|")
  }

  @Test func justOnASchedulerTakesAStepEach() {
    let time = VirtualTime()
    let scheduler = time.scheduler
    #expect(time.run { Single.just(7, scheduler: scheduler).asObservable() } == "200:7 200:|")
  }

  @Test func schedulersMoveAndDelayIt() {
    let time = VirtualTime()
    let scheduler = time.scheduler
    let single = Single.just(1).delay(.seconds(5), scheduler: scheduler)
      .observe(on: scheduler).subscribe(on: scheduler)
      .delaySubscription(.seconds(5), scheduler: scheduler)
    #expect(time.run { single.asObservable() } == "210:1 210:|")
  }

  @Test func anAnswerThatIsLateIsATimeout() {
    let time = VirtualTime()
    let scheduler = time.scheduler
    let failing = Single<Int>.never().timeout(.seconds(5), scheduler: scheduler)
    #expect(time.run { failing.asObservable() } == "205:xtimeout")
    let another = VirtualTime()
    let clock = another.scheduler
    let falling = Single<Int>.never().timeout(.seconds(5), other: .just(1), scheduler: clock)
    #expect(another.run { falling.asObservable() } == "205:1 205:|")
  }

  @Test func deferredMakesItAnewForEverySubscription() {
    let made = Counter()
    let single = Single<Int>.deferred { .just(made.increment()) }
    let recorder = Recorder<Int>()
    _ = single.asObservable().subscribe(recorder)
    _ = single.asObservable().subscribe(recorder)
    #expect(recorder.line == "1 | 2 |")
  }
}
