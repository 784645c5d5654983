import Dispatch
import Reactive
import ReactiveTesting
import Testing

/// Drivers on a virtual clock.
@MainActor
@Suite struct SharingSchedulerTests {
  private let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)

  private func typed() -> TestableObservable<String> {
    scheduler.createHotObservable([
      .next(210, "m"), .next(215, "mi"), .next(230, "milk"), .next(231, "milk tea"),
      .completed(300),
    ])
  }

  private func record<Element: Sendable>(
    _ make: @escaping @MainActor @Sendable () -> Driver<Element>
  ) -> [Recorded<Event<Element>>] {
    SharingScheduler.mock(scheduler: scheduler) {
      scheduler.start { MainActor.assumeIsolated { make() } }.events
    }
  }

  @Test func aDriverWaitsOnTheClockOfTheTest() {
    let typed = typed()
    let found = record {
      typed.asDriver(onErrorJustReturn: "").debounce(.seconds(10)).map { $0.uppercased() }
    }
    #expect(found == [.next(225, "MI"), .next(241, "MILK TEA"), .completed(300)])
    #expect(typed.subscriptions == [Subscription(200, 300)])
  }

  @Test func everyOperatorThatWaitsTakesThatClock() {
    let typed = typed()
    let counts = { @Sendable (driver: Driver<String>) in driver.map { $0.count } }
    let driver = { @Sendable in typed.asDriver(onErrorJustReturn: "") }
    #expect(
      record { counts(driver().delay(.seconds(5))) }
        == [.next(215, 1), .next(220, 2), .next(235, 4), .next(236, 8), .completed(305)])
  }

  @Test func aThrottledDriverSendsAtTheEndOfEachWindow() {
    let typed = typed()
    let found = record { typed.asDriver(onErrorJustReturn: "").throttle(.seconds(10)) }
    #expect(
      found == [
        .next(210, "m"), .next(220, "mi"), .next(230, "milk"), .next(240, "milk tea"),
        .completed(300),
      ])
  }

  @Test func aDriverThatCountsDoesSoOnThatClock() {
    #expect(
      record { Driver<Int>.interval(.seconds(300)) } == [.next(500, 0), .next(800, 1)])
  }

  @Test func aTimerOfADriverCountsOnThatClock() {
    #expect(
      record { Driver<Int>.timer(.seconds(100), period: .seconds(400)) }
        == [.next(300, 0), .next(700, 1)])
  }

  // As RxTest records it: one step for the way to the driver's scheduler.
  @Test func withAProcessingDelayEachHandoverTakesAStep() {
    let scheduler = TestScheduler(initialClock: 0)
    let source = scheduler.createHotObservable([.next(210, 1), .completed(220)])
    let found = SharingScheduler.mock(scheduler: scheduler) {
      scheduler.start { source.asDriver(onErrorJustReturn: 0).map { $0 + 1 } }
    }
    #expect(found.events == [.next(211, 2), .completed(221)])
    #expect(source.subscriptions == [Subscription(200, 220)])
  }

  @Test func aClosureMayMakeASchedulerForEach() {
    let (first, second) = (TestScheduler(initialClock: 0), TestScheduler(initialClock: 50))
    let made = SharingScheduler.mock(makeScheduler: { first }) {
      SharingScheduler.mock(scheduler: second) {
        #expect(SharingScheduler.make() as? TestScheduler === second)
      }
      return SharingScheduler.make() as? TestScheduler
    }
    #expect(made === first)
  }

  @Test func afterTheActionAndBesideItDriversBelongToTheMainQueue() async {
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try SharingScheduler.mock(scheduler: scheduler) { throw Refused() }
    }
    #expect(SharingScheduler.make() is MainScheduler)
    let beside = SharingScheduler.mock(scheduler: scheduler) {
      Task.detached { SharingScheduler.make() is MainScheduler }
    }
    #expect(await beside.value)
  }
}
