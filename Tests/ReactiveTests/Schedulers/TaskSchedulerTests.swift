import Dispatch
import Reactive
import ReactiveTestSupport
import Synchronization
import Testing
import TestSupport

@Suite(.accounted)
struct TaskSchedulerTests {
  @Test func observingOnItKeepsTheOrderAndNeverOverlaps() async {
    let source = PublishSubject<Int>()
    let turnstile = Turnstile()
    let recorder = Recorder<Int>()
    let ends = AsyncStream<Void>.makeStream()
    let subscription = source.observe(on: TaskScheduler(priority: .high)).subscribe { event in
      turnstile.pass { recorder.on(event) }
      if event.isStopEvent { ends.continuation.yield() }
    }
    for element in 0..<500 { source.onNext(element) }
    source.onCompleted()
    for await _ in ends.stream { break }
    #expect(recorder.elements == Array(0..<500))
    #expect(!turnstile.wasShared)
    subscription.dispose()
  }

  @Test func takingWorkBackCancelsItsTask() async {
    let scheduler = TaskScheduler()
    let ends = AsyncStream<Bool>.makeStream()
    // The work takes itself back, so that it need not hold a thread of the pool for somebody else to.
    let work = Mutex<(any Disposable)?>(nil)
    work.withLock { place in
      place = scheduler.schedule(()) { _ in
        work.withLock { $0 }?.dispose()
        ends.continuation.yield(Task.isCancelled)
        return Disposables.create()
      }
    }
    for await wasCancelled in ends.stream {
      #expect(wasCancelled)
      break
    }
  }

  @Test func workThatWaitsIsTakenBack() async {
    let scheduler = TaskScheduler()
    let count = Counter()
    let done = AsyncStream<Void>.makeStream()
    let never = scheduler.scheduleRelative((), dueTime: .seconds(3600)) { _ in
      count.increment()
      return Disposables.create()
    }
    never.dispose()
    scheduler.scheduleRelative((), dueTime: .never) { _ in Disposables.create() }.dispose()
    _ = scheduler.scheduleRelative((), dueTime: .nanoseconds(1)) { _ in
      done.continuation.yield()
      return Disposables.create()
    }
    for await _ in done.stream { break }
    #expect(count.value == 0)
  }
}
