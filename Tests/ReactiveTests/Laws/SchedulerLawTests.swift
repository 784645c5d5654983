import Dispatch
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// X and D5: what runs where, and in which order.
@Suite("Laws: schedulers", .accounted)
struct SchedulerLawTests {
  @Test func x1ObserveOnAffectsDownstreamOnlyKeepsOrderAndDrainsBeforeTheEnd() {
    let place = MarkedScheduler()
    let above = Counter()
    let below = Counter()
    let recorder = Recorder<Int>()
    let done = Gate()
    let subscription = Observable.range(start: 0, count: 1000)
      .do(onNext: { _ in if place.isCurrent { above.increment() } })
      .observe(on: place.scheduler)
      .do(onNext: { _ in if place.isCurrent { below.increment() } })
      .subscribe(
        onNext: { recorder.onNext($0) }, onCompleted: { recorder.onCompleted() },
        onDisposed: { done.open() })
    done.pass("the sequence did not end")
    #expect(recorder.elements == Array(0..<1000))
    #expect(recorder.events.last?.isCompleted == true)
    #expect(above.value == 0)
    #expect(below.value == 1000)
    subscription.dispose()
    place.flush()
  }

  @Test func x1AfterDisposeQueuedEventsAreDropped() {
    let scheduler = VirtualTimeScheduler()
    let recorder = Recorder<Int>()
    let subscription = SerialDisposable()
    subscription.disposable = Observable.of(1, 2, 3).observe(on: scheduler)
      .do(afterNext: { if $0 == 2 { subscription.dispose() } }).subscribe(recorder)
    scheduler.start()
    #expect(recorder.line == "1 2")
  }

  @Test func x2SubscribeOnMovesSubscriptionAndDisposalAndNotEvents() {
    let place = MarkedScheduler()
    let subject = PublishSubject<Int>()
    let journal = Journal()
    let subscribed = Gate()
    let disposed = Gate()
    let source = subject.do(
      onSubscribe: { journal.write("subscribe \(place.isCurrent)") },
      onSubscribed: { subscribed.open() },
      onDispose: {
        journal.write("dispose \(place.isCurrent)")
        disposed.open()
      })
    let subscription = source.subscribe(on: place.scheduler).subscribe(onNext: { _ in
      journal.write("event \(place.isCurrent)")
    })
    subscribed.pass("nobody subscribed")
    subject.onNext(1)
    subscription.dispose()
    disposed.pass("nobody disposed")
    #expect(journal.line == "subscribe true event false dispose true")
    place.flush()
  }

  @Test func x3WorkScheduledFromWithinWorkWaitsAndTheOutermostRunsAllOfIt() {
    let scheduler = CurrentThreadScheduler.instance
    let journal = Journal()
    #expect(CurrentThreadScheduler.isScheduleRequired)
    _ = scheduler.schedule(()) {
      journal.write("outer")
      #expect(!CurrentThreadScheduler.isScheduleRequired)
      for name in ["a", "b"] {
        _ = scheduler.schedule(name) { name in
          journal.write(name)
          return scheduler.schedule(()) {
            journal.write("\(name)2")
            return Disposables.create()
          }
        }
      }
      let dropped = scheduler.schedule(()) {
        journal.write("dropped")
        return Disposables.create()
      }
      dropped.dispose()
      journal.write("returns")
      return Disposables.create()
    }
    #expect(journal.line == "outer returns a b a2 b2")
    #expect(CurrentThreadScheduler.isScheduleRequired)
  }

  @Test func x3TheOutermostSubscribeRunsToCompletionBeforeItReturns() {
    let recorder = Recorder<Int>()
    let inner = Observable.range(
      start: 1, count: 3, scheduler: CurrentThreadScheduler.instance)
    for source in [Observable.of(1, 2, 3), .from([1, 2, 3]), .range(start: 1, count: 3), inner] {
      _ = source.subscribe(recorder)
    }
    _ = Observable.of(inner, inner).concatMap { $0 }.subscribe(recorder)
    #expect(recorder.line == "1 2 3 | 1 2 3 | 1 2 3 | 1 2 3 | 1 2 3 1 2 3 |")
  }

  @MainActor
  @Test func x4TheMainSchedulerRunsAtOnceFromTheMainQueueWithNothingQueued() async {
    let main = MainScheduler()
    let journal = Journal()
    let write: @Sendable (String) -> any Disposable = { name in
      journal.write(name)
      return Disposables.create()
    }
    _ = main.schedule("at once", action: write)
    journal.write("returned")
    inParallel(1) { _ in _ = main.schedule("queued", action: write) }
    _ = main.schedule("behind it", action: write)
    journal.write("returned")
    await untilDone { done in
      _ = main.schedule(()) {
        done()
        return Disposables.create()
      }
    }
    #expect(journal.lines == ["at once", "returned", "returned", "queued", "behind it"])
  }

  @MainActor
  @Test func x4TheAsynchronousInstanceNeverRunsAtOnce() async {
    let journal = Journal()
    _ = MainScheduler.asyncInstance.schedule(()) {
      journal.write("later")
      return Disposables.create()
    }
    journal.write("returned")
    await untilDone { done in
      _ = MainScheduler.asyncInstance.schedule(()) {
        done()
        return Disposables.create()
      }
    }
    #expect(journal.lines == ["returned", "later"])
  }

  @Test func x5ASerialSchedulerOverAConcurrentQueueStaysSerial() {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "serial")
    let turnstile = Turnstile()
    let recorder = Recorder<Int>()
    let done = Gate()
    for element in 0..<500 {
      _ = scheduler.schedule(element) { element in
        turnstile.pass { recorder.onNext(element) }
        if element == 499 { done.open() }
        return Disposables.create()
      }
    }
    done.pass("not everything ran")
    #expect(!turnstile.wasShared)
    #expect(recorder.elements == Array(0..<500))
  }

  @Test(arguments: TimedPipelines.names)
  func d5DisposedOnTheSchedulerThatDeliversNothingComesAfterwards(name: String) throws {
    let pipeline = try TimedPipelines.named(name)
    let spans = TimedPipelines.Spans(short: .microseconds(50), long: .seconds(1000))
    for _ in 0..<20 {
      let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "serial")
      let source = PublishSubject<Int>()
      let isDisposed = Box(false)
      let late = Counter()
      // Some send on the thread of the source: the scheduler follows them.
      let subscription = pipeline(source, scheduler, spans).observe(on: scheduler)
        .subscribe(onNext: { _ in if isDisposed.value == true { late.increment() } })
      inParallel(2) { thread in
        if thread == 0 {
          for element in 0..<200 { source.onNext(element) }
        } else {
          _ = scheduler.schedule(()) {
            subscription.dispose()
            isDisposed.value = true
            return Disposables.create()
          }
        }
      }
      // The first waits for the disposal, the second for what the disposal itself has scheduled,
      // the third until that has returned and released its sinks.
      for _ in 0..<3 {
        let done = Gate()
        _ = scheduler.schedule(()) {
          done.open()
          return Disposables.create()
        }
        done.pass("the scheduler did not come to it")
      }
      #expect(late.value == 0)
    }
  }

  /// Waits without holding the thread.
  @MainActor
  private func untilDone(_ body: @MainActor (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in body { continuation.resume() } }
  }
}

/// A serial scheduler that knows whether code runs on it.
final class MarkedScheduler: @unchecked Sendable {
  // Unchecked: nothing changes; the key is only compared by its identity.
  let scheduler: SerialDispatchQueueScheduler
  private let key: DispatchSpecificKey<Bool>

  init() {
    let key = DispatchSpecificKey<Bool>()
    self.key = key
    scheduler = SerialDispatchQueueScheduler(
      internalSerialQueueName: "marked",
      serialQueueConfiguration: { $0.setSpecific(key: key, value: true) })
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Waits until everything that was scheduled ran, and let go of what it held.
  func flush() {
    let done = Gate()
    for _ in 0..<2 {
      _ = scheduler.schedule(()) {
        done.open()
        return Disposables.create()
      }
      done.pass("the scheduler did not come to it")
    }
  }
}
