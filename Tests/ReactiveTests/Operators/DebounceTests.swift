import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct DebounceTests {
  let time = VirtualTime()

  @Test func sendsWhatNothingFollowedForAWhile() {
    let source = time.source("210:1 220:2 300:3 400:|")
    let line = time.run { [time] in source.debounce(.seconds(20), scheduler: time.scheduler) }
    #expect(line == "240:2 320:3 400:|")
  }

  @Test func anElementAtTheVeryTimeStillReplacesTheOneBefore() {
    // The element was scheduled before the timer that comes due with it, so it comes first.
    let source = time.source("210:1 230:2")
    let line = time.run { [time] in source.debounce(.seconds(20), scheduler: time.scheduler) }
    #expect(line == "250:2")
  }

  @Test func nothingArrivesAfterDisposal() {
    let source = time.source("210:1 300:2")
    let line = time.run(disposed: 310) { [time] in
      source.debounce(.seconds(20), scheduler: time.scheduler)
    }
    #expect(line == "230:1")
  }

  @Test func optionalElementsAreElements() {
    let line = time.run { [time] in
      Observable<Int?>.just(nil).debounce(.seconds(20), scheduler: time.scheduler).map { $0 ?? 0 }
    }
    #expect(line == "200:0 200:|")
  }

  @Test func aTimerThatWasReplacedButCouldNotBeTakenBackIsIgnored() {
    let source = time.source("210:1 220:2")
    let line = time.run { [time] in
      source.debounce(.seconds(20), scheduler: Relentless(time.scheduler))
    }
    #expect(line == "240:2")
  }

  /// A scheduler whose timers are always on their way already.
  private struct Relentless: SchedulerType {
    let scheduler: VirtualTimeScheduler

    init(_ scheduler: VirtualTimeScheduler) { self.scheduler = scheduler }

    var now: RxTime { scheduler.now }

    func schedule<State: Sendable>(
      _ state: State, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
      _ = scheduler.schedule(state, action: action)
      return Disposables.create()
    }

    func scheduleRelative<State: Sendable>(
      _ state: State, dueTime: RxTimeInterval,
      action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
      _ = scheduler.scheduleRelative(state, dueTime: dueTime, action: action)
      return Disposables.create()
    }
  }
}
