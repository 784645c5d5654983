import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct TimeoutTests {
  let time = VirtualTime()

  @Test func failsWhenNothingComes() {
    let line = time.run { [time] in
      Observable<Int>.never().timeout(.seconds(50), scheduler: time.scheduler)
    }
    #expect(line == "250:xtimeout")
  }

  @Test func passesEverythingOnThatComesInTime() {
    let source = time.source("210:1 250:2 290:|")
    let line = time.run { [time] in source.timeout(.seconds(50), scheduler: time.scheduler) }
    #expect(line == "210:1 250:2 290:|")
  }

  @Test func theSourceIsDisposedBeforeTheOtherOneIsSubscribed() {
    let source = time.source("210:1 300:2")
    let hadObservers = Box<Bool>()
    let other = time.source("270:7 280:|")
    let line = time.run { [time] in
      source.timeout(
        .seconds(50), other: other.do(onSubscribe: { hadObservers.value = source.hasObservers }),
        scheduler: time.scheduler)
    }
    #expect(line == "210:1 270:7 280:|")
    #expect(hadObservers.value == false)
  }

  @Test func disposalStopsTheOtherOneToo() {
    let other = time.source("270:7 280:8")
    let line = time.run(disposed: 275) { [time] in
      Observable<Int>.never().timeout(.seconds(50), other: other, scheduler: time.scheduler)
    }
    #expect(line == "270:7")
    #expect(!other.hasObservers)
  }

  /// The time may come on another thread while the source is being subscribed.
  @Test func aSourceThatIsAttachedAfterTheSwitchIsDisposed() {
    let source = PublishSubject<Int>()
    let other = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    let subscription = source.timeout(.seconds(1), other: other, scheduler: NoDelay())
      .subscribe(recorder)
    #expect(!source.hasObservers)
    other.onNext(7)
    #expect(recorder.line == "7")
    subscription.dispose()
    #expect(!other.hasObservers)
  }

  @Test func anElementFromWithinTheSwitchIsLate() {
    let source = PublishSubject<Int>()
    let line = time.run { [time] in
      source.timeout(
        .seconds(50), other: Observable.of(7, 8).do(onNext: { _ in source.onNext(1) }),
        scheduler: time.scheduler)
    }
    #expect(line == "250:7 250:8 250:|")
  }
}

/// Runs every action at once, whatever time it is scheduled for.
private struct NoDelay: SchedulerType {
  var now: RxTime { RxTime(nanoseconds: 0) }

  func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    action(state)
  }

  func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    action(state)
  }
}
