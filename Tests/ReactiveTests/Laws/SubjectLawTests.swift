import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// S: what subjects and relays promise about order, values and ends.
@Suite("Laws: subjects", .accounted)
struct SubjectLawTests {
  @Test func s1AnObserverSubscribedDuringAnEmissionMissesTheEventInFlight() {
    let subject = PublishSubject<Int>()
    let journal = Journal()
    let all = CompositeDisposable()
    all.insert(
      subject.subscribe(onNext: { element in
        journal.write("A\(element)")
        guard element == 1 else { return }
        all.insert(subject.subscribe(onNext: { journal.write("B\($0)") }))
      }))
    subject.onNext(1)
    subject.onNext(2)
    #expect(journal.line == "A1 A2 B2")
    all.dispose()
  }

  @Test func s1HoldsForEventsThatWaitAlready() {
    let subject = PublishSubject<Int>()
    let journal = Journal()
    let all = CompositeDisposable()
    all.insert(
      subject.subscribe(onNext: { element in
        journal.write("A\(element)")
        guard element == 1 else { return }
        subject.onNext(2)
        all.insert(subject.subscribe(onNext: { journal.write("B\($0)") }))
        subject.onNext(3)
      }))
    subject.onNext(1)
    #expect(journal.line == "A1 A2 A3 B3")
    all.dispose()
  }

  @Test func s2AReentrantSendReachesEverybodyAfterTheEventInFlight() {
    let subject = PublishSubject<Int>()
    let journal = Journal()
    let bag = DisposeBag()
    subject.subscribe(onNext: { element in
      journal.write("A\(element)")
      if element == 1 { subject.onNext(2) }
    }).disposed(by: bag)
    subject.subscribe(onNext: { journal.write("B\($0)") }).disposed(by: bag)
    subject.onNext(1)
    #expect(journal.line == "A1 B1 A2 B2")
  }

  @Test func s3ResendingFromWithinAHandlerCostsNoStack() {
    let subject = PublishSubject<Int>()
    let relay = BehaviorRelay(value: 0)
    let bag = DisposeBag()
    let count = Counter()
    subject.subscribe(onNext: { element in
      count.increment()
      if element < 100_000 { subject.onNext(element + 1) }
    }).disposed(by: bag)
    relay.asObservable().subscribe(onNext: { element in
      if element > 0, element < 100_000 { relay.accept(element + 1) }
    }).disposed(by: bag)
    subject.onNext(1)
    relay.accept(1)
    #expect(count.value == 100_000)
    #expect(relay.value == 100_000)
  }

  @Test func s4TheValueIsTheLastAcceptedAtOnceAlsoWithinAHandler() throws {
    let subject = BehaviorSubject(value: 0)
    let journal = Journal()
    let bag = DisposeBag()
    subject.subscribe(onNext: { element in
      if element == 1 {
        subject.onNext(2)
        journal.write("value \((try? subject.value()) ?? -1)")
      }
      journal.write("A\(element)")
    }).disposed(by: bag)
    subject.subscribe(onNext: { journal.write("B\($0)") }).disposed(by: bag)
    subject.onNext(1)
    #expect(journal.line == "A0 B0 value 2 A1 B1 A2 B2")
    #expect(try subject.value() == 2)
  }

  @Test func s5DisposingAnObserverFromAnEarlierOnesHandlerSuppressesItsEvent() {
    let subject = PublishSubject<Int>()
    let journal = Journal()
    let direct = SerialDisposable()
    let mapped = SerialDisposable()
    let bag = DisposeBag()
    subject.subscribe(onNext: { element in
      journal.write("A\(element)")
      if element == 2 {
        direct.dispose()
        mapped.dispose()
      }
    }).disposed(by: bag)
    direct.disposable = subject.subscribe(onNext: { journal.write("B\($0)") })
    mapped.disposable = subject.map { $0 }.subscribe(onNext: { journal.write("C\($0)") })
    subject.onNext(1)
    subject.onNext(2)
    #expect(journal.line == "A1 B1 C1 A2")
  }

  @Test(arguments: [4, 40])
  func s6DeliveryFollowsSubscriptionOrderAlsoAfterOthersLeft(count: Int) {
    let subject = PublishSubject<Int>()
    let journal = Journal()
    var subscriptions: [any Disposable] = []
    for name in 0..<count {
      subscriptions.append(subject.subscribe(onNext: { _ in journal.write("\(name)") }))
    }
    // Every second one leaves, the first included, and newcomers go to the end.
    for name in stride(from: 0, to: count, by: 2) { subscriptions[name].dispose() }
    for name in count..<(count + 2) {
      subscriptions.append(subject.subscribe(onNext: { _ in journal.write("\(name)") }))
    }
    subject.onNext(1)
    let expected = stride(from: 1, to: count, by: 2).map { $0 } + [count, count + 1]
    #expect(journal.lines == expected.map(String.init))
    for subscription in subscriptions { subscription.dispose() }
    #expect(!subject.hasObservers)
  }

  @Test func s7ASubscriberGetsTheCurrentValueFirstAndThenEveryLaterOneOnce() {
    let subject = BehaviorSubject(value: 0)
    let recorders = (0..<3).map { _ in Recorder<Int>() }
    let bag = DisposeBag()
    inParallel(4) { thread in
      if thread == 0 {
        for element in 1...2000 { subject.onNext(element) }
      } else {
        subject.subscribe(recorders[thread - 1]).disposed(by: bag)
      }
    }
    for recorder in recorders {
      // Without loss or duplicate: an unbroken run up to the last value.
      let first = recorder.elements.first ?? -1
      #expect(recorder.elements == Array(first...2000))
    }
  }

  @Test func s7HoldsWithinAHandlerToo() {
    let relay = BehaviorRelay(value: 0)
    let journal = Journal()
    let all = CompositeDisposable()
    all.insert(
      relay.asObservable().subscribe(onNext: { element in
        journal.write("A\(element)")
        guard element == 1 else { return }
        relay.accept(2)
        all.insert(relay.asObservable().subscribe(onNext: { journal.write("B\($0)") }))
        journal.write("subscribed")
        relay.accept(3)
      }))
    relay.accept(1)
    #expect(journal.line == "A0 A1 B2 subscribed A2 A3 B3")
    all.dispose()
  }

  @Test func s8AfterTheEndLateSubscribersGetTheEndAlone() {
    let publish = PublishSubject<Int>()
    let behavior = BehaviorSubject(value: 1)
    publish.onCompleted()
    behavior.onError(Failure.first)
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    _ = publish.subscribe(recorders[0])
    _ = behavior.subscribe(recorders[1])
    #expect(recorders[0].line == "|")
    #expect(recorders[1].line == "xfirst")
  }

  @Test func s8AfterTheEndAReplaySubjectSendsWhatItRemembersAndThenTheEnd() {
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    let completed = ReplaySubject<Int>.create(bufferSize: 2)
    let failed = ReplaySubject<Int>.createUnbounded()
    for element in 1...3 {
      completed.onNext(element)
      failed.onNext(element)
    }
    completed.onCompleted()
    failed.onError(Failure.first)
    completed.onNext(4)
    _ = completed.subscribe(recorders[0])
    _ = failed.subscribe(recorders[1])
    #expect(recorders.map(\.line) == ["2 3 |", "1 2 3 xfirst"])
  }

  @Test func s8WhoSubscribesFromWithinTheEndHearsItAtOnce() {
    func heard(_ subject: some SubjectType<Int> & ObserverType & Sendable) -> String {
      let journal = Journal()
      _ = subject.subscribe(
        AnyObserver<Int> { event in
          if !event.isStopEvent { return }
          _ = subject.asObservable().subscribe(AnyObserver { journal.write("\($0)") })
          journal.write("subscribed")
        })
      subject.on(.next(1))
      subject.on(.completed)
      return journal.line
    }
    #expect(heard(PublishSubject<Int>()) == "completed subscribed")
    #expect(heard(BehaviorSubject(value: 0)) == "completed subscribed")
    #expect(heard(ReplaySubject<Int>.create(bufferSize: 0)) == "completed subscribed")
    #expect(heard(ReplaySubject<Int>.create(bufferSize: 1)) == "next(1) completed subscribed")
  }

  @Test func s9TheValueThrowsAfterAnErrorAndStaysAfterACompletion() throws {
    let failed = BehaviorSubject(value: 1)
    failed.onError(Failure.first)
    #expect(throws: Failure.first) { try failed.value() }
    let completed = BehaviorSubject(value: 1)
    completed.onNext(2)
    completed.onCompleted()
    completed.onNext(3)
    #expect(try completed.value() == 2)
  }

  @Test func s10ADisposedSubjectIgnoresSendsAndRefusesSubscribers() {
    let publish = PublishSubject<Int>()
    let behavior = BehaviorSubject(value: 1)
    let before = [Recorder<Int>(), Recorder<Int>()]
    let after = [Recorder<Int>(), Recorder<Int>()]
    _ = publish.subscribe(before[0])
    _ = behavior.subscribe(before[1])
    publish.dispose()
    behavior.dispose()
    publish.onNext(2)
    behavior.onNext(2)
    _ = publish.subscribe(after[0])
    _ = behavior.subscribe(after[1])
    #expect(before.map(\.line) == ["", "1"])
    #expect(after.map(\.line) == ["xdisposed", "xdisposed"])
    #expect(throws: RxError.disposed) { try behavior.value() }
    #expect(publish.isDisposed && behavior.isDisposed)
    #expect(!publish.hasObservers && !behavior.hasObservers)
  }

  @Test func s10ADisposedReplaySubjectReplaysNothing() {
    let replay = ReplaySubject<Int>.createUnbounded()
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    replay.onNext(1)
    _ = replay.subscribe(recorders[0])
    replay.dispose()
    replay.onNext(2)
    _ = replay.subscribe(recorders[1])
    #expect(recorders.map(\.line) == ["1", "xdisposed"])
    #expect(replay.isDisposed && !replay.hasObservers)
  }

  // A subject that had ended kept its elements, and replayed them and the end after its disposal.
  @Test(arguments: [nil, Failure.first])
  func s10ASubjectThatIsDisposedAfterItsEndKeepsNothing(failure: Failure?) {
    weak var kept: Witness?
    let publish = PublishSubject<Witness>()
    let replay = ReplaySubject<Witness>.createUnbounded()
    let behavior: BehaviorSubject<Witness>
    do {
      let witness = Witness()
      kept = witness
      behavior = BehaviorSubject(value: witness)
    }
    for subject in [publish, replay, behavior] as [BroadcastSubject<Witness>] {
      if let kept { subject.onNext(kept) }
      if let failure { subject.onError(failure) } else { subject.onCompleted() }
      subject.dispose()
      let recorder = Recorder<Witness>()
      _ = subject.subscribe(recorder)
      #expect(recorder.line == "xdisposed")
      #expect(subject.isDisposed && !subject.hasObservers)
    }
    #expect(kept == nil)
    #expect(throws: RxError.disposed) { try behavior.value() }
    // An end after the disposal changes nothing.
    replay.onCompleted()
    let recorder = Recorder<Witness>()
    _ = replay.subscribe(recorder)
    #expect(recorder.line == "xdisposed")
  }

  @Test func s11ARelayOutlivesTheSequenceBoundToIt() {
    let relay = BehaviorRelay(value: 0)
    let recorder = Recorder<Int>()
    let subscription = relay.subscribe(recorder)
    _ = Observable.of(1, 2).bind(to: relay)
    relay.accept(3)
    #expect(recorder.line == "0 1 2 3")
    subscription.dispose()
  }

  @Test func s11RelaysOfEveryKindOutliveTheSequencesBoundToThem() {
    let (publish, replay) = (PublishRelay<Int>(), ReplayRelay<Int>.create(bufferSize: 1))
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    let bag = DisposeBag()
    publish.subscribe(recorders[0]).disposed(by: bag)
    replay.subscribe(recorders[1]).disposed(by: bag)
    _ = Observable.of(1, 2).bind(to: publish)
    _ = Observable.of(1, 2).bind(to: replay)
    publish.accept(3)
    replay.accept(3)
    #expect(recorders.map(\.line) == ["1 2 3", "1 2 3"])
  }

  @Test func s12WhatIsSentDuringAReplayArrivesAfterTheReplayed() {
    let subject = ReplaySubject<Int>.createUnbounded()
    for element in 1...3 { subject.onNext(element) }
    let journal = Journal()
    let bag = DisposeBag()
    subject.subscribe(onNext: { element in
      journal.write("A\(element)")
      if element == 1 { subject.onNext(4) }
    }).disposed(by: bag)
    #expect(journal.line == "A1 A2 A3 A4")
  }

  @Test func s12AReplayLosesAndRepeatsNothingWhileOthersSend() {
    let subject = ReplaySubject<Int>.createUnbounded()
    let recorders = (0..<3).map { _ in Recorder<Int>() }
    let bag = DisposeBag()
    inParallel(4) { thread in
      if thread == 0 {
        for element in 1...2000 { subject.onNext(element) }
      } else {
        subject.subscribe(recorders[thread - 1]).disposed(by: bag)
      }
    }
    for recorder in recorders { #expect(recorder.elements == Array(1...2000)) }
  }

  #if DEBUG
    @Test func s11AnErrorBoundToARelayTrapsInDebugBuilds() async {
      await #expect(processExitsWith: .failure) {
        _ = Observable<Int>.error(Failure.first).bind(to: BehaviorRelay(value: 0))
      }
    }
  #endif
}
