import Foundation
import Reactive
import Testing

/// M and L, and the grammar, for every operator that takes a scheduler.
@Suite("Laws: operators with schedulers", .accounted)
struct TimedOperatorLawTests {
  static let spans = TimedPipelines.Spans(short: .seconds(10), long: .seconds(500))

  @Test(arguments: TimedPipelines.names, ["dispose", "completed", "error"])
  func m1And3NothingIsHeldAfterTheEndAlsoByAKeptDisposable(name: String, end: String) throws {
    let pipeline = try TimedPipelines.named(name)
    let scheduler = VirtualTimeScheduler()
    let source = PublishSubject<Int>()
    weak var captured: Witness?
    let subscription: any Disposable
    do {
      let witness = Witness()
      captured = witness
      subscription = pipeline(source, scheduler, Self.spans).subscribe(
        onNext: { _ in witness.touch() }, onError: { _ in witness.touch() },
        onDisposed: { witness.touch() })
    }
    scheduler.advanceTo(20)
    source.onNext(1)
    source.onNext(2)
    #expect(captured != nil)
    switch end {
    case "dispose": subscription.dispose()
    case "completed": source.onCompleted()
    default: source.onError(Failure.first)
    }
    // Those that send the end later, or dispose there, are done when the clock comes to it.
    if end != "dispose" || name == "subscribe(on:)" { scheduler.advanceTo(40) }
    #expect(captured == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: ["debounce", "throttle", "delay", "observe(on:)"])
  func m3ElementsThatWaitAreReleasedOnDisposal(name: String) throws {
    let scheduler = VirtualTimeScheduler()
    let source = PublishSubject<Int>()
    weak var waiting: Witness?
    let subscription: any Disposable
    do {
      let witness = Witness()
      waiting = witness
      let witnesses = source.map { _ in witness }
      subscription =
        switch name {
        case "debounce": witnesses.debounce(.seconds(10), scheduler: scheduler).subscribe()
        case "delay": witnesses.delay(.seconds(10), scheduler: scheduler).subscribe()
        case "observe(on:)": witnesses.observe(on: scheduler).subscribe()
        default: witnesses.throttle(.seconds(10), scheduler: scheduler).subscribe()
        }
    }
    source.onNext(1)
    source.onNext(2)
    #expect(waiting != nil)
    subscription.dispose()
    #expect(waiting == nil)
  }

  @Test func m2ASchedulerThatGoesAwayTakesItsWorkWithIt() {
    weak var captured: Witness?
    let source = PublishSubject<Int>()
    do {
      let witness = Witness()
      captured = witness
      let scheduler = VirtualTimeScheduler()
      _ = Observable<Int>.timer(.seconds(1), scheduler: scheduler)
        .subscribe(onNext: { _ in witness.touch() })
    }
    #expect(captured == nil)
    source.onCompleted()
  }

  #if DEBUG
    @Test func m5TheCountOfLiveResourcesReturnsToItsBaseline() {
      let scheduler = VirtualTimeScheduler()
      let baseline = Resources.total
      let source = PublishSubject<Int>()
      let subscriptions = TimedPipelines.all.map {
        $0.pipeline(source, scheduler, Self.spans).subscribe()
      }
      scheduler.advanceTo(20)
      source.onNext(1)
      #expect(Resources.total > baseline + subscriptions.count)
      for subscription in subscriptions { subscription.dispose() }
      scheduler.advanceTo(21)
      // What is kept now are the handles themselves, and nothing of the chains.
      #expect(Resources.total == baseline + subscriptions.count)
    }
  #endif

  @Test(arguments: TimedPipelines.names)
  func l1NoUserCodeRunsUnderALock(name: String) throws {
    let pipeline = try TimedPipelines.named(name)
    let scheduler = VirtualTimeScheduler()
    let source = PublishSubject<Int>()
    let chain = pipeline(source, scheduler, Self.spans)
    let theirs = NSLock()
    let isReached = Gate()
    let isHeld = Gate()
    let visits = Counter()
    let subscription = chain.subscribe(onNext: { _ in
      if visits.increment() > 1 { return }
      isReached.open()
      isHeld.pass("nobody took the lock")
      theirs.withLock {}
    })
    scheduler.advanceTo(20)
    let done = Gate()
    inParallel(2) { thread in
      if thread == 0 {
        source.onNext(1)
        scheduler.advanceTo(40)
      } else {
        isReached.pass("the observer was not reached")
        theirs.withLock {
          isHeld.open()
          let another = chain.subscribe(onNext: { _ in })
          source.onNext(2)
          another.dispose()
          subscription.dispose()
        }
        done.open()
      }
    }
    done.pass("the other thread could not go on")
    scheduler.advanceTo(60)
  }

  @Test(arguments: TimedPipelines.names)
  func anEmptySourceCompletesAndAFailingOneFails(name: String) throws {
    let pipeline = try TimedPipelines.named(name)
    let scheduler = VirtualTimeScheduler()
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    _ = pipeline(.empty(), scheduler, Self.spans).subscribe(recorders[0])
    _ = pipeline(.error(Failure.first), scheduler, Self.spans).subscribe(recorders[1])
    scheduler.advanceTo(100)
    #expect(recorders.map(\.line) == ["|", "xfirst"])
  }

  @Test(arguments: TimedPipelines.names)
  func aSilentSourceStaysSilent(name: String) throws {
    let pipeline = try TimedPipelines.named(name)
    let scheduler = VirtualTimeScheduler()
    let recorder = Recorder<Int>()
    let subscription = pipeline(.never(), scheduler, Self.spans).subscribe(recorder)
    scheduler.advanceTo(400)
    #expect(recorder.line == "")
    subscription.dispose()
    scheduler.advanceTo(500)
  }

  @Test(arguments: TimedPipelines.names)
  func nothingArrivesAfterDisposalFromWithinAnElement(name: String) throws {
    let pipeline = try TimedPipelines.named(name)
    let scheduler = VirtualTimeScheduler()
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    let subscription = SerialDisposable()
    subscription.disposable = pipeline(source, scheduler, Self.spans)
      .do(afterNext: { _ in subscription.dispose() }).subscribe(recorder)
    for step in 1...3 {
      scheduler.advanceTo(step * 20)
      source.onNext(step)
    }
    source.onCompleted()
    scheduler.advanceTo(100)
    #expect(recorder.line == "1")
  }
}
