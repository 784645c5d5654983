import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct MainActorSchedulerTests {
  @MainActor
  @Test func onTheMainActorWorkRunsAtOnce() {
    let scheduler = MainActorScheduler()
    var seen: [String] = []
    scheduler.run { seen.append("work") }
    seen.append("after")
    #expect(seen == ["work", "after"])
  }

  @MainActor
  @Test func whatIsScheduledFromWorkWaitsForIt() async {
    let scheduler = MainActorScheduler()
    let journal = Journal()
    let ends = AsyncStream<Void>.makeStream()
    scheduler.run {
      scheduler.run {
        journal.write("inner")
        ends.continuation.yield()
      }
      journal.write("outer")
    }
    for await _ in ends.stream { break }
    #expect(journal.line == "outer inner")
  }

  @Test func fromElsewhereItRunsOnTheMainActor() async {
    let ends = AsyncStream<Void>.makeStream()
    MainActorScheduler.instance.run {
      MainActor.assertIsolated()
      ends.continuation.yield()
    }
    for await _ in ends.stream { break }
    let subscription = Observable.of(1, 2).observe(on: MainActorScheduler.instance).subscribe(
      onNext: { _ in MainActor.assertIsolated() }, onCompleted: { ends.continuation.yield() })
    for await _ in ends.stream { break }
    subscription.dispose()
    // The work that sent the end has returned, and released its sinks.
    await MainActor.run {}
  }

  @Test func timersRunOnTheMainActor() async {
    let scheduler = MainActorScheduler()
    let ends = AsyncStream<Int>.makeStream()
    let once = scheduler.scheduleRelative(1, dueTime: .nanoseconds(1)) { state in
      MainActor.assertIsolated()
      ends.continuation.yield(state)
      return Disposables.create()
    }
    let again = scheduler.schedulePeriodic(
      10, startAfter: .nanoseconds(1), period: .milliseconds(1)
    ) { state in
      ends.continuation.yield(state)
      return state + 1
    }
    var seen: Set<Int> = []
    for await state in ends.stream {
      seen.insert(state)
      if seen.isSuperset(of: [1, 10, 11]) { break }
    }
    once.dispose()
    again.dispose()
  }
}
