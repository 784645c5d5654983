import Dispatch
import Reactive
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
