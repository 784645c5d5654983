import Dispatch
import Reactive
import ReactiveTesting
import Testing

@Suite struct TestSchedulerTests {
  let scheduler = TestScheduler(initialClock: 0)

  @Test func createsAt100SubscribesAt200AndDisposesAt1000() throws {
    try withLeakCheck {
      let source = scheduler.createHotObservable([.next(150, 1), .next(210, 2), .next(1010, 3)])
      let result = scheduler.start { [scheduler] in
        Observable.deferred {
          #expect(scheduler.clock == 200)
          return source.asObservable()
        }
      }
      #expect(result.events == [.next(210, 2)])
      #expect(source.subscriptions == [Subscription(200, 1000)])
    }
  }

  @Test func allThreeTimesCanBeChosen() {
    let created = scheduler.createObserver(Int.self)
    let source = scheduler.createHotObservable([.next(310, 1), .next(390, 2), .next(410, 3)])
    let result = scheduler.start(created: 250, subscribed: 300, disposed: 400) {
      created.onNext(0)
      return source
    }
    #expect(created.events == [.next(250, 0)])
    #expect(result.events == [.next(310, 1), .next(390, 2)])
    #expect(source.subscriptions == [Subscription(300, 400)])
  }

  @Test func workForNowRunsAUnitLaterUnlessToldOtherwise() {
    let exact = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    for (scheduler, expected) in [(scheduler, 211), (exact, 210)] {
      let source = scheduler.createHotObservable([.next(210, 1)])
      let result = scheduler.start { source.observe(on: scheduler) }
      #expect(result.events == [.next(expected, 1)])
    }
  }

  @Test func theResolutionSaysHowLongAUnitIs() {
    let fine = TestScheduler(initialClock: 0, resolution: 0.1)
    let result = fine.start { Observable<Int>.timer(.seconds(5), scheduler: fine) }
    #expect(result.events == [.next(250, 0), .completed(250)])
  }

  @Test func scheduledWorkCanSubscribeAndDispose() {
    let source = scheduler.createHotObservable(
      [.next(10, 1), .next(20, 2), .next(30, 3), .completed(40)])
    let observer = scheduler.createObserver(Int.self)
    let subscription = SingleAssignmentDisposable()
    scheduler.scheduleAt(15) { subscription.setDisposable(source.subscribe(observer)) }
    scheduler.scheduleAt(35) { subscription.dispose() }
    scheduler.advanceTo(25)
    #expect(observer.events == [.next(20, 2)])
    #expect(source.subscriptions == [Subscription(15)])
    scheduler.start()
    #expect(observer.events == [.next(20, 2), .next(30, 3)])
    #expect(source.subscriptions == [Subscription(15, 35)])
  }

  @Test func hotSourcesSendToWhoeverIsThere() {
    let source = scheduler.createHotObservable([.next(10, 1), .next(20, 2), .error(30, Sample.a)])
    let observers = [scheduler.createObserver(Int.self), scheduler.createObserver(Int.self)]
    for (time, observer) in zip([5, 15], observers) {
      scheduler.scheduleAt(time) { _ = source.subscribe(observer) }
    }
    scheduler.start()
    #expect(observers[0].events == [.next(10, 1), .next(20, 2), .error(30, Sample.a)])
    #expect(observers[1].events == [.next(20, 2), .error(30, Sample.a)])
    #expect(source.subscriptions == [Subscription(5, 30), Subscription(15, 30)])
    #expect(source.recordedEvents.count == 3)
  }

  // Events recorded for the current time came a unit late, also when the test said their time.
  @Test func whatIsDueAtTheCurrentTimeRunsThenIfTheTestSaysTheTime() {
    let hot = scheduler.createHotObservable([.next(0, 1), .next(10, 2)])
    let cold = scheduler.createColdObservable([.next(0, 1), .next(10, 2)])
    let result = scheduler.start(created: 0, subscribed: 0, disposed: 100) {
      Observable.merge(hot, cold.asObservable())
    }
    #expect(result.events == [.next(0, 1), .next(10, 2), .next(10, 2)])
    let times = scheduler.createObserver(Int.self)
    scheduler.scheduleAt(150) { [scheduler] in
      scheduler.scheduleAt(150) { times.onNext(1) }
      _ = scheduler.scheduleRelativeVirtual((), dueTime: 0) {
        times.onNext(2)
        return Disposables.create()
      }
      _ = scheduler.schedule(()) {
        times.onNext(3)
        return Disposables.create()
      }
    }
    scheduler.start()
    #expect(times.events == [.next(150, 1), .next(150, 2), .next(151, 3)])
  }

  // Tests of ReactorKit record events after an error, to show that an observer ignores them.
  @Test func anObserverReceivesWhatIsRecordedAfterAnEnd() {
    let events: [Recorded<Event<Int>>] = [.next(10, 1), .error(20, Sample.a), .next(30, 2)]
    let sources = [scheduler.createHotObservable(events), scheduler.createColdObservable(events)]
    for source in sources {
      let direct = scheduler.createObserver(Int.self)
      let mapped = scheduler.createObserver(Int.self)
      let subscription = source.subscribe(direct)
      _ = source.map { $0 }.subscribe(mapped)
      scheduler.start()
      subscription.dispose()
      #expect(direct.events.map(\.value.isStopEvent) == [false, true, false])
      #expect(mapped.events.map(\.value.isStopEvent) == [false, true])
    }
  }

  // The last event decided whether there were any after the end: a second end was dropped, and so
  // was an element at the time of the end. An end at the time of the last element passed for one
  // that is followed by events, so the source stayed subscribed.
  @Test(
    arguments: [
      ([(10, .next(1)), (20, .error(Sample.a)), (30, .completed)], nil),
      ([(10, .completed), (20, .next(1)), (30, .completed)], nil),
      ([(10, .completed), (10, .next(1))], nil),
      ([(20, .completed), (10, .completed), (5, .next(1))], nil),
      ([(10, .next(1)), (10, .completed)], 10),
      ([(20, .completed), (10, .next(1))], 20),
    ] as [([(TestTime, Event<Int>)], TestTime?)])
  func whatIsRecordedAfterAnEndIsFoundWhateverTheLastEventIs(
    _ events: [(TestTime, Event<Int>)], end: TestTime?
  ) {
    let recorded = events.map { Recorded(time: $0.0, value: $0.1) }
    for isHot in [true, false] {
      let scheduler = TestScheduler(initialClock: 0)
      let source =
        isHot
        ? scheduler.createHotObservable(recorded) : scheduler.createColdObservable(recorded)
      let observer = scheduler.createObserver(Int.self)
      let subscription = source.subscribe(observer)
      scheduler.start()
      #expect(observer.events == recorded.sorted { $0.time < $1.time })
      #expect(source.subscriptions == [end.map { Subscription(0, $0) } ?? Subscription(0)])
      subscription.dispose()
    }
  }

  @Test func coldSourcesStartAnewForEverySubscriber() {
    let source = scheduler.createColdObservable([.next(10, 1), .completed(20), .next(30, 2)])
    let result = scheduler.start {
      Observable.merge(source, source.delaySubscription(.seconds(5), scheduler: self.scheduler))
    }
    #expect(result.events == [.next(210, 1), .next(215, 1), .completed(225)])
    #expect(source.subscriptions == [Subscription(200, 220), Subscription(205, 225)])
  }

  @Test func aColdSourceStopsWhenItIsDisposed() throws {
    try withLeakCheck {
      let source = scheduler.createColdObservable([.next(10, 1), .next(20, 2)])
      let result = scheduler.start(disposed: 215) { source }
      #expect(result.events == [.next(210, 1)])
      #expect(scheduler.clock == 215)
    }
  }
}

/// The times that programs written for RxSwift have in their tests.
@Suite struct RecordedTimesTests {
  let scheduler = TestScheduler(initialClock: 0)

  @Test func rangesAndEventsThatHopTakeAUnitEach() {
    let range = scheduler.start { [scheduler] in
      Observable.range(start: 0, count: 3, scheduler: scheduler)
    }
    #expect(
      range.events == [.next(201, 0), .next(202, 1), .next(203, 2), .completed(204)])
    let second = TestScheduler(initialClock: 0)
    let hop = second.start { Observable.of(1, 2).observe(on: second) }
    #expect(hop.events == [.next(201, 1), .next(202, 2), .completed(203)])
  }

  @Test func aDelayedCompletionAtTheTimeOfAnElementComesAUnitLater() {
    let result = scheduler.start { [scheduler] in
      Observable.just(1).delay(.seconds(5), scheduler: scheduler)
    }
    #expect(result.events == [.next(205, 1), .completed(206)])
  }

  @Test func subscribeOnSubscribesAndDisposesAUnitLater() {
    let source = scheduler.createHotObservable([.next(210, 1), Recorded.completed(300)])
    let result = scheduler.start { [scheduler] in source.subscribe(on: scheduler) }
    #expect(result.events == [.next(210, 1), .completed(300)])
    #expect(source.subscriptions == [Subscription(201, 301)])
  }

  @Test func throttleCountsFromWhatItSentLast() {
    let source = scheduler.createHotObservable([
      .next(150, 1), .next(210, 2), .next(250, 3), .next(310, 4), .next(350, 5), .next(410, 6),
      .next(450, 7), .completed(500),
    ])
    let result = scheduler.start { [scheduler] in
      source.throttle(.seconds(200), scheduler: scheduler)
    }
    #expect(result.events == [.next(210, 2), .next(410, 6), .next(610, 7), .completed(610)])
    #expect(source.subscriptions == [Subscription(200, 500)])
  }

  @Test func anIntervalOfNothingTicksEveryUnit() {
    let result = scheduler.start(disposed: 204) { [scheduler] in
      Observable<Int>.interval(.seconds(0), scheduler: scheduler)
    }
    #expect(result.events == [.next(201, 0), .next(202, 1), .next(203, 2)])
  }

  @Test func timeoutWithNothingInTime() {
    let source = scheduler.createHotObservable([Recorded<Event<Int>>.next(350, 1)])
    let result = scheduler.start { [scheduler] in
      source.timeout(.seconds(100), scheduler: scheduler)
    }
    #expect(result.events == [.error(300, RxError.timeout)])
    #expect(source.subscriptions == [Subscription(200, 300)])
  }
}

enum Sample: Error { case a, b }
