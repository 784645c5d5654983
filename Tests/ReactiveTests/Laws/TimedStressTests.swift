import Dispatch
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// The operators that take a scheduler, on real queues and with several senders.
///
/// The machine decides which events come, and when. The grammar must hold: events never
/// overlap, the end comes once and last, and a disposed subscription is silent.
@Suite("Stress: operators with schedulers", .accounted)
struct TimedStressTests {
  static let spans = TimedPipelines.Spans(short: .microseconds(100), long: .seconds(1000))

  @Test(arguments: TimedPipelines.names)
  func eventsNeverOverlapAndTheEndComesOnce(name: String) throws {
    let pipeline = try TimedPipelines.named(name)
    let scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    for round in 0..<10 {
      let source = PublishSubject<Int>()
      let turnstile = Turnstile()
      let ends = Counter()
      let late = Counter()
      let done = Gate()
      let subscription = pipeline(source, scheduler, Self.spans).subscribe(
        onNext: { _ in turnstile.pass { if ends.value > 0 { late.increment() } } },
        onError: { _ in turnstile.pass { ends.increment() } },
        onCompleted: { turnstile.pass { ends.increment() } },
        onDisposed: { done.open() })
      inParallel(4) { thread in
        for element in 0..<100 { source.onNext(element * 4 + thread) }
        if thread == 0, round % 2 == 0 { source.onError(Failure.first) }
      }
      // Those that subscribe later may find that it ended already: they end all the same.
      source.onCompleted()
      done.pass("\(name) did not end")
      #expect(!turnstile.wasShared)
      #expect(ends.value == 1)
      #expect(late.value == 0)
      subscription.dispose()
    }
    settle(scheduler)
  }

  @Test(arguments: TimedPipelines.names)
  func disposalFromAnotherThreadIsTheLastWord(name: String) throws {
    let pipeline = try TimedPipelines.named(name)
    let scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    for _ in 0..<20 {
      let source = PublishSubject<Int>()
      let ends = Counter()
      let subscription = pipeline(source, scheduler, Self.spans).subscribe(
        onCompleted: { ends.increment() }, onDisposed: { ends.increment() })
      inParallel(3) { thread in
        if thread == 0 { return subscription.dispose() }
        for element in 0..<50 { source.onNext(element) }
      }
      source.onCompleted()
      #expect(ends.value == 1)
    }
    settle(scheduler)
  }

  @Test func aPeriodicTimerOnAConcurrentQueueNeverOverlapsAndStops() {
    let scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    let turnstile = Turnstile()
    let recorder = Recorder<Int>()
    let done = Gate()
    let subscription = SerialDisposable()
    subscription.disposable = Observable<Int>.interval(.microseconds(50), scheduler: scheduler)
      .subscribe(onNext: { element in
        turnstile.pass { recorder.onNext(element) }
        if element == 99 {
          subscription.dispose()
          done.open()
        }
      })
    done.pass("the timer did not come")
    settle(scheduler)
    #expect(!turnstile.wasShared)
    #expect(recorder.elements == Array(0..<100))
  }

  @Test func recursionAndTicksSurviveDisposalAtAnyTime() {
    let scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    for _ in 0..<100 {
      let steps = Observable.range(start: 0, count: 1000, scheduler: scheduler)
      let subscription = steps.subscribe()
      inParallel(2) { _ in subscription.dispose() }
    }
    settle(scheduler)
  }

  /// Waits until scheduled work released what it held.
  private func settle(_ scheduler: ConcurrentDispatchQueueScheduler) {
    #if DEBUG
      let done = Gate()
      for _ in 0..<1000 where Resources.total > 0 {
        _ = scheduler.scheduleRelative((), dueTime: .milliseconds(2)) {
          done.open()
          return Disposables.create()
        }
        done.pass("the scheduler did not come to it")
      }
    #endif
  }
}
