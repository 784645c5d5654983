import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ActorSchedulerTests {
  private actor Ledger {
    private(set) var entries: [Int] = []

    func add(_ entry: Int) { entries.append(entry) }
  }

  @Test func workRunsOnTheActorInTheOrderOfScheduling() async {
    let ledger = Ledger()
    let scheduler = ActorScheduler(ledger)
    let ends = AsyncStream<Void>.makeStream()
    for entry in 0..<500 {
      _ = scheduler.schedule(entry) { entry in
        ledger.assumeIsolated { $0.add(entry) }
        if entry == 499 { ends.continuation.yield() }
        return Disposables.create()
      }
    }
    for await _ in ends.stream { break }
    #expect(await ledger.entries == Array(0..<500))
  }

  @Test func observingOnItReachesTheActorsState() async {
    let ledger = Ledger()
    let ends = AsyncStream<Void>.makeStream()
    let subscription = Observable.from(0..<100).observe(on: ActorScheduler(ledger)).subscribe(
      onNext: { element in ledger.assumeIsolated { $0.add(element) } },
      onCompleted: { ends.continuation.yield() })
    for await _ in ends.stream { break }
    #expect(await ledger.entries == Array(0..<100))
    subscription.dispose()
  }

  @Test func itNeverRunsBeforeScheduleReturns() async {
    let ledger = Ledger()
    let scheduler = ActorScheduler(ledger)
    let journal = Journal()
    let ends = AsyncStream<Void>.makeStream()
    _ = scheduler.schedule(()) { _ in
      _ = scheduler.schedule(()) { _ in
        journal.write("inner")
        ends.continuation.yield()
        return Disposables.create()
      }
      journal.write("outer")
      return Disposables.create()
    }
    for await _ in ends.stream { break }
    #expect(journal.line == "outer inner")
  }

  @Test func whatWasTakenBackDoesNotRun() async {
    let ledger = Ledger()
    let scheduler = ActorScheduler(ledger)
    let ends = AsyncStream<Void>.makeStream()
    let journal = Journal()
    _ = scheduler.schedule(()) { _ in
      scheduler.schedule(()) { _ in
        journal.write("taken back")
        return Disposables.create()
      }.dispose()
      scheduler.scheduleRelative((), dueTime: .seconds(3600)) { _ in
        journal.write("too late")
        return Disposables.create()
      }.dispose()
      _ = scheduler.scheduleRelative((), dueTime: .nanoseconds(1)) { _ in
        journal.write("later")
        ends.continuation.yield()
        return Disposables.create()
      }
      return Disposables.create()
    }
    for await _ in ends.stream { break }
    #expect(journal.line == "later")
  }
}
